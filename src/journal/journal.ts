import type { Entry } from '#model/command.ts';
import type { Digest, Seq } from '#model/units.ts';
import type { EntryBatch } from '#journal/entry-batch.ts';

/** The ordered, durable record of every command. Source of truth: all other stores can be rebuilt from it. */
export interface Journal {
  /**
   * Appends entries that directly follow `after`, and resolves once they survive a crash of this machine.
   * One append at a time: the next may be called only when the last one has settled.
   * @throws JournalMoved when `after` is no longer the last entry: another leader wrote, stop at once.
   * @throws JournalFull when nothing was written for lack of space: the outcome is known, nothing happened.
   * @throws JournalUnavailable when durability could not be confirmed: the outcome is unknown, stop at once.
   */
  append(after: Seq, batch: EntryBatch): Promise<void>;
  /**
   * Entries with `seq >= from` in order, without gaps, to the last durable one, in pieces of a few hundred. Entries are
   * reused by the next piece: do not keep them.
   * @throws JournalDamaged if an entry is not as it was written.
   */
  read(from: Seq): AsyncIterable<readonly Entry[]>;
  /** First kept entry, or the next one to be appended if none is kept; 1 until retention deletes segments. */
  first(): Seq;
  /** Last durable entry; 0 while empty. */
  last(): Seq;
  /** Deletes the segments that contain only entries up to `upTo`. They must not be in use by a reader. */
  release(upTo: Seq): Promise<void>;
  close(): Promise<void>;
}
/** Somebody else wrote to this journal: stop at once. */
export class JournalMoved extends Error {
  override name = 'JournalMoved';
}
/** Durability could not be confirmed; the outcome is unknown: stop at once. */
export class JournalUnavailable extends Error {
  override name = 'JournalUnavailable';
}
/** No space left; nothing was written. */
export class JournalFull extends Error {
  override name = 'JournalFull';
}
/** A journal of a format that this build does not read. Nothing was changed. */
export class JournalOfOtherBuild extends Error {
  override name = 'JournalOfOtherBuild';
  /** `build`: the one that reads it, such as `Bourse 0.1.0`. */
  constructor(build: string) {
    super(`the journal was written by ${build}, which alone reads it: start that build, or choose another --data`);
  }
}

/** Damage that is not a torn tail: starting would lose acknowledged commands. */
export class JournalDamaged extends Error {
  override name = 'JournalDamaged';
  readonly file: string;
  /** Position in bytes within `file`; in a compressed segment, within its uncompressed content. */
  readonly offset: number;
  /** The last entry that is sound before it; `null`: not known. */
  readonly lastSeq: Seq | null;
  constructor(file: string, offset: number, what: string, lastSeq: Seq | null = null) {
    super(`${file} at byte ${offset}: ${what}`);
    this.file = file;
    this.offset = offset;
    this.lastSeq = lastSeq;
  }
}

/** An image of the engine after an entry, with the digest of what it restores to. */
export interface Snapshot {
  /** State after this entry. */
  readonly at: Seq;
  /** Digest of the business state, as `StateMachine.digest()` gives it. */
  readonly digest: Digest;
  readonly image: Uint8Array;
}

/** State images that shorten recovery. Losing all of them costs time, never data. */
export interface SnapshotStore {
  /** Saves a snapshot; it is used only after it was read back and compared. The two newest are kept. */
  save(snapshot: Snapshot): Promise<void>;
  /** Newest first; damaged ones are skipped with a message. `atMost` bounds the position. */
  latest(atMost?: Seq): Promise<Snapshot | null>;
  /** Positions of the kept ones, newest first. */
  positions(): Promise<readonly Seq[]>;
}
