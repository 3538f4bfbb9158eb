import type { Entry } from '#model/command.ts';
import type { Epoch, Seq, TimestampMs } from '#model/units.ts';
import type { BrokenNote } from '#cluster/command-log.ts';
import type { OwnJournal } from '#cluster/quorum-journal.ts';
import type { Journal } from '#journal/journal.ts';
import type { OwnSegments } from '#journal/own-segments.ts';
import type { EventFeed } from '#sequencer/event-feed.ts';
import type { Sequencer } from '#sequencer/sequencer.ts';

/** A node's own copy of the exchange, recovered. */
export interface Replica {
  readonly journal: OwnJournal;
  readonly applied: () => Seq;
  /** Time of the last entry that is applied. */
  readonly at: () => TimestampMs;
  /** Version of the rules in force. */
  readonly rules: () => number;
  readonly apply: (entries: readonly Entry[]) => Promise<void>;
  /** The journal's segments, for other nodes. */
  readonly segments: OwnSegments;
  /** Takes what was voided out of the journal. */
  readonly takeOut: (voided: BrokenNote) => Promise<void>;
  /** Events of what is applied. */
  readonly feed: EventFeed;
  /** Makes the sequencer of a term. */
  readonly sequencerOf: (lead: Lead) => Promise<Sequencer>;
}

/** What a term gives to its sequencer. */
export interface Lead {
  readonly journal: Journal;
  readonly epoch: Epoch;
  /** What was voided, to be recorded before anything else. */
  readonly unrecorded: BrokenNote | null;
  /** Why no command is taken now; `null`: they are taken. */
  readonly stop: () => string | null;
  readonly onApplied: () => void;
}

/** Greatest batch of a leader, in bytes: etcd takes requests of 1.5 MiB, a third of which is lost to base64. */
export const clusterBatchBytes = 512 << 10;
