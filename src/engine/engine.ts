import type { Command, Entry } from '#model/command.ts';
import type { EventSink } from '#model/events.ts';
import type { Digest, Seq, TimestampMs } from '#model/units.ts';

/** The state machine. Synchronous, without I/O: equal entries give equal events and equal digests on any machine. */
export interface Engine {
  /**
   * Applies the next entry and emits its events to `sink`; business refusals are events.
   * @throws InvariantBroken if `entry.seq` does not follow the last applied one or an invariant breaks: stop the role.
   */
  apply(entry: Entry, sink: EventSink): void;
  /** Whether the tables have capacity for what a command may add; a command without it must not be journaled. */
  hasRoomFor(command: Command): boolean;
  /** Last applied entry; 0 at genesis. */
  readonly seq: Seq;
  readonly at: TimestampMs;
  /** Rolling digest of all events so far. */
  eventDigest(): Digest;
  /** Digest of the business state in canonical order, without positions and time. */
  digest(): Digest;
  /** Image of the whole state, from which `restoreEngine` creates an engine that behaves like this one. */
  snapshot(): Uint8Array;
}
