import type { Command, Entry } from '#domain/command.ts';
import type { EventSink } from '#domain/events.ts';
import type { Digest, Seq, TimestampMs } from '#domain/units.ts';

/** The state machine. Synchronous, no I/O: equal entries in, equal events and equal digest out, on any machine. */
export interface Engine {
  /**
   * Applies the next entry and tells `sink` what happened; business refusals are events.
   * @throws InvariantBroken when `entry.seq` does not follow the last one applied or an invariant breaks: stop the
   * role.
   */
  apply(entry: Entry, sink: EventSink): void;
  /** Whether there is room for what a command adds; one that has none must not be journaled. */
  hasRoomFor(command: Command): boolean;
  /** Last applied entry; 0 at genesis. */
  readonly seq: Seq;
  readonly at: TimestampMs;
  /** Rolling digest of all events so far. */
  eventDigest(): Digest;
  /** Digest of the business state in canonical order, without positions and time. */
  digest(): Digest;
  /** Image of the whole state; `restoreEngine` makes an engine of it that behaves as this one. */
  snapshot(): Uint8Array;
}
