import { crc32c } from '#base/checksum.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { SegmentSource } from '#journal/batch-reader.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { withFile } from '#journal/file-operations.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { openSealedSegment } from '#journal/sealed-segment.ts';
import type { SegmentStart } from '#journal/segment-format.ts';
import { getU64, hashSize, putU64 } from '#journal/segment-format.ts';

// Names in the journal's directory: `0000000001.journal` a segment, `0000000001.journal.z` the same compressed,
// `retained` the start of the journal after retention deleted segments, `*.tmp` an incomplete file.

const segmentPattern = /^(\d{10})\.journal(\.z)?$/;
const temporarySuffix = '.tmp';
const retainedName = 'retained';

/** Path of a segment as it is written. */
export const segmentPath = (directory: string, number: number): string =>
  `${directory}/${String(number).padStart(10, '0')}.journal`;
/** Path of a sealed segment once it is compressed. */
export const compressedPath = (directory: string, number: number): string => `${segmentPath(directory, number)}.z`;
/** Path of the start of the journal after segments were deleted. */
export const retainedPath = (directory: string): string => `${directory}/${retainedName}`;
/** Path of a file until it is whole. */
export const temporaryPath = (path: string): string => `${path}${temporarySuffix}`;

/** Numbers of the segments with these file names, ascending. */
export const segmentNumbers = (names: readonly string[]): readonly number[] => {
  const numbers = names.flatMap((name) => segmentPattern.exec(name)?.[1] ?? []).map(Number);
  return [...new Set(numbers)].sort((left, right) => left - right);
};

/** Segment files of a directory by number. */
export interface DirectoryListing {
  /** Numbers of the segments, ascending without gaps; each exists raw, compressed, or both. */
  readonly numbers: readonly number[];
  readonly raw: ReadonlySet<number>;
  readonly compressed: ReadonlySet<number>;
  /** Start of the journal; `null`: no segment was ever deleted. */
  readonly retained: SegmentStart | null;
  /** Paths of useless files that a crash left behind. */
  readonly leftovers: readonly string[];
}

/**
 * What the directory holds.
 * @throws JournalDamaged when a segment is missing.
 */
export async function listSegments(files: FileOperations, directory: string): Promise<DirectoryListing> {
  const raw = new Set<number>();
  const compressed = new Set<number>();
  const leftovers: string[] = [];
  const names = await files.list(directory);
  for (const name of names) {
    const match = segmentPattern.exec(name);
    if (name.endsWith(temporarySuffix)) leftovers.push(`${directory}/${name}`);
    else if (match !== null) (match[2] === undefined ? raw : compressed).add(Number(match[1]));
  }
  const retained = names.includes(retainedName) ? await readRetained(files, directory) : null;
  const first = retained?.number ?? 1;
  const numbers = [...new Set([...raw, ...compressed])].sort((left, right) => left - right);
  for (const number of numbers) {
    // If both forms exist, the raw one is used: it is deleted only after the compressed one was verified.
    if (compressed.has(number) && (raw.has(number) || number < first))
      leftovers.push(compressedPath(directory, number));
    if (raw.has(number) && number < first) leftovers.push(segmentPath(directory, number));
  }
  const kept = numbers.filter((number) => number >= first);
  kept.forEach((number, index) => {
    if (number !== first + index)
      throw new JournalDamaged(segmentPath(directory, first + index), 0, 'segment is missing');
  });
  if (kept.length === 0 && retained !== null)
    throw new JournalDamaged(segmentPath(directory, first), 0, 'segment is missing');
  return { numbers: kept, raw, compressed, retained, leftovers };
}

/** The bytes of a segment that is stored as they were written; `limit` ends it earlier than the file does. */
export async function openRawSegment(
  files: FileOperations,
  path: string,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<SegmentSource> {
  const file = await files.open(path, 'read');
  const size = Math.min(
    limit,
    await file.size().catch(async (error: unknown) => {
      await file.close();
      throw error;
    }),
  );
  return { file: path, size, read: (into, position) => file.read(into, position), close: () => file.close() };
}

/** Opens the segment in its listed form. */
export const openSegment = (
  files: FileOperations,
  directory: string,
  number: number,
  isRaw: boolean,
): Promise<SegmentSource> =>
  isRaw
    ? openRawSegment(files, segmentPath(directory, number))
    : openSealedSegment(files, compressedPath(directory, number));

const retainedSize = 64;
const retainedCrcAt = 60;

async function readRetained(files: FileOperations, directory: string): Promise<SegmentStart> {
  const path = retainedPath(directory);
  const bytes = new Uint8Array(retainedSize);
  const count = await withFile(files, path, 'read', (file) => file.read(bytes, 0));
  const view = new DataView(bytes.buffer);
  if (count < retainedSize || view.getUint32(retainedCrcAt, true) !== crc32c(bytes, 0, retainedCrcAt)) {
    throw new JournalDamaged(path, 0, 'does not match its checksum');
  }
  return { number: getU64(view, 0), firstSeq: as<Seq>(getU64(view, 8)), previousHash: bytes.slice(16, 16 + hashSize) };
}

/** Durably sets the start of the journal. Segments before it may be deleted afterwards. */
export async function writeRetained(files: FileOperations, directory: string, start: SegmentStart): Promise<void> {
  const bytes = new Uint8Array(retainedSize);
  const view = new DataView(bytes.buffer);
  putU64(view, 0, start.number);
  putU64(view, 8, start.firstSeq);
  bytes.set(start.previousHash, 16);
  view.setUint32(retainedCrcAt, crc32c(bytes, 0, retainedCrcAt), true);
  const path = retainedPath(directory);
  await withFile(files, temporaryPath(path), 'create', async (file) => {
    await file.write(bytes, 0);
    await file.sync();
  });
  await files.rename(temporaryPath(path), path);
  await files.syncDirectory(directory);
}

const portion = new Uint8Array(64 * 1024);

/**
 * Preallocates a segment of zeros, so that appending does not have to allocate disk space. It is written in small
 * portions with a pause between them, so that a concurrent commit waits for one portion at most.
 */
export async function prepareSegment(
  files: FileOperations,
  directory: string,
  number: number,
  size: number,
  pause: () => Promise<void>,
): Promise<void> {
  const path = segmentPath(directory, number);
  await withFile(files, temporaryPath(path), 'create', async (file) => {
    for (let at = 0; at < size; at += portion.length) {
      if (at > 0) await pause();
      await file.write(portion.subarray(0, Math.min(portion.length, size - at)), at);
      await file.sync();
    }
  });
  await files.rename(temporaryPath(path), path);
  await files.syncDirectory(directory);
}
