import { closeSync, fsyncSync, openSync } from 'node:fs';
import Database from 'libsql';
import { isSqliteDamage, openTimeoutMs } from '#history/sqlite/sqlite-connection.ts';

/** The history that was to be copied is damaged. */
export class HistoryNotCopied extends Error {
  override name = 'HistoryNotCopied';
}

/**
 * Writes a history of one moment into a new file, while another process may write to the original: that one is not
 * stopped, but its WAL grows meanwhile. The copy is on the disk then.
 * @throws HistoryNotCopied where the original is damaged.
 */
export function copyHistory(from: string, to: string): void {
  // An empty file is taken as a new database; it decides who may read it.
  closeSync(openSync(to, 'wx', 0o600));
  const database = new Database(from, { timeout: openTimeoutMs });
  try {
    database.prepare('VACUUM INTO ?').run([to]);
  } catch (error) {
    if (!isSqliteDamage(error)) throw error;
    throw new HistoryNotCopied(`${from} is damaged: ${(error as Error).message}`, { cause: error });
  } finally {
    database.close();
  }
  const file = openSync(to, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
