import { as } from '#model/units.ts';
import type { EncodedBatch, HashedBatch } from '#journal/encoded-batch.ts';
import { FileJournal } from '#journal/file-journal.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { surveyJournal } from '#journal/journal-survey.ts';
import { moveTailAside } from '#journal/journal-tail.ts';
import { openSegment } from '#journal/segment-directory.ts';
import { hashOf } from '#journal/segment-format.ts';
import type { MemoryDisk } from '../ports/memory-file-operations.ts';
import { batchFrom, journalDirectory, smallSegment, snapshotDirectory } from './journal-script.ts';

/** The origin of every journal that `openReplica` begins. */
export const clusterOrigin = new Uint8Array(32).fill(7);

/** Opens the journal of a node in a cluster. */
export const openReplica = (files: FileOperations, segmentSize: number = smallSegment): Promise<FileJournal> =>
  FileJournal.open({
    files,
    directory: journalDirectory,
    segmentSize,
    notice: () => undefined,
    origin: clusterOrigin,
    isFollowing: true,
  });

/** A batch as the log keeps it: bytes of its own. */
export const shipped = ({ segment, first, last, bytes }: EncodedBatch): EncodedBatch => ({
  segment,
  first,
  last,
  bytes: bytes.slice(),
});

/** Encodes the next `count` entries that every run has there. */
export const encodeNext = (journal: FileJournal, count: number): HashedBatch =>
  journal.encode(journal.last(), batchFrom(journal.last() + 1, count));

/** Encodes and writes the next `count` entries; answers the batch as the log keeps it. */
export async function lead(journal: FileJournal, count: number): Promise<EncodedBatch> {
  const encoded = encodeNext(journal, count);
  const copy = shipped(encoded);
  await journal.write(encoded);
  return copy;
}

/** Size and hash of the bytes in use of every begun segment of a closed journal, by number, whatever form it is in. */
export async function usedBytes(files: FileOperations): Promise<ReadonlyMap<number, string>> {
  const { sealed, active, tornTails } = await surveyJournal(files, journalDirectory);
  if (tornTails.length > 0) throw new Error('a closed journal has no torn tail');
  const segments = sealed.map(({ number, size, isRaw }) => ({ number, size, isRaw }));
  if (active !== null) segments.push({ number: active.start.number, size: active.offset, isRaw: true });
  const used = new Map<number, string>();
  for (const { number, size, isRaw } of segments) {
    const source = await openSegment(files, journalDirectory, number, isRaw);
    const bytes = Buffer.alloc(size);
    await source.read(bytes, 0);
    await source.close();
    used.set(number, `${size} bytes, ${Buffer.from(hashOf(bytes)).toString('hex')}`);
  }
  return used;
}

/** Numbers of the segments that are more than zeros. */
export async function begunSegments(disk: MemoryDisk): Promise<readonly number[]> {
  const begun = disk.paths().filter((path) => /\d{10}\.journal(\.z)?$/.test(path) && disk.content(path)[0] !== 0);
  return [...new Set(begun.map((path) => Number(/(\d{10})\.journal/.exec(path)?.[1])))].sort((one, two) => one - two);
}

/** Moves the entries from `from` on aside. */
export const moveTail = (disk: MemoryDisk, from: number): Promise<void> =>
  moveTailAside({
    files: disk,
    journal: journalDirectory,
    snapshots: snapshotDirectory,
    into: `data/cut/${from}`,
    from: as(from),
    note: { name: 'note.txt', text: 'a test' },
  });
