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
 * Locks the data directory for this process; creates it, readable for its owner only, if it is missing. The kernel
 * holds the lock on the open file `lock`, through an SQLite transaction that never commits: a crash releases it, and no
 * stale lock file has to be cleaned up.
 * @throws DataDirectoryInUse when another process holds it.
 */
export function lockDataDirectory(directory: string): DataLock {
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  syncDirectoryAbove(directory);
  const path = `${directory}/lock`;
  // Before the database opens it: closing any descriptor of the file later would drop the lock.
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

/** Syncs the parent directory, so that a new data directory survives a loss of power. */
function syncDirectoryAbove(directory: string): void {
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(dirname(resolve(directory)), fs.constants.O_RDONLY);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
