import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { BatchReader, searchBatch, type SegmentSource } from '#journal/batch-reader.ts';
import type { HeldFiles } from '#journal/held-files.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { JournalDamaged } from '#journal/journal.ts';
import {
  compressedPath,
  openRawSegment,
  retainedPath,
  segmentNumbers,
  segmentPath,
} from '#journal/segment-directory.ts';
import { parseSegmentHeader, type SegmentStart, segmentHeaderSize } from '#journal/segment-format.ts';

const attempts = 20;
const noStart: SegmentStart = { number: 0, firstSeq: as<Seq>(0), previousHash: new Uint8Array(0) };

/**
 * Holds the segments of a journal that another process may be writing to, compressing and deleting. What is held then
 * stays as it is, but for the segment that is being written.
 */
export async function holdSegments(files: FileOperations, held: HeldFiles, directory: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    // First the start of the journal: it moves before segments are deleted.
    await held.keep(retainedPath(directory));
    const missing = await holdAfter(files, held, directory, 0);
    if (missing === null) return;
    for (const path of await heldSegments(held, directory)) await held.drop(path);
    if (attempt === attempts) throw missing;
  }
}

/**
 * Holds the segments that were begun since, and ends the journal behind its last whole batch: everything that was
 * acknowledged before the call is in it, and is on the disk.
 * @throws JournalDamaged if that batch is followed by another one somewhere, or a segment was deleted meanwhile.
 */
export async function endJournal(files: FileOperations, held: HeldFiles, directory: string): Promise<void> {
  const numbers = segmentNumbers(await held.list(directory));
  const missing = await holdAfter(files, held, directory, numbers.at(-1) ?? 0);
  if (missing !== null) throw missing;
  for (const number of segmentNumbers(await held.list(directory)).toReversed()) {
    const path = segmentPath(directory, number);
    // A compressed segment is full.
    if (!held.paths().includes(path)) return;
    await held.refresh(path);
    if (await endSegment(held, path)) return;
    await held.drop(path);
  }
}

/** Holds each segment after `last` in one of its forms. Answers the error of one that has none any more. */
async function holdAfter(
  files: FileOperations,
  held: HeldFiles,
  directory: string,
  last: number,
): Promise<JournalDamaged | null> {
  for (const number of segmentNumbers(await files.list(directory))) {
    if (number <= last) continue;
    const path = segmentPath(directory, number);
    // The raw form is deleted once the other one was verified.
    if ((await held.keep(path)) || (await held.keep(compressedPath(directory, number)))) continue;
    return new JournalDamaged(path, 0, 'the segment was deleted while it was to be copied');
  }
  return null;
}

const heldSegments = async (held: HeldFiles, directory: string): Promise<readonly string[]> =>
  (await held.list(directory)).map((name) => `${directory}/${name}`);

/** Ends a segment behind its last batch and syncs it. Answers false if nothing was written to it yet. */
async function endSegment(held: HeldFiles, path: string): Promise<boolean> {
  const source = await openRawSegment(held, path);
  const start = await startOf(source);
  if (start === null) return false;
  const end = await endOfBatches(source, start);
  const { found } = await searchBatch(source, start, end);
  // The writer went on meanwhile: then what stands at the end is whole by now. Else it is damaged.
  if (found !== -1 && (await endOfBatches(source, start)) <= end)
    throw new JournalDamaged(path, end, `no batch, and a whole batch stands at byte ${found}`);
  await held.sync(path);
  held.limit(path, end);
  return true;
}

/** What the header of a segment says; `null` before it is written. */
async function startOf(source: SegmentSource): Promise<SegmentStart | null> {
  const before = await readStart(source);
  if (typeof before !== 'string') return before;
  const { rest } = await searchBatch(source, noStart, segmentHeaderSize);
  if (rest === 'zeros') return null;
  // It was written meanwhile, or batches stand behind a damaged one.
  const after = await readStart(source);
  if (typeof after === 'string') throw new JournalDamaged(source.file, 0, `${after}, and the segment is not empty`);
  return after;
}

async function readStart(source: SegmentSource): Promise<SegmentStart | string> {
  const head = new Uint8Array(segmentHeaderSize);
  return parseSegmentHeader(head.subarray(0, await source.read(head, 0)));
}

async function endOfBatches(source: SegmentSource, start: SegmentStart): Promise<number> {
  const batches = new BatchReader(source, start);
  for (;;) {
    const next = batches.buffered() ?? (await batches.next());
    if (next.kind !== 'batch') return batches.offset;
  }
}
