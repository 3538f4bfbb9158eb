import type { Seq } from '#domain/units.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { withFile } from '#journal/file-operations.ts';
import type { SealedSegment } from '#journal/sealed-segment.ts';
import { writeSealedSegment } from '#journal/sealed-segment.ts';
import {
  compressedPath,
  prepareSegment,
  segmentPath,
  temporaryPath,
  writeRetained,
} from '#journal/segment-directory.ts';
import type { SegmentStart } from '#journal/segment-format.ts';

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
}

/**
 * What happens to segments besides being written to: they are made ahead of time, compressed once full, and let go.
 * All of it goes on in the background; a failure there costs space or time, never data, and is told by a notice.
 */
export class SegmentStore {
  private readonly options: SegmentStoreOptions;
  private readonly kept: KeptSegment[];
  /** Numbers of segments that wait, empty. */
  private readonly prepared: number[];
  private preparing: Promise<void> = Promise.resolve();
  private compressing: Promise<void> = Promise.resolve();
  private isClosed = false;

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

  /** Segments that can be begun without asking the disk for room. */
  get preparedCount(): number {
    return this.prepared.length;
  }

  /** Makes sure that segment `number` exists, empty, and answers its size. @throws what the file system says. */
  async take(number: number): Promise<number> {
    await this.preparing;
    if (!this.isPrepared(number)) await this.prepare(number);
    this.prepared.splice(this.prepared.indexOf(number), 1);
    const path = segmentPath(this.options.directory, number);
    return withFile(this.options.files, path, 'read', (file) => file.size());
  }

  private async prepare(number: number): Promise<void> {
    const { files, directory, segmentSize } = this.options;
    try {
      await prepareSegment(files, directory, number, segmentSize);
    } catch (error) {
      // What was half made may be what filled the disk. If it cannot go now, the next attempt overwrites it.
      await files.unlink(temporaryPath(segmentPath(directory, number))).catch(() => undefined);
      throw error;
    }
    this.prepared.push(number);
  }

  /** Begins to make segment `number`, unless it is there. */
  prepareAhead(number: number): void {
    this.preparing = this.preparing.then(async () => {
      if (this.isClosed || this.isPrepared(number)) return;
      await this.prepare(number).catch((error: unknown) => {
        this.options.notice(`segment ${number} cannot be made ahead of time: ${String(error)}`);
      });
    });
  }

  /** Takes over a segment that is full, and begins to compress it. */
  seal(segment: SealedSegment): void {
    this.kept.push({ segment, form: 'raw' });
    this.compressAhead();
  }

  /** Begins to compress what is not. */
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
    const stopped = (): boolean => this.isClosed || !this.kept.includes(kept);
    if (stopped()) return;
    const complete = await withFile(files, raw, 'read', (file) =>
      writeSealedSegment(files, temporaryPath(path), file, kept.segment, stopped),
    );
    if (!complete || stopped()) {
      await files.unlink(temporaryPath(path));
      return;
    }
    await files.rename(temporaryPath(path), path);
    await files.syncDirectory(directory);
    await files.unlink(raw);
    kept.form = 'compressed';
  }

  /** Lets go the full segments that hold nothing after `upTo`; `next` follows the last of all full ones. */
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

  /** Resolves once nothing goes on in the background. */
  async settled(): Promise<void> {
    await this.preparing;
    await this.compressing;
  }

  /** Stops at the next opportunity; what is half made is dropped at the next start. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.settled();
  }
}
