import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import { assert } from '#base/assert.ts';
import { crc32c } from '#base/checksum.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { SegmentSource } from '#journal/batch-reader.ts';
import type { FileOperations, OpenFile } from '#journal/file-operations.ts';
import { withFile } from '#journal/file-operations.ts';
import { JournalDamaged } from '#journal/journal.ts';
import type { SegmentStart } from '#journal/segment-format.ts';
import { bytesEqual, getU64, hashSize, putU64 } from '#journal/segment-format.ts';

// A sealed segment, compressed: header of 132 bytes, a table of blocks (compressed size u32, CRC32C of the compressed
// bytes u32), then the blocks. Each holds 1 MiB of the segment as it was, the last one the rest, without the zeros.

/** A full segment. */
export interface SealedSegment extends SegmentStart {
  readonly lastSeq: Seq;
  /** Hash of its last batch. */
  readonly lastHash: Uint8Array;
  /** Bytes of it that are in use, from its header to its last batch. */
  readonly size: number;
}

const blockSize = 1024 * 1024;
const headerSize = 132;
const headerCrcAt = 128;
const tableEntrySize = 8;
const formatVersion = 1;
const magic = Uint8Array.from('BOURSEZ1', (character) => character.charCodeAt(0));

function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, { level: constants.Z_BEST_SPEED }, (error, result) =>
      error === null ? resolve(result) : reject(error),
    );
  });
}

function inflated(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    inflateRaw(bytes, { maxOutputLength: blockSize }, (error, result) =>
      error === null ? resolve(result) : reject(error),
    );
  });
}

function sealedHeader(segment: SealedSegment, fileSize: number, table: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(headerSize);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  view.setUint32(8, formatVersion, true);
  view.setUint32(12, segment.number, true);
  putU64(view, 16, segment.firstSeq);
  putU64(view, 24, segment.lastSeq);
  putU64(view, 32, segment.size);
  view.setUint32(40, blockSize, true);
  view.setUint32(44, table.length / tableEntrySize, true);
  bytes.set(segment.previousHash, 48);
  bytes.set(segment.lastHash, 48 + hashSize);
  view.setUint32(112, crc32c(table), true);
  putU64(view, 120, fileSize);
  view.setUint32(headerCrcAt, crc32c(bytes, 0, headerCrcAt), true);
  return bytes;
}

interface SealedLayout {
  readonly segment: SealedSegment;
  readonly table: DataView;
  /** Where each block begins in the file, and where the last one ends. */
  readonly blockStarts: readonly number[];
}

async function readLayout(file: OpenFile, name: string): Promise<SealedLayout> {
  const damaged = (offset: number, what: string): JournalDamaged => new JournalDamaged(name, offset, what);
  const header = new Uint8Array(headerSize);
  if ((await file.read(header, 0)) < headerSize) throw damaged(0, 'header is cut short');
  const view = new DataView(header.buffer);
  if (view.getUint32(headerCrcAt, true) !== crc32c(header, 0, headerCrcAt))
    throw damaged(0, 'header does not match its checksum');
  if (
    !bytesEqual(header.subarray(0, 8), magic) ||
    view.getUint32(8, true) !== formatVersion ||
    view.getUint32(40, true) !== blockSize
  ) {
    throw damaged(0, 'no compressed segment that this version reads');
  }
  const size = getU64(view, 32);
  const blockCount = view.getUint32(44, true);
  const fileSize = getU64(view, 120);
  if (blockCount !== Math.ceil(size / blockSize)) throw damaged(44, 'number of blocks makes no sense');
  if (fileSize !== (await file.size())) throw damaged(120, `file should have ${fileSize} bytes`);
  const table = new Uint8Array(blockCount * tableEntrySize);
  if ((await file.read(table, headerSize)) < table.length || crc32c(table) !== view.getUint32(112, true)) {
    throw damaged(headerSize, 'table of blocks does not match its checksum');
  }
  const tableView = new DataView(table.buffer);
  const blockStarts = [headerSize + table.length];
  for (let index = 0; index < blockCount; index += 1) {
    blockStarts.push((blockStarts[index] as number) + tableView.getUint32(index * tableEntrySize, true));
  }
  if (blockStarts[blockCount] !== fileSize) throw damaged(headerSize, 'blocks do not fill the file');
  return {
    table: tableView,
    blockStarts,
    segment: {
      number: view.getUint32(12, true),
      firstSeq: as<Seq>(getU64(view, 16)),
      lastSeq: as<Seq>(getU64(view, 24)),
      size,
      previousHash: header.slice(48, 48 + hashSize),
      lastHash: header.slice(48 + hashSize, 48 + 2 * hashSize),
    },
  };
}

async function readBlock(file: OpenFile, name: string, layout: SealedLayout, index: number): Promise<Uint8Array> {
  const start = layout.blockStarts[index] as number;
  const compressed = new Uint8Array((layout.blockStarts[index + 1] as number) - start);
  if ((await file.read(compressed, start)) < compressed.length)
    throw new JournalDamaged(name, start, 'block is cut short');
  if (crc32c(compressed) !== layout.table.getUint32(index * tableEntrySize + 4, true)) {
    throw new JournalDamaged(name, start, 'block does not match its checksum');
  }
  const bytes = await inflated(compressed).catch((cause: unknown) => {
    throw new JournalDamaged(name, start, `block cannot be unpacked: ${String(cause)}`);
  });
  if (bytes.length !== Math.min(blockSize, layout.segment.size - index * blockSize)) {
    throw new JournalDamaged(name, start, 'block has another size than the header says');
  }
  return bytes;
}

/**
 * Reads the header of a compressed segment.
 * @throws JournalDamaged if header or table are damaged.
 */
export const readSealedSegment = (files: FileOperations, path: string): Promise<SealedSegment> =>
  withFile(files, path, 'read', async (file) => (await readLayout(file, path)).segment);

/** The content of a compressed segment; the next block is decompressed while one is being read. */
export async function openSealedSegment(files: FileOperations, path: string): Promise<SegmentSource> {
  const file = await files.open(path, 'read');
  const layout = await readLayout(file, path).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  const blockCount = layout.blockStarts.length - 1;
  let ahead: { readonly index: number; readonly bytes: Promise<Uint8Array> } | null = null;
  let current: { readonly index: number; readonly bytes: Uint8Array } | null = null;

  const block = async (index: number): Promise<Uint8Array> => {
    if (current?.index === index) return current.bytes;
    const bytes = await (ahead?.index === index ? ahead.bytes : readBlock(file, path, layout, index));
    current = { index, bytes };
    if (index + 1 < blockCount) {
      const next = readBlock(file, path, layout, index + 1);
      // The error is thrown when that block is read; this handler only prevents an unhandled rejection.
      next.catch(() => undefined);
      ahead = { index: index + 1, bytes: next };
    } else ahead = null;
    return bytes;
  };

  return {
    file: path,
    size: layout.segment.size,
    read: async (into, position) => {
      const count = Math.min(into.length, Math.max(0, layout.segment.size - position));
      for (let done = 0; done < count; ) {
        const at = position + done;
        const bytes = await block(Math.floor(at / blockSize));
        const part = bytes.subarray(at % blockSize, Math.min(bytes.length, (at % blockSize) + count - done));
        into.set(part, done);
        done += part.length;
      }
      return count;
    },
    close: async () => {
      await ahead?.bytes.catch(() => undefined);
      await file.close();
    },
  };
}

/** A full segment to compress: source, target, and the pause after each portion. */
export interface CompressionTask {
  readonly segment: SealedSegment;
  readonly from: string;
  readonly to: string;
  readonly pauseMs: number;
}

/** Compresses a segment, on this or another thread; answers false if the signal stopped it. */
export type CompressSegment = (task: CompressionTask, signal: AbortSignal) => Promise<boolean>;

/**
 * Compresses on this thread: writes the compressed form of a segment, syncs it, reads it back and compares.
 * @throws JournalDamaged when what was read back differs.
 */
export const compressHere =
  (files: FileOperations): CompressSegment =>
  (task, signal) =>
    withFile(files, task.from, 'read', (raw) => compressFrom(files, raw, task, signal));

async function compressFrom(
  files: FileOperations,
  raw: OpenFile,
  { segment, to: path, pauseMs }: CompressionTask,
  signal: AbortSignal,
): Promise<boolean> {
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs));
  const blockCount = Math.ceil(segment.size / blockSize);
  const block = new Uint8Array(Math.min(blockSize, segment.size));
  const rawBlock = async (index: number): Promise<Uint8Array> => {
    const bytes = block.subarray(0, Math.min(blockSize, segment.size - index * blockSize));
    const count = await raw.read(bytes, index * blockSize);
    assert(count === bytes.length, 'a sealed segment has the size that was written');
    return bytes;
  };
  return withFile(files, path, 'create', async (file) => {
    const table = new Uint8Array(blockCount * tableEntrySize);
    const view = new DataView(table.buffer);
    let end = headerSize + table.length;
    for (let index = 0; index < blockCount; index += 1) {
      if (index > 0) await pause();
      if (signal.aborted) return false;
      const compressed = await deflated(await rawBlock(index));
      view.setUint32(index * tableEntrySize, compressed.length, true);
      view.setUint32(index * tableEntrySize + 4, crc32c(compressed), true);
      await file.write(compressed, end);
      await file.sync();
      end += compressed.length;
    }
    await file.write(table, headerSize);
    await file.write(sealedHeader(segment, end, table), 0);
    await file.sync();
    const layout = await readLayout(file, path);
    for (let index = 0; index < blockCount; index += 1) {
      if (index > 0) await pause();
      if (signal.aborted) return false;
      if (!bytesEqual(await readBlock(file, path, layout, index), await rawBlock(index))) {
        throw new JournalDamaged(path, layout.blockStarts[index] as number, 'block differs from what was compressed');
      }
    }
    return true;
  });
}
