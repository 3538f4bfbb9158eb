import type { Seq } from '#model/units.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { withFile } from '#journal/file-operations.ts';
import type { CompressSegment, SealedSegment } from '#journal/sealed-segment.ts';
import { compressHere } from '#journal/sealed-segment.ts';
import {
  compressedPath,
  prepareSegment,
  segmentPath,
  temporaryPath,
  writeRetained,
} from '#journal/segment-directory.ts';
import type { SegmentStart } from '#journal/segment-format.ts';

/**
 * Milliseconds between two portions of background work, which leave most of the disk and processor to trading: if all
 * cores are busy, threads wait for each other for whole scheduler slices. At 100,000 orders/s a segment fills in six
 * seconds.
 */
const pauseMs = { preparing: 4, compressing: 40 } as const;
const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface KeptSegment {
  readonly segment: SealedSegment;
  form: 'raw' | 'compressed';
}

/** What a segment store needs. */
export interface SegmentStoreOptions {
  readonly files: FileOperations;
  readonly directory: string;
  readonly segmentSize: number;
  readonly notice: (message: string) => void;
  /** Compresses full segments; on this thread by default. */
  readonly compress?: CompressSegment;
}

/**
 * Background work on segments: preallocates them, compresses full ones and deletes old ones. A failure costs space or
 * time, never data, and is reported by a notice.
 */
export class SegmentStore {
  private readonly options: SegmentStoreOptions;
  private readonly kept: KeptSegment[];
  /** Numbers of the empty preallocated segments. */
  private readonly prepared: number[];
  private preparing: Promise<void> = Promise.resolve();
  private compressing: Promise<void> = Promise.resolve();
  /** Whether the journal waits for the segment that is being made. */
  private isAwaited = false;
  private readonly closing = new AbortController();

  constructor(
    options: SegmentStoreOptions,
    sealed: readonly (SealedSegment & { readonly isRaw: boolean })[],
    prepared: readonly number[],
  ) {
    this.options = options;
    this.kept = sealed.map(({ isRaw, ...segment }) => ({ segment, form: isRaw ? 'raw' : 'compressed' }));
    this.prepared = [...prepared];
  }

  get sealed(): readonly SealedSegment[] {
    return this.kept.map((kept) => kept.segment);
  }

  isPrepared(number: number): boolean {
    return this.prepared.includes(number);
  }

  /** Number of preallocated segments. */
  get preparedCount(): number {
    return this.prepared.length;
  }

  /** Number of full segments that are not compressed yet; the more there are, the shorter the pauses. */
  private get uncompressedCount(): number {
    return this.kept.filter(({ form }) => form === 'raw').length;
  }

  /** Creates segment `number` unless it exists, and answers its size. @throws errors of the file system. */
  async take(number: number): Promise<number> {
    this.isAwaited = true;
    try {
      await this.preparing;
      if (!this.isPrepared(number)) await this.prepare(number);
    } finally {
      this.isAwaited = false;
    }
    this.prepared.splice(this.prepared.indexOf(number), 1);
    const path = segmentPath(this.options.directory, number);
    return withFile(this.options.files, path, 'read', (file) => file.size());
  }

  private async prepare(number: number): Promise<void> {
    const { files, directory, segmentSize } = this.options;
    try {
      await prepareSegment(files, directory, number, segmentSize, () => this.pauseOfPreparing());
    } catch (error) {
      // The incomplete file may have filled the disk. If it cannot be deleted, the next attempt overwrites it.
      await files.unlink(temporaryPath(segmentPath(directory, number))).catch(() => undefined);
      throw error;
    }
    this.prepared.push(number);
  }

  private async pauseOfPreparing(): Promise<void> {
    if (this.isAwaited) return;
    if (!this.closing.signal.aborted) await rest(pauseMs.preparing);
    if (!this.isAwaited) this.closing.signal.throwIfAborted();
  }

  /** Starts creating segment `number` in the background, unless it exists. */
  prepareAhead(number: number): void {
    this.preparing = this.preparing.then(async () => {
      if (this.closing.signal.aborted || this.isPrepared(number)) return;
      await this.prepare(number).catch((error: unknown) => {
        if (this.closing.signal.aborted) return;
        this.options.notice(`segment ${number} cannot be made ahead of time: ${String(error)}`);
      });
    });
  }

  /** Adds a full segment and starts compressing it. */
  seal(segment: SealedSegment): void {
    this.kept.push({ segment, form: 'raw' });
    this.compressAhead();
  }

  /** Starts compressing the next full segment. */
  compressAhead(): void {
    this.compressing = this.compressing.then(async () => {
      for (const kept of [...this.kept]) {
        if (kept.form === 'compressed') continue;
        await this.compress(kept).catch((error: unknown) => {
          this.options.notice(`segment ${kept.segment.number} stays uncompressed for now: ${String(error)}`);
          const temporary = temporaryPath(compressedPath(this.options.directory, kept.segment.number));
          return this.options.files.unlink(temporary).catch(() => undefined);
        });
      }
    });
  }

  private async compress(kept: KeptSegment): Promise<void> {
    const { files, directory } = this.options;
    const path = compressedPath(directory, kept.segment.number);
    const raw = segmentPath(directory, kept.segment.number);
    const { signal } = this.closing;
    if (signal.aborted) return;
    const compress = this.options.compress ?? compressHere(files);
    const task = { segment: kept.segment, from: raw, to: temporaryPath(path) };
    const complete = await compress({ ...task, pauseMs: pauseMs.compressing / this.uncompressedCount }, signal);
    if (!complete || signal.aborted) {
      // A stopped thread may not have created the file; a leftover is deleted at the next start.
      await files.unlink(temporaryPath(path)).catch(() => undefined);
      return;
    }
    await files.rename(temporaryPath(path), path);
    await files.syncDirectory(directory);
    await files.unlink(raw);
    kept.form = 'compressed';
  }

  /** Deletes the full segments without entries after `upTo`; `next` is the segment after the last full one. */
  async release(upTo: Seq, next: SegmentStart): Promise<void> {
    const { files, directory } = this.options;
    const gone = this.kept.filter((kept) => kept.segment.lastSeq <= upTo);
    if (gone.length === 0) return;
    await this.compressing;
    await writeRetained(files, directory, this.kept[gone.length]?.segment ?? next);
    this.kept.splice(0, gone.length);
    for (const { segment, form } of gone) {
      await files.unlink(
        form === 'raw' ? segmentPath(directory, segment.number) : compressedPath(directory, segment.number),
      );
    }
    await files.syncDirectory(directory);
  }

  /** Resolves once no segment is being prepared or compressed. */
  async whenIdle(): Promise<void> {
    await this.preparing;
    await this.compressing;
  }

  /** Stops at the next portion; an incomplete file is deleted at the next start. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.whenIdle();
  }
}
