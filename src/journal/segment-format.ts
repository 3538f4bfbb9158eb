import { hash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { ByteWriter } from '#base/bytes.ts';
import { crc32c } from '#base/checksum.ts';
import { commandFormatVersion } from '#model/command-codec.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { EntryBatch } from '#journal/entry-batch.ts';
import { JournalOfOtherBuild } from '#journal/journal.ts';

// Bytes of a segment, numbers little-endian:
//
//   segment header, filled up with zeros to 512: magic 8, layout version u16, command version u16, segment number u32,
//     first seq u64, hash of the last batch of the segment before 32, zero u32, CRC32C of these 60
//   batch header, 64: mark 8, size of the batch u32, entry count u32, first seq u64, hash of the batch before 32,
//     zero u32, CRC32C of these 60
//   record: size after these 8 bytes u32, CRC32C seeded with that size u32, seq u64, epoch u32, time u64, command
//   next batch, or zeros to the end of the file
//
// The first segment has random bytes for the hash before it, which tell one journal from another. The mark is derived
// from the segment header, so neither what a client sends nor another segment's bytes can look like a batch when a
// damaged segment is searched. A batch is one write, the header another before it; a hash covers a whole batch.

/** Bytes of a segment's header. */
export const segmentHeaderSize = 512;
export const batchHeaderSize = 64;
const recordHeadSize = 8;
const recordFixedSize = 20;
const headerCrcAt = 60;
/** Bytes of a hash. */
export const hashSize = 32;
const markSize = 8;
const layoutVersion = 1;
const magic = Uint8Array.from('BOURSEJ1', (character) => character.charCodeAt(0));
/** Larger than any batch a sequencer forms; a bound against damaged sizes. */
const batchSizeMax = 256 * 1024 * 1024;

const twoTo32 = 4294967296;

/** SHA-256. */
export const hashOf = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/** Whether two runs of bytes are the same. */
export function bytesEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && Buffer.compare(left, right) === 0;
}

/** Whether the bytes from `start` to before `end` are all zero. */
export function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] !== 0) return false;
  return true;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** Writes a safe integer in eight bytes, little-endian. */
export const putU64 = (view: DataView, at: number, value: number): void => {
  view.setUint32(at, value % twoTo32, true);
  view.setUint32(at + 4, Math.floor(value / twoTo32), true);
};
/** Reads a safe integer of eight bytes, little-endian. */
export const getU64 = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * twoTo32;

/** Where a segment stands in the chain. Its header bytes follow from this alone. */
export interface SegmentStart {
  readonly number: number;
  readonly firstSeq: Seq;
  readonly previousHash: Uint8Array;
}

/** The 512 bytes before the first batch. */
export function segmentHeader(start: SegmentStart): Uint8Array {
  const bytes = new Uint8Array(segmentHeaderSize);
  const view = viewOf(bytes);
  bytes.set(magic);
  view.setUint16(8, layoutVersion, true);
  view.setUint16(10, commandFormatVersion, true);
  view.setUint32(12, start.number, true);
  putU64(view, 16, start.firstSeq);
  bytes.set(start.previousHash, 24);
  view.setUint32(headerCrcAt, crc32c(bytes, 0, headerCrcAt), true);
  return bytes;
}

/** The builds that read earlier forms of commands, by their version. */
const buildsOfFormats: Readonly<Record<number, string>> = {
  1: 'Bourse 0.1.0',
  2: 'Bourse 0.2.0',
  3: 'Bourse 0.3.0',
  4: 'Bourse 0.4.0',
};
const laterBuild = 'a later Bourse';

/**
 * What the first 512 bytes of a segment say; a text says what is wrong with them.
 * @throws JournalOfOtherBuild when they are whole, but of another format.
 */
export function parseSegmentHeader(bytes: Uint8Array): SegmentStart | string {
  if (bytes.length < segmentHeaderSize) return 'segment header is cut short';
  const view = viewOf(bytes);
  if (view.getUint32(headerCrcAt, true) !== crc32c(bytes, 0, headerCrcAt))
    return 'segment header does not match its checksum';
  if (!bytesEqual(bytes.subarray(0, magic.length), magic)) return 'no segment of a journal';
  const [layout, commands] = [view.getUint16(8, true), view.getUint16(10, true)];
  if (layout !== layoutVersion || commands !== commandFormatVersion)
    throw new JournalOfOtherBuild(layout > layoutVersion ? laterBuild : (buildsOfFormats[commands] ?? laterBuild));
  if (!isZero(bytes, headerCrcAt + 4, segmentHeaderSize)) return 'segment header is not filled up with zeros';
  return {
    number: view.getUint32(12, true),
    firstSeq: as<Seq>(getU64(view, 16)),
    previousHash: bytes.slice(24, 24 + hashSize),
  };
}

/** First bytes of every batch of a segment. */
export const batchMark = (start: SegmentStart): Uint8Array => hashOf(segmentHeader(start)).subarray(0, markSize);

/** Writes the whole batch into `writer`, which is emptied first: entries whose `seq` rise by one. */
export function encodeBatch(writer: ByteWriter, mark: Uint8Array, previousHash: Uint8Array, batch: EntryBatch): void {
  const { entries } = batch;
  const commands = batch.commands();
  const first = entries[0]!.seq;
  writer.reset();
  writer.raw(mark);
  writer.u32(0);
  writer.u32(entries.length);
  writer.u32(first % twoTo32);
  writer.u32(Math.floor(first / twoTo32));
  writer.raw(previousHash);
  writer.u32(0);
  writer.u32(0);
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index]!;
    assert(entry.seq === first + index, 'entries of a batch follow each other');
    const at = writer.size;
    writer.u32(0);
    writer.u32(0);
    writer.u32(entry.seq % twoTo32);
    writer.u32(Math.floor(entry.seq / twoTo32));
    writer.u32(entry.epoch);
    writer.u32(entry.at % twoTo32);
    writer.u32(Math.floor(entry.at / twoTo32));
    writer.part(commands, index === 0 ? 0 : batch.endOf(index - 1), batch.endOf(index));
    writer.patchU32(at, writer.size - at - recordHeadSize);
  }
  assert(writer.size <= batchSizeMax, 'a batch stays below its maximum');
  writer.patchU32(markSize, writer.size);
  const bytes = writer.written();
  const view = viewOf(bytes);
  for (let at = batchHeaderSize; at < bytes.length; ) {
    const size = view.getUint32(at, true);
    const end = at + recordHeadSize + size;
    view.setUint32(at + 4, crc32c(bytes, at + recordHeadSize, end, size), true);
    at = end;
  }
  view.setUint32(headerCrcAt, crc32c(bytes, 0, headerCrcAt), true);
}

/** A batch header that is whole. */
export interface BatchHeader {
  readonly size: number;
  readonly entryCount: number;
  readonly firstSeq: Seq;
  readonly previousHash: Uint8Array;
}

/** The batch header at `start`, where 64 bytes are there; a text says what is wrong with it. */
export function parseBatchHeader(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  mark: Uint8Array,
): BatchHeader | string {
  if (view.getUint32(start + headerCrcAt, true) !== crc32c(bytes, start, start + headerCrcAt)) {
    return 'batch header does not match its checksum';
  }
  for (let index = 0; index < markSize; index += 1) {
    if (bytes[start + index] !== mark[index]) return 'batch of another segment';
  }
  const size = view.getUint32(start + 8, true);
  const entryCount = view.getUint32(start + 12, true);
  if (size < batchHeaderSize || size > batchSizeMax || entryCount === 0) return 'batch header makes no sense';
  return {
    size,
    entryCount,
    firstSeq: as<Seq>(getU64(view, start + 16)),
    previousHash: bytes.slice(start + 24, start + 24 + hashSize),
  };
}

/** Checks every record of the batch that begins at `start`. Answers `null`, or the first fault with its position. */
export function recordFault(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  header: BatchHeader,
): { readonly at: number; readonly what: string } | null {
  const end = start + header.size;
  let at = start + batchHeaderSize;
  for (let index = 0; index < header.entryCount; index += 1) {
    if (at + recordHeadSize + recordFixedSize > end) return { at, what: 'record is cut short' };
    const size = view.getUint32(at, true);
    const next = at + recordHeadSize + size;
    if (size < recordFixedSize || next > end) return { at, what: 'record has an impossible size' };
    if (view.getUint32(at + 4, true) !== crc32c(bytes, at + recordHeadSize, next, size)) {
      return { at, what: 'record does not match its checksum' };
    }
    if (getU64(view, at + recordHeadSize) !== header.firstSeq + index) return { at, what: 'record out of sequence' };
    at = next;
  }
  return at === end ? null : { at, what: 'bytes after the last record of a batch' };
}

/**
 * The batch that holds only the first `entryCount` entries of a whole one which begins at `start`: at least one, with
 * the same hash before it.
 */
export function leadingBatch(bytes: Uint8Array, view: DataView, start: number, entryCount: number): Uint8Array {
  assert(entryCount > 0 && entryCount <= view.getUint32(start + 12, true), 'part of a batch has entries of it');
  let end = start + batchHeaderSize;
  for (let index = 0; index < entryCount; index += 1) end += recordHeadSize + view.getUint32(end, true);
  const batch = bytes.slice(start, end);
  const header = viewOf(batch);
  header.setUint32(markSize, batch.length, true);
  header.setUint32(12, entryCount, true);
  header.setUint32(headerCrcAt, crc32c(batch, 0, headerCrcAt), true);
  return batch;
}

/** Where the parts of the record at `at` are, for decoding. */
export const recordLayout = {
  head: recordHeadSize,
  epoch: 16,
  time: 20,
  command: recordHeadSize + recordFixedSize,
} as const;
