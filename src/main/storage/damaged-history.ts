import fs from 'node:fs';
import { type Clock, isoTime } from '#base/clock.ts';
import { HistoryDamaged } from '#history/history-store.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';

/** The history database is damaged, and the journal no longer contains the entries to rebuild it. */
export class HistoryLost extends Error {
  override name = 'HistoryLost';
}

const databaseSuffixes = ['', '-wal', '-shm'] as const;
/** Marker file: damage was found while running; the next start might not notice it by itself. */
const notePath = (history: string): string => `${history}.found-damaged`;

/** The error that reports damage, among an error and its causes; `null`: none. */
export function damageOf(error: unknown): HistoryDamaged | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof HistoryDamaged) return cause;
  return null;
}

/** Has the next start rebuild history. */
export function noteDamage(history: string): void {
  fs.writeFileSync(notePath(history), '', { mode: 0o600 });
}

/** Whether an earlier run found damage. */
export const isDamageNoted = (history: string): boolean => fs.existsSync(notePath(history));

/** Call it when history was rebuilt. */
export const forgetDamage = (history: string): void => fs.rmSync(notePath(history), { force: true });

/**
 * Moves a damaged history aside, so that the replay of a start rebuilds it. It must not be open.
 * @throws HistoryLost if the beginning of the journal was deleted; then nothing is changed.
 */
export async function setHistoryAside(
  { history, journal }: Pick<DataDirectory, 'history' | 'journal'>,
  why: string,
  {
    files,
    wall,
    tell,
  }: { readonly files: FileOperations; readonly wall: Clock; readonly tell: (text: string) => void },
): Promise<void> {
  const first = (await openJournalReader(files, journal)).first();
  if (first > 1) {
    throw new HistoryLost(
      `${history} is damaged (${why}), and the journal begins at entry ${first}: what came before cannot be told ` +
        'again. Put back history.db from a backup; a sandbox may also begin in a new directory',
    );
  }
  const aside = `${history}.damaged-${isoTime(wall.now()).replaceAll(':', '-')}`;
  for (const suffix of databaseSuffixes) {
    if (fs.existsSync(history + suffix)) fs.renameSync(history + suffix, aside + suffix);
  }
  forgetDamage(history);
  tell(`${history} is damaged (${why}). It was moved to ${aside}, and history is made anew from the journal.`);
}
