import { dirname } from 'node:path';
import { assert } from '#base/assert.ts';
import { isoTime } from '#base/clock.ts';
import { accountOfCommand, clientOrderIdsOf } from '#model/command-subject.ts';
import type { Entry } from '#model/command.ts';
import type { Seq } from '#model/units.ts';
import { BatchReader } from '#journal/batch-reader.ts';
import { chunksOf, copyWhole, writeWhole } from '#journal/file-copy.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { snapshotName, FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { readSegments } from '#journal/journal-reader.ts';
import { begunSegments, type BegunSegment, surveyJournal } from '#journal/journal-survey.ts';
import { compressedPath, type DirectoryListing, openSegment, segmentPath } from '#journal/segment-directory.ts';
import { leadingBatch } from '#journal/segment-format.ts';

// Moves the tail of a journal aside, beginning with the entry that broke the engine, so that the exchange can continue.
// The order of the steps makes a crash between any two harmless: the journal stays readable, and repeating all steps
// completes the move. 1. Copy everything; the list of entries is written last and marks the copies as complete. 2.
// Delete snapshots of the tail. 3. Delete the segments after that of the entry, last first. 4. Replace the segment of
// the entry by one that ends before the entry.

/** File with the entries of a moved tail, one JSON object per line. If it exists, the copies are complete. */
export const tailListName = 'entries.jsonl';

/** Where a journal is to end. */
export interface TailCut {
  readonly files: FileOperations;
  /** Directory of the journal; nobody else may have it open. */
  readonly journal: string;
  /** First entry of the tail. */
  readonly from: Seq;
}

/** What to move, and where to. */
export interface TailMove extends TailCut {
  /** Directory of the snapshots; those that contain entries of the tail are deleted. */
  readonly snapshots: string;
  /** Directory for the tail, used for this tail only. */
  readonly into: string;
  /** A text file that is stored with the tail. */
  readonly note: { readonly name: string; readonly text: string };
}

/**
 * Moves the tail aside: afterwards the journal ends before `from`. No effect if it already ends there.
 * @throws JournalDamaged when the journal is not as it was written: then nothing was changed.
 */
export async function moveTailAside(move: TailMove): Promise<void> {
  const tail = await tailOf(move);
  if (tail === null) return;
  await makeLastingDirectory(move.files, move.into);
  if (!(await move.files.list(move.into)).includes(tailListName)) await copyTail(move, tail.segments);
  await dropSnapshots(move);
  await endBefore(move, tail);
}

/** As `moveTailAside`, and keeps nothing: for entries that other nodes have. */
export async function dropTail(cut: TailCut): Promise<void> {
  const tail = await tailOf(cut);
  if (tail !== null) await endBefore(cut, tail);
}

interface Tail {
  readonly listing: DirectoryListing;
  /** Those that hold entries of it, at least one. */
  readonly segments: readonly BegunSegment[];
}

async function tailOf({ files, journal, from }: TailCut): Promise<Tail | null> {
  const survey = await surveyJournal(files, journal);
  const segments = begunSegments(survey).filter(({ lastSeq }) => lastSeq >= from);
  const [first] = segments;
  if (first === undefined) return null;
  assert(first.firstSeq <= from, 'a tail begins at an entry that the journal keeps');
  return { listing: survey.listing, segments };
}

async function endBefore(cut: TailCut, { listing, segments }: Tail): Promise<void> {
  const { files, journal } = cut;
  const first = segments[0] as BegunSegment;
  for (const number of [...listing.numbers].reverse()) {
    if (number <= first.number) break;
    if (listing.raw.has(number)) await files.unlink(segmentPath(journal, number));
    if (listing.compressed.has(number)) await files.unlink(compressedPath(journal, number));
    await files.syncDirectory(journal);
  }
  await endSegment(cut, first);
  if (listing.compressed.has(first.number)) {
    await files.unlink(compressedPath(journal, first.number));
    await files.syncDirectory(journal);
  }
}

/** Syncs the parents too: a directory created just before a crash may exist without being durable. */
async function makeLastingDirectory(files: FileOperations, directory: string): Promise<void> {
  await files.makeDirectory(directory);
  const above = dirname(directory);
  await files.syncDirectory(above);
  await files.syncDirectory(dirname(above));
}

async function copyTail(move: TailMove, tail: readonly BegunSegment[]): Promise<void> {
  const { files, journal, snapshots, into, from, note } = move;
  const copy = (directory: string, name: string): Promise<void> =>
    copyWhole(files, `${directory}/${name}`, `${into}/${name}`);
  await writeWhole(files, `${into}/${note.name}`, (put) => put(Buffer.from(note.text)));
  for (const { number, isRaw } of tail) {
    const path = isRaw ? segmentPath(journal, number) : compressedPath(journal, number);
    await copy(journal, path.slice(journal.length + 1));
  }
  for (const at of await snapshotsOf(move)) await copy(snapshots, snapshotName(at));
  await files.syncDirectory(into);
  const last = tail.at(-1) as BegunSegment;
  await writeWhole(files, `${into}/${tailListName}`, async (put) => {
    for await (const entries of readSegments(files, journal, tail, from, last.lastSeq)) {
      await put(Buffer.from(entries.map((entry) => `${JSON.stringify(lineOf(entry))}\n`).join('')));
    }
  });
  await files.syncDirectory(into);
}

/** What an operator needs to inform the owner of a command; no secrets. */
const lineOf = ({ seq, epoch, at, command }: Entry): object => ({
  seq,
  epoch,
  time: isoTime(at),
  kind: command.kind,
  account: accountOfCommand(command),
  clientOrderIds: clientOrderIdsOf(command),
});

/** Snapshots that hold entries of the tail, newest first. */
async function snapshotsOf({ files, snapshots, from }: TailMove): Promise<readonly Seq[]> {
  const store = new FileSnapshotStore({ files, directory: snapshots, notice: () => undefined });
  return (await store.positions()).filter((at) => at >= from);
}

async function dropSnapshots(move: TailMove): Promise<void> {
  const positions = await snapshotsOf(move);
  for (const at of positions) await move.files.unlink(`${move.snapshots}/${snapshotName(at)}`);
  if (positions.length > 0) await move.files.syncDirectory(move.snapshots);
}

/** Truncates the segment that contains entry `from` to the entries before it; a compressed one becomes raw. */
async function endSegment({ files, journal, from }: TailCut, segment: BegunSegment): Promise<void> {
  const source = await openSegment(files, journal, segment.number, segment.isRaw);
  try {
    const batches = new BatchReader(source, segment);
    let batch = await batches.next();
    while (batch.kind === 'batch' && batches.nextSeq <= from) batch = await batches.next();
    if (batch.kind !== 'batch') throw new JournalDamaged(source.file, batches.offset, `ends before entry ${from}`);
    const { header, offset, bytes, view, start } = batch;
    const kept = from - header.firstSeq;
    const rest = kept === 0 ? null : leadingBatch(bytes, view, start, kept);
    await writeWhole(files, segmentPath(journal, segment.number), async (put) => {
      for await (const chunk of chunksOf(source, offset)) await put(chunk);
      if (rest !== null) await put(rest);
    });
  } finally {
    await source.close();
  }
  await files.syncDirectory(journal);
}
