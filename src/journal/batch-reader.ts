import type { SegmentStart } from '#journal/segment-format.ts';
import {
  batchHeaderSize,
  batchMark,
  bytesEqual,
  hashOf,
  isZero,
  parseBatchHeader,
  recordFault,
  segmentHeaderSize,
} from '#journal/segment-format.ts';
import type { BatchHeader } from '#journal/segment-format.ts';

/** The uncompressed bytes of a segment, whatever form it is stored in. */
export interface SegmentSource {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Bytes that may be read. */
  readonly size: number;
  /** As `OpenFile.read`. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** A valid batch. Its bytes are valid until the next one is read. */
export interface Batch {
  readonly kind: 'batch';
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Position of its first byte in `bytes`. */
  readonly start: number;
  readonly header: BatchHeader;
  /** Position of its first byte in the segment. */
  readonly offset: number;
}
/** The end of the batches: only zeros follow, or the segment ends. */
export interface SegmentEnd {
  readonly kind: 'end';
}
/** Bytes that are not a valid batch, and why. */
export interface BatchFault {
  readonly kind: 'fault';
  readonly offset: number;
  readonly what: string;
}

const readSize = 1024 * 1024;
const end: SegmentEnd = { kind: 'end' };

/**
 * Reads the batches of one segment and checks the checksums, hash chain and sequence of each. After `end` or a fault
 * nothing more can be read; `offset`, `nextSeq` and `hash` then say where the valid part ends.
 */
export class BatchReader {
  readonly start: SegmentStart;
  /** Where the next batch begins in the segment. */
  offset = segmentHeaderSize;
  /** Sequence of the next entry. */
  nextSeq: number;
  /** Hash of the last good batch, or of the one before the segment. */
  hash: Uint8Array;
  batchCount = 0;
  private readonly source: SegmentSource;
  private readonly mark: Uint8Array;
  private buffer = new Uint8Array(0);
  private view = new DataView(this.buffer.buffer);
  /** The buffer holds the bytes of the segment from `bufferOffset` on, `filled` of them. */
  private bufferOffset = segmentHeaderSize;
  private filled = 0;

  constructor(source: SegmentSource, start: SegmentStart) {
    this.source = source;
    this.start = start;
    this.nextSeq = start.firstSeq;
    this.hash = start.previousHash;
    this.mark = batchMark(start);
  }

  /** The next batch if it is buffered, else `null`: then `next` reads it. */
  buffered(): Batch | SegmentEnd | BatchFault | null {
    const at = this.offset - this.bufferOffset;
    if (!this.holds(batchHeaderSize)) return null;
    if (this.buffer[at] === 0 && isZero(this.buffer, at, at + batchHeaderSize)) return end;
    const header = parseBatchHeader(this.buffer, this.view, at, this.mark);
    if (typeof header === 'string') return this.fault(header);
    return this.holds(header.size) ? this.check(header) : null;
  }

  async next(): Promise<Batch | SegmentEnd | BatchFault> {
    if (!this.holds(batchHeaderSize)) {
      const available = await this.fill(batchHeaderSize);
      if (available < batchHeaderSize)
        return isZero(this.buffer, 0, available) ? end : this.fault('batch header is cut short');
    }
    const ready = this.buffered();
    if (ready !== null) return ready;
    const size = this.view.getUint32(this.offset - this.bufferOffset + 8, true);
    if ((await this.fill(size)) < size) return this.fault('batch is cut short');
    return this.buffered() as Batch | SegmentEnd | BatchFault;
  }

  private check(header: BatchHeader): Batch | BatchFault {
    const start = this.offset - this.bufferOffset;
    const fault = recordFault(this.buffer, this.view, start, header);
    if (fault !== null) return { kind: 'fault', offset: this.bufferOffset + fault.at, what: fault.what };
    if (header.firstSeq !== this.nextSeq)
      return this.fault(`batch starts at ${header.firstSeq}, expected ${this.nextSeq}`);
    if (!bytesEqual(header.previousHash, this.hash)) return this.fault('batch does not follow from the one before');
    const { offset } = this;
    this.hash = hashOf(this.buffer.subarray(start, start + header.size));
    this.nextSeq += header.entryCount;
    this.offset += header.size;
    this.batchCount += 1;
    return { kind: 'batch', bytes: this.buffer, view: this.view, start, header, offset };
  }

  private fault(what: string): BatchFault {
    return { kind: 'fault', offset: this.offset, what };
  }

  /** Whether `size` bytes from `offset` on are in the buffer. */
  private holds(size: number): boolean {
    return this.offset + size <= this.bufferOffset + this.filled;
  }

  /** Buffers bytes from `offset` on, at least `size` if they exist. Answers how many are buffered. */
  private async fill(size: number): Promise<number> {
    const kept = this.bufferOffset + this.filled - this.offset;
    const from = this.offset - this.bufferOffset;
    const wanted = Math.min(Math.max(size, readSize), Math.max(0, this.source.size - this.offset));
    if (wanted > this.buffer.length) {
      const larger = new Uint8Array(wanted);
      larger.set(this.buffer.subarray(from, from + kept));
      this.buffer = larger;
      this.view = new DataView(larger.buffer);
    } else this.buffer.copyWithin(0, from, from + kept);
    this.bufferOffset = this.offset;
    this.filled = kept;
    if (wanted > kept) this.filled += await this.source.read(this.buffer.subarray(kept, wanted), this.offset + kept);
    return this.filled;
  }
}

/**
 * Polling for a whole batch of this segment at any byte after `after`. Answers its position, or -1: then the bytes
 * stands there was never acknowledged. Tells too whether anything but zeros stands at or after `after`.
 */
export async function searchBatch(
  source: SegmentSource,
  start: SegmentStart,
  after: number,
): Promise<{ readonly found: number; readonly rest: 'zeros' | 'something' }> {
  const mark = Buffer.from(batchMark(start));
  const size = Math.max(0, source.size - after);
  let rest: 'zeros' | 'something' = 'zeros';
  const window = Buffer.alloc(Math.min(size, readSize + batchHeaderSize));
  const zeros = Buffer.alloc(window.length);
  for (let from = after; from < source.size; from += readSize) {
    const count = await source.read(window.subarray(0, Math.min(window.length, source.size - from)), from);
    const bytes = window.subarray(0, count);
    if (rest === 'zeros' && bytes.compare(zeros, 0, count) !== 0) rest = 'something';
    if (rest === 'zeros') continue;
    for (let at = bytes.indexOf(mark); at !== -1 && at < readSize; at = bytes.indexOf(mark, at + 1)) {
      if (await isWhole(source, start, mark, from + at)) return { found: from + at, rest };
    }
  }
  return { found: -1, rest };
}

async function isWhole(source: SegmentSource, start: SegmentStart, mark: Uint8Array, offset: number): Promise<boolean> {
  const head = new Uint8Array(batchHeaderSize);
  if ((await source.read(head, offset)) < batchHeaderSize) return false;
  const header = parseBatchHeader(head, new DataView(head.buffer), 0, mark);
  if (typeof header === 'string' || header.firstSeq < start.firstSeq || offset + header.size > source.size)
    return false;
  const bytes = new Uint8Array(header.size);
  if ((await source.read(bytes, offset)) < header.size) return false;
  return recordFault(bytes, new DataView(bytes.buffer), 0, header) === null;
}
