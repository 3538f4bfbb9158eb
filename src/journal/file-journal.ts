import { randomBytes } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { ByteWriter } from '#base/bytes.ts';
import { stopwatch } from '#base/clock.ts';
import type { Entry } from '#model/command.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { EntryBatch } from '#journal/entry-batch.ts';
import type { FileOperations, HeldName, OpenFile } from '#journal/file-operations.ts';
import { isOutOfSpace } from '#journal/file-operations.ts';
import type { Journal } from '#journal/journal.ts';
import { JournalFull, JournalMoved, JournalUnavailable } from '#journal/journal.ts';
import type { ReadableSegment } from '#journal/journal-reader.ts';
import { readSegments } from '#journal/journal-reader.ts';
import { repairJournal, zeroFrom } from '#journal/journal-repair.ts';
import type { ActiveSegment } from '#journal/journal-survey.ts';
import { surveyJournal } from '#journal/journal-survey.ts';
import { segmentPath } from '#journal/segment-directory.ts';
import type { CompressSegment } from '#journal/sealed-segment.ts';
import type { SegmentStart } from '#journal/segment-format.ts';
import { batchMark, encodeBatch, hashOf, hashSize, segmentHeader, segmentHeaderSize } from '#journal/segment-format.ts';
import { SegmentStore } from '#journal/segment-store.ts';

// The journal in files. `segment-format.ts` says what the bytes mean, `segment-directory.ts` which files there are.
// Appending is here: one synchronous write per batch into a segment that was made ahead of time by `segment-store.ts`,
// which also compresses full segments and deletes old ones. Opening is `journal-survey.ts`, which finds the end and
// tells a torn tail from damage, then `journal-repair.ts`. Reading is `batch-reader.ts` (check), `entry-reader.ts`
// (decode) and `journal-reader.ts` (across segments; also for other threads). All calls to the file system go through
// `file-operations.ts`, whose memory adapter can fail and lose power at any of them.

/** A batch that became durable. */
export interface DurableBatch {
  readonly entries: number;
  readonly bytes: number;
  /** How long its write took, until the disk had it. */
  readonly seconds: number;
}

/** What a journal in files needs. */
export interface FileJournalOptions {
  readonly files: FileOperations;
  readonly directory: string;
  /** Size in bytes of the segments to be made, usually 64 MiB; a larger batch gets a larger segment. */
  readonly segmentSize: number;
  /** Parent directories that must not be replaced either while the journal is open. */
  readonly heldPaths?: readonly string[];
  /** Called with a message about what was dropped, repaired or postponed. */
  readonly notice: (message: string) => void;
  /** Told of each batch, right after it is durable. */
  readonly onDurable?: ((batch: DurableBatch) => void) | undefined;
  /** Compresses full segments; on this thread by default. */
  readonly compress?: CompressSegment;
  /** 32 bytes that identify a new journal; random by default. */
  readonly origin?: Uint8Array;
}

/** The segment being written to. */
interface Open extends ActiveSegment {
  readonly file: OpenFile;
  readonly mark: Uint8Array;
  readonly name: HeldName;
}

/** Durable commands in segment files. The directory must be held by a `DataLock`: two writers would destroy it. */
export class FileJournal implements Journal {
  private readonly options: FileJournalOptions;
  private readonly store: SegmentStore;
  private readonly writer = new ByteWriter(64 * 1024);
  private readonly directories: readonly HeldName[];
  private active: Open;
  private broken: Error | null = null;
  private isBusy = false;

  private constructor(
    options: FileJournalOptions,
    store: SegmentStore,
    directories: readonly HeldName[],
    active: Open,
  ) {
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
    const { files, directory } = options;
    assert(options.segmentSize > segmentHeaderSize, 'a segment is larger than its header');
    await files.makeDirectory(directory);
    const directories: HeldName[] = [];
    try {
      for (const path of [...(options.heldPaths ?? []), directory]) directories.push(await files.hold(path));
      return await FileJournal.openHeld(options, directories);
    } catch (error) {
      for (const held of directories) await held.release().catch(() => undefined);
      throw error;
    }
  }

  private static async openHeld(options: FileJournalOptions, directories: readonly HeldName[]): Promise<FileJournal> {
    const { files, directory, notice } = options;
    const survey = await surveyJournal(files, directory);
    await repairJournal(files, directory, survey, notice);
    const store = new SegmentStore(options, survey.sealed, survey.prepared);
    let active: Open;
    if (survey.active === null) {
      const before = survey.sealed.at(-1);
      active = await begin(options, store, {
        number: (before?.number ?? 0) + 1,
        firstSeq: as<Seq>((before?.lastSeq ?? 0) + 1),
        previousHash: before?.lastHash ?? options.origin ?? randomBytes(hashSize),
      });
    } else {
      const path = segmentPath(directory, survey.active.start.number);
      const file = await files.open(path, 'durable');
      active = { ...survey.active, file, mark: batchMark(survey.active.start), name: await files.hold(path) };
    }
    store.compressAhead();
    store.prepareAhead(active.start.number + 1);
    return new FileJournal(options, store, directories, active);
  }

  async append(after: Seq, batch: EntryBatch): Promise<void> {
    assert(!this.isBusy, 'one append at a time');
    if (this.broken !== null)
      throw new JournalUnavailable(`an earlier write failed: ${this.broken.message}`, { cause: this.broken });
    if (after !== this.active.lastSeq)
      throw new JournalMoved(`asked to append after ${after}, the last entry is ${this.active.lastSeq}`);
    assert(batch.size > 0 && batch.entries[0]?.seq === after + 1, 'a batch follows the last entry');
    this.isBusy = true;
    try {
      this.encode(batch);
      if (this.active.offset > segmentHeaderSize && this.active.offset + this.writer.size > this.active.capacity) {
        await this.roll();
        this.encode(batch);
      }
      await this.write(as<Seq>(after + batch.size), batch.size);
    } finally {
      this.isBusy = false;
    }
  }

  private encode(batch: EntryBatch): void {
    encodeBatch(this.writer, this.active.mark, this.active.lastHash, batch);
  }

  /** Writes the encoded batch to disk. Its hash is computed during the write. */
  private async write(lastSeq: Seq, entries: number): Promise<void> {
    const { file, offset, capacity } = this.active;
    const bytes = this.writer.written();
    const began = stopwatch();
    const writing = file.writeThrough(bytes, offset);
    const lastHash = hashOf(bytes);
    try {
      await writing;
    } catch (error) {
      if (!isOutOfSpace(error)) throw this.unavailable(error);
      await this.takeBack(offset);
      throw new JournalFull(
        `no room for ${bytes.length} bytes in ${segmentPath(this.options.directory, this.active.start.number)}`,
        { cause: error },
      );
    }
    this.options.onDurable?.({ entries, bytes: bytes.length, seconds: (stopwatch() - began) / 1000 });
    this.checkNames();
    const end = offset + bytes.length;
    this.active = {
      ...this.active,
      offset: end,
      lastSeq,
      lastHash,
      capacity: Math.max(capacity, end),
    };
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
  private async takeBack(offset: number): Promise<void> {
    try {
      await zeroFrom(this.active.file, offset);
    } catch (error) {
      throw this.unavailable(error);
    }
  }

  /** Begins the next segment. Nothing of the batch is written yet. */
  private async roll(): Promise<void> {
    const { start, offset, lastSeq, lastHash, file, name } = this.active;
    const next = { number: start.number + 1, firstSeq: as<Seq>(lastSeq + 1), previousHash: lastHash };
    try {
      this.active = await begin(this.options, this.store, next);
    } catch (error) {
      this.checkNames();
      if (!isOutOfSpace(error)) throw this.unavailable(error);
      throw new JournalFull(`no room for segment ${next.number} in ${this.options.directory}`, { cause: error });
    }
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

  read(from: Seq): AsyncIterable<readonly Entry[]> {
    assert(from >= this.first(), 'read from an entry that is kept');
    const { start, lastSeq, offset } = this.active;
    const segments: readonly ReadableSegment[] = [...this.store.sealed, { ...start, lastSeq, size: offset }];
    return readSegments(this.options.files, this.options.directory, segments, from, lastSeq);
  }

  first(): Seq {
    return this.store.sealed[0]?.firstSeq ?? this.active.start.firstSeq;
  }

  last(): Seq {
    return this.active.lastSeq;
  }

  /** Bytes that can be appended without allocating disk space; if few are left, only cancels should be accepted. */
  room(): number {
    const { capacity, offset } = this.active;
    return Math.max(0, capacity - offset) + this.store.preparedCount * (this.options.segmentSize - segmentHeaderSize);
  }

  async release(upTo: Seq): Promise<void> {
    await this.store.release(upTo, this.active.start);
  }

  /** Resolves once no segment is being prepared or compressed. Also retries what failed before. */
  async whenIdle(): Promise<void> {
    this.store.prepareAhead(this.active.start.number + 1);
    this.store.compressAhead();
    await this.store.whenIdle();
  }

  async close(): Promise<void> {
    assert(!this.isBusy, 'closed after the last append');
    await this.store.close();
    await this.active.file.close();
    for (const name of [this.active.name, ...this.directories]) await name.release();
  }
}

/** Begins a segment: its header is on disk before the first batch is written. */
async function begin(options: FileJournalOptions, store: SegmentStore, start: SegmentStart): Promise<Open> {
  const { files, directory } = options;
  const capacity = await store.take(start.number);
  const path = segmentPath(directory, start.number);
  const file = await files.open(path, 'durable');
  let name: HeldName;
  try {
    await file.writeThrough(segmentHeader(start), 0);
    name = await files.hold(path);
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  return {
    start,
    file,
    name,
    mark: batchMark(start),
    offset: segmentHeaderSize,
    lastSeq: as<Seq>(start.firstSeq - 1),
    lastHash: start.previousHash,
    capacity,
  };
}
