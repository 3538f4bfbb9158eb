import { assert } from '#base/assert.ts';
import { ByteWriter } from '#base/bytes.ts';
import { stopwatch } from '#base/clock.ts';
import type { Entry } from '#model/command.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { type ActiveFile, beginSegment, isEmpty, startAfter } from '#journal/active-file.ts';
import { checkBatch, type EncodedBatch, type HashedBatch, nameOf } from '#journal/encoded-batch.ts';
import type { EntryBatch } from '#journal/entry-batch.ts';
import { isOutOfSpace } from '#journal/file-operations.ts';
import type { Journal } from '#journal/journal.ts';
import { JournalDamaged, JournalFull, JournalMoved, JournalUnavailable } from '#journal/journal.ts';
import { type JournalOpening, type OpenedJournal, openJournalFiles } from '#journal/journal-opening.ts';
import type { ReadableSegment } from '#journal/journal-reader.ts';
import { batchWith, readSegments } from '#journal/journal-reader.ts';
import { zeroFrom } from '#journal/journal-repair.ts';
import type { SealedSegment } from '#journal/sealed-segment.ts';
import { moveTailAside, type TailMove } from '#journal/journal-tail.ts';
import { segmentPath } from '#journal/segment-directory.ts';
import { batchMark, bytesEqual, encodeBatch, hashOf, segmentHeaderSize } from '#journal/segment-format.ts';

// The journal in files. `segment-format.ts` says what the bytes mean, `segment-directory.ts` which files there are.
// Appending is here: one synchronous write per batch into a segment that was made ahead of time by `segment-store.ts`,
// which also compresses full segments and deletes old ones. A leader of a cluster encodes and writes in two steps,
// because it ships the bytes meanwhile; the other nodes write the same bytes, so that all files are equal. Opening is
// `journal-opening.ts`: `journal-survey.ts` finds the end and tells a torn tail from damage, `journal-repair.ts` mends.
// Reading is `batch-reader.ts` (check), `entry-reader.ts` (decode) and `journal-reader.ts` (across segments; also for
// other threads). All calls to the file system go through `file-operations.ts`, whose memory adapter can fail and lose
// power at any of them.

/** A batch that became durable. */
export interface DurableBatch {
  readonly entries: number;
  readonly bytes: number;
  /** How long its write took, until the disk had it. */
  readonly seconds: number;
}

/** What a journal in files needs: `segmentSize` is usually 64 MiB; a larger batch gets a larger segment. */
export interface FileJournalOptions extends JournalOpening {
  /** Told of each batch, right after it is durable. */
  readonly onDurable?: ((batch: DurableBatch) => void) | undefined;
}

/** Durable commands in segment files. The directory must be held by a `DataLock`: two writers would destroy it. */
export class FileJournal implements Journal {
  private readonly options: FileJournalOptions;
  private store: OpenedJournal['store'];
  private directories: OpenedJournal['directories'];
  private readonly writer = new ByteWriter(64 * 1024);
  private active: ActiveFile;
  /** The batch that was encoded last, until something is written. */
  private encoded: HashedBatch | null = null;
  /** The active segment before the last write; `null` if nothing was written since it was opened or taken back. */
  private before: ActiveFile | null = null;
  private broken: Error | null = null;
  private isBusy = false;
  /** The last release or end of the journal: one after the other. */
  private upkeep: Promise<void> = Promise.resolve();

  private constructor(options: FileJournalOptions, { store, directories, active }: OpenedJournal) {
    this.options = options;
    this.store = store;
    this.directories = directories;
    this.active = active;
  }

  /**
   * Opens the journal, or creates one if there is none. A torn tail is dropped with a notice.
   * @throws JournalDamaged when anything else is not as written: then nothing was changed.
   */
  static async open(options: FileJournalOptions): Promise<FileJournal> {
    return new FileJournal(options, await openJournalFiles(options));
  }

  async append(after: Seq, batch: EntryBatch): Promise<void> {
    await this.write(this.encode(after, batch));
  }

  /**
   * The batch in the bytes that it will have: in the active segment, or in the next one if it does not fit. Nothing is
   * written. The bytes are valid until the next call.
   * @throws JournalMoved, JournalUnavailable as `append`
   */
  encode(after: Seq, batch: EntryBatch): HashedBatch {
    this.refuseIfBroken();
    assert(!this.isBusy, 'one append at a time');
    const { active, writer } = this;
    if (after !== active.lastSeq)
      throw new JournalMoved(`asked to append after ${after}, the last entry is ${active.lastSeq}`);
    assert(batch.size > 0 && batch.entries[0]?.seq === after + 1, 'a batch follows the last entry');
    let segment = active.start.number;
    encodeBatch(writer, active.mark, active.lastHash, batch);
    if (!isEmpty(active) && active.offset + writer.size > active.capacity) {
      const next = startAfter(active);
      segment = next.number;
      encodeBatch(writer, batchMark(next), active.lastHash, batch);
    }
    this.encoded = hashedBatch(segment, as<Seq>(after + 1), as<Seq>(after + batch.size), writer.written());
    return this.encoded;
  }

  /**
   * Writes a batch, and resolves once it survives a crash of this machine. One that was not encoded here just before is
   * checked first. One write at a time, and its bytes may not change meanwhile.
   * @throws JournalDamaged when it is not whole, or does not follow the last one: then nothing was written.
   * @throws JournalFull, JournalUnavailable as `append`
   */
  async write(batch: EncodedBatch): Promise<void> {
    this.refuseIfBroken();
    assert(!this.isBusy, 'one append at a time');
    const own = batch === this.encoded ? this.encoded : null;
    if (own === null) this.requireFollows(batch);
    this.isBusy = true;
    this.encoded = null;
    try {
      if (batch.segment !== this.active.start.number) await this.roll();
      await this.put(batch, own);
    } finally {
      this.isBusy = false;
    }
  }

  /**
   * Takes the batch out again that was written last: the journal ends where it did before. If it began a segment, that
   * one stays, without a batch.
   * @throws JournalUnavailable when that could not be confirmed: stop at once.
   */
  async takeBack({ last }: EncodedBatch): Promise<void> {
    this.refuseIfBroken();
    const { active, before } = this;
    assert(!this.isBusy && before !== null, 'a batch is taken back right after it was written');
    assert(active.lastSeq === last, 'only the last batch is taken back');
    this.isBusy = true;
    this.encoded = null;
    try {
      await active.file.writeThrough(new Uint8Array(active.offset - before.offset), before.offset);
    } catch (error) {
      throw this.unavailable(error);
    } finally {
      this.isBusy = false;
    }
    this.active = { ...before, capacity: active.capacity };
    this.before = null;
  }

  /** @throws JournalDamaged unless the batch is whole and the next one of this journal. */
  private requireFollows(batch: EncodedBatch): void {
    const { active } = this;
    const damaged = (at: number, what: string): JournalDamaged =>
      new JournalDamaged(nameOf(batch), at, what, active.lastSeq);
    const next = startAfter(active);
    // A segment without a batch is never left behind.
    const isNext = batch.segment === next.number && !isEmpty(active);
    if (batch.segment !== active.start.number && !isNext)
      throw damaged(0, `the journal is at byte ${active.offset} of segment ${active.start.number}`);
    const { firstSeq, previousHash } = checkBatch(batch, isNext ? batchMark(next) : active.mark);
    if (firstSeq !== next.firstSeq) throw damaged(16, `the journal ends at entry ${active.lastSeq}`);
    if (!bytesEqual(previousHash, active.lastHash)) throw damaged(24, 'it does not follow from the last batch');
  }

  /** Writes the batch to disk, into the active segment. Its hash is computed during the write, unless it is known. */
  private async put({ first, last, bytes }: EncodedBatch, own: HashedBatch | null): Promise<void> {
    const { active } = this;
    const { file, offset, capacity } = active;
    const began = stopwatch();
    const writing = file.writeThrough(bytes, offset);
    const lastHash = own?.hash ?? hashOf(bytes);
    try {
      await writing;
    } catch (error) {
      if (!isOutOfSpace(error)) throw this.unavailable(error);
      await this.dropFrom(offset);
      throw new JournalFull(
        `no room for ${bytes.length} bytes in ${segmentPath(this.options.directory, active.start.number)}`,
        { cause: error },
      );
    }
    this.options.onDurable?.({
      entries: last - first + 1,
      bytes: bytes.length,
      seconds: (stopwatch() - began) / 1000,
    });
    this.checkNames();
    const end = offset + bytes.length;
    this.before = active;
    this.active = { ...active, offset: end, lastSeq: last, lastHash, capacity: Math.max(capacity, end) };
  }

  /**
   * Checks that the next start will find the file that was written. Called after every write, before it is
   * acknowledged: three system calls of about 2 µs each, compared with about 100 µs for the write.
   */
  private checkNames(): void {
    let lost: string | undefined;
    try {
      lost = [...this.directories, this.active.name].find((name) => !name.isStillNamed())?.path;
    } catch (error) {
      throw this.unavailable(error);
    }
    if (lost === undefined) return;
    throw this.unavailable(
      new Error(
        `${lost} was removed, moved or replaced while the exchange was running. Nothing more is acknowledged. ` +
          'Put back what stood there before, and start again',
      ),
    );
  }

  /** After a write failed for lack of space: overwrites its bytes with zeros; if that fails, the outcome is unknown. */
  private async dropFrom(offset: number): Promise<void> {
    try {
      await zeroFrom(this.active.file, offset);
    } catch (error) {
      throw this.unavailable(error);
    }
  }

  /** Begins the next segment. Nothing of the batch is written yet. */
  private async roll(): Promise<void> {
    const { start, offset, lastSeq, lastHash, file, name } = this.active;
    const next = startAfter(this.active);
    try {
      this.active = await beginSegment(this.options, this.store, next);
    } catch (error) {
      this.checkNames();
      if (!isOutOfSpace(error)) throw this.unavailable(error);
      throw new JournalFull(`no room for segment ${next.number} in ${this.options.directory}`, { cause: error });
    }
    this.before = null;
    this.store.prepareAhead(next.number + 1);
    this.store.seal({ ...start, lastSeq, lastHash, size: offset });
    await Promise.all([file.close(), name.release()]).catch((error: unknown) =>
      this.options.notice(`closing segment ${start.number}: ${String(error)}`),
    );
  }

  /** Stops for good: nothing is acknowledged any more, and the next start finds out what is on disk. */
  private unavailable(error: unknown): JournalUnavailable {
    this.broken = error instanceof Error ? error : new Error(String(error));
    return new JournalUnavailable(`durability could not be confirmed: ${this.broken.message}`, { cause: error });
  }

  private refuseIfBroken(): void {
    if (this.broken === null) return;
    throw new JournalUnavailable(`an earlier write failed: ${this.broken.message}`, { cause: this.broken });
  }

  /**
   * Ends the journal before an entry: that one and all behind it are moved aside, as a start would do it, and the next
   * batch takes their place. Nothing may be written meanwhile.
   * @throws JournalUnavailable when that could not be done: stop at once, and the next start completes it.
   */
  async endBefore(tail: Omit<TailMove, 'files' | 'journal'>): Promise<void> {
    this.refuseIfBroken();
    assert(!this.isBusy, 'ended between two writes');
    this.isBusy = true;
    this.encoded = null;
    try {
      await this.inTurn(() => this.endAndReopen(tail));
    } catch (error) {
      throw this.unavailable(error);
    } finally {
      this.isBusy = false;
    }
  }

  private async endAndReopen(tail: Omit<TailMove, 'files' | 'journal'>): Promise<void> {
    const { files, directory } = this.options;
    await this.store.close();
    await this.active.file.close();
    await moveTailAside({ ...tail, files, journal: directory });
    const before = [this.active.name, ...this.directories];
    const { store, directories, active } = await openJournalFiles(this.options);
    [this.store, this.directories, this.active, this.before] = [store, directories, active, null];
    for (const name of before) await name.release();
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.upkeep.then(work);
    this.upkeep = done.catch(() => undefined);
    return done;
  }

  read(from: Seq): AsyncIterable<readonly Entry[]> {
    assert(from >= this.first(), 'read from an entry that is kept');
    return readSegments(this.options.files, this.options.directory, this.readable(), from, this.active.lastSeq);
  }

  /** The batch that holds an entry which is kept, in bytes of its own. @throws JournalDamaged */
  batchWith(seq: Seq): Promise<EncodedBatch> {
    return batchWith(this.options.files, this.options.directory, this.readable(), seq);
  }

  private readable(): readonly ReadableSegment[] {
    const { start, lastSeq, offset } = this.active;
    return [...this.store.sealed, { ...start, lastSeq, size: offset }];
  }

  /** The segments that hold a batch, in order; the last one ends with the last durable batch. */
  segments(): readonly SealedSegment[] {
    const { sealed } = this.store;
    return isEmpty(this.active) ? sealed : [...sealed, this.lastSegment() as SealedSegment];
  }

  /** The last one of `segments`; `null`: there is none. */
  lastSegment(): SealedSegment | null {
    const { start, lastSeq, lastHash, offset } = this.active;
    return isEmpty(this.active) ? (this.store.sealed.at(-1) ?? null) : { ...start, lastSeq, lastHash, size: offset };
  }

  first(): Seq {
    return this.store.sealed[0]?.firstSeq ?? this.active.start.firstSeq;
  }

  last(): Seq {
    return this.active.lastSeq;
  }

  /** The hash before the first batch that is kept. */
  origin(): Uint8Array {
    return this.store.sealed[0]?.previousHash ?? this.active.start.previousHash;
  }

  /** Hash of the last batch; the journal's origin while empty. */
  lastHash(): Uint8Array {
    return this.active.lastHash;
  }

  /** Bytes that can be appended without allocating disk space; if few are left, only cancels should be accepted. */
  room(): number {
    const { capacity, offset } = this.active;
    return Math.max(0, capacity - offset) + this.store.preparedCount * (this.options.segmentSize - segmentHeaderSize);
  }

  async release(upTo: Seq): Promise<void> {
    await this.inTurn(() =>
      this.store.release(this.options.isFollowing === true ? this.beforeLastSealed(upTo) : upTo, this.active.start),
    );
  }

  /** A replica may have to go back into its last full segment, if the quorum has not what came after it. */
  private beforeLastSealed(upTo: Seq): Seq {
    const last = this.store.sealed.at(-1);
    return last === undefined ? upTo : as<Seq>(Math.min(upTo, last.lastSeq - 1));
  }

  /** Resolves once no segment is being prepared or compressed. Also retries what failed before. */
  async whenIdle(): Promise<void> {
    this.store.prepareAhead(this.active.start.number + 1);
    this.store.compressAhead();
    await this.store.whenIdle();
  }

  async close(): Promise<void> {
    assert(!this.isBusy, 'closed after the last append');
    await this.upkeep;
    await this.store.close();
    await this.active.file.close();
    for (const name of [this.active.name, ...this.directories]) await name.release();
  }
}

/** The hash is computed when it is first asked for: a journal of its own does so while it writes. */
function hashedBatch(segment: number, first: Seq, last: Seq, bytes: Uint8Array): HashedBatch {
  let hash: Uint8Array | null = null;
  return {
    segment,
    first,
    last,
    bytes,
    get hash() {
      hash ??= hashOf(bytes);
      return hash;
    },
  };
}
