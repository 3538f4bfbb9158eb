import type { FileOperations, OpenFile } from '#journal/file-operations.ts';
import { withFile } from '#journal/file-operations.ts';
import type { JournalSurvey } from '#journal/journal-survey.ts';
import { isZero } from '#journal/segment-format.ts';

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
