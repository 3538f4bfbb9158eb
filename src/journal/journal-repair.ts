import { chunksOf, writeWhole } from '#journal/file-copy.ts';
import type { FileOperations, OpenFile } from '#journal/file-operations.ts';
import { withFile } from '#journal/file-operations.ts';
import type { JournalSurvey } from '#journal/journal-survey.ts';
import { openSealedSegment } from '#journal/sealed-segment.ts';
import { compressedPath, segmentPath } from '#journal/segment-directory.ts';
import { isZero, segmentHeaderSize } from '#journal/segment-format.ts';

const chunkSize = 1024 * 1024;

/** Overwrites the file from `from` to its end with zeros where needed, and syncs it. */
export async function zeroFrom(file: OpenFile, from: number): Promise<void> {
  const size = await file.size();
  const chunk = new Uint8Array(chunkSize);
  for (let at = from; at < size; at += chunkSize) {
    const count = await file.read(chunk.subarray(0, Math.min(chunkSize, size - at)), at);
    if (isZero(chunk, 0, count)) continue;
    await file.writeThrough(new Uint8Array(count), at);
  }
}

/**
 * Brings the directory to the state that the survey describes: overwrites torn tails with zeros and deletes incomplete
 * files of a crash. Idempotent: it may be repeated, also after a crash halfway.
 */
export async function repairJournal(
  files: FileOperations,
  directory: string,
  survey: JournalSurvey,
  notice: (message: string) => void,
): Promise<void> {
  for (const { file: path, from, what } of survey.tornTails) {
    notice(`${path}: an unfinished write at byte ${from} is dropped (${what}); it was never acknowledged`);
    await withFile(files, path, 'durable', (file) => zeroFrom(file, from));
  }
  for (const path of survey.listing.leftovers) await files.unlink(path);
  if (survey.listing.leftovers.length > 0) await files.syncDirectory(directory);
}

/**
 * Makes the last segment that holds a batch the active one again, where a next one was begun or it was sealed. Answers
 * whether anything was changed: then the survey is out of date. A crash between any two steps is harmless.
 */
export async function reopenLastSegment(
  files: FileOperations,
  directory: string,
  { sealed, active }: JournalSurvey,
): Promise<boolean> {
  const last = sealed.at(-1);
  const isBehind = active !== null && active.offset > segmentHeaderSize;
  if (last === undefined || isBehind) return false;
  const path = segmentPath(directory, last.number);
  if (!last.isRaw) {
    const source = await openSealedSegment(files, compressedPath(directory, last.number));
    try {
      await writeWhole(files, path, async (put) => {
        for await (const chunk of chunksOf(source, last.size)) await put(chunk);
      });
    } finally {
      await source.close();
    }
    await files.syncDirectory(directory);
  }
  // A segment without a header counts as made ahead of time.
  if (active !== null)
    await withFile(files, segmentPath(directory, active.start.number), 'durable', (file) =>
      file.writeThrough(new Uint8Array(segmentHeaderSize), 0),
    );
  if (!last.isRaw) {
    await files.unlink(compressedPath(directory, last.number));
    await files.syncDirectory(directory);
  }
  return true;
}
