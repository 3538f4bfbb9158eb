import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'libsql';
import { errorCode } from '#journal/file-operations.ts';

/** Another running process owns the data directory. */
export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse';
}

/** The right to write to a data directory; it ends with `release` or with the process, however that ends. */
export interface DataLock {
  release(): void;
}

/**
 * Takes the data directory for this process, making it (for its owner only) where it is missing. The lock is one that
 * the kernel keeps on the open file `lock`, by way of an SQLite transaction that never commits: no file has to be
 * cleaned up after a crash, and a stale one cannot keep anybody out.
 * @throws DataDirectoryInUse when another process holds it.
 */
export function lockDataDirectory(directory: string): DataLock {
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  syncDirectoryAbove(directory);
  const path = `${directory}/lock`;
  // Before the database opens it: closing any descriptor of the file would drop the lock.
  fs.closeSync(fs.openSync(path, 'a', 0o600));
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (errorCode(error) !== 'SQLITE_BUSY') throw error;
    throw new DataDirectoryInUse(`the data directory ${directory} is in use by another running process`, {
      cause: error,
    });
  }
  return { release: () => database.close() };
}

/** A new data directory is a new name in the one above it, which a loss of power must not take back. */
function syncDirectoryAbove(directory: string): void {
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(dirname(resolve(directory)), fs.constants.O_RDONLY);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
