import { existsSync, rmSync } from 'node:fs';
import type { Seq } from '#domain/units.ts';
import { SqliteHistoryStore } from '#history/sqlite-history-store.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import type { CutOptions } from '#main/broken-tail.ts';

/**
 * Makes history tell of nothing from `from` on, where the journal ends now: an older build, or one that a replay broke,
 * may have written some of it. Where the journal reaches back to its beginning history is removed, so that the next
 * start writes it anew.
 */
export async function putHistoryRight({ files, directory, tell }: CutOptions, from: Seq): Promise<void> {
  if (!existsSync(directory.history)) return;
  const store = new SqliteHistoryStore(directory.history);
  const watermark = await store.watermark();
  await store.close();
  if (watermark < from) return;
  const reader = await openJournalReader(files, directory.journal);
  if (reader.first() === 1) {
    removeHistory(directory.history);
    tell(`history.db told of entries up to ${watermark}: the next start writes it anew from the journal.`);
    return;
  }
}

/** The database first: what is left of it without that is nothing. */
export function removeHistory(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
