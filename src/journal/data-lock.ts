import fs from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { errorCode } from '#journal/file-operations.ts';
import { makeDirectories, removeEmptyDirectories, syncParent } from '#journal/make-directories.ts';

/** Another running process owns the data directory. */
export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse';
}

/** The file system of a directory does not lock files; `code` is the system's for it. */
export class FileLocksUnsupported extends Error {
  override name = 'FileLocksUnsupported';
  readonly code = 'ENOLCK';
}

/** The right to write to a data directory; it ends with `release` or with the process, however that ends. */
export interface DataLock {
  release(): void;
  /** Releases it as well, and removes the lock file and those directories that were made for it and are empty. */
  undo(): void;
}

/** Names in a data directory that belong to its lock: the second is there only while it is held. */
export const lockNames: ReadonlySet<string> = new Set(['lock', 'lock-journal']);

/**
 * Locks the data directory for this process; creates it, readable for its owner only, if it is missing. The kernel
 * holds the lock on the open file `lock`, through an SQLite transaction that never commits: a crash releases it, and no
 * stale lock file has to be cleaned up. Nothing that it made is left if it fails.
 * @throws DataDirectoryInUse when another process holds it, FileLocksUnsupported, a system or SQLite error.
 */
export function lockDataDirectory(directory: string): DataLock {
  const made = makeDirectories(directory);
  const path = join(directory, 'lock');
  let isNewFile = false;
  const remove = (): void => {
    if (isNewFile) for (const name of lockNames) fs.rmSync(join(directory, name), { force: true });
    removeEmptyDirectories(made);
  };
  try {
    if (made.length === 0) syncParent(directory);
    // Before the database opens it: closing any descriptor of the file later would drop the lock.
    const file = touch(path);
    isNewFile = file.isNew;
    const database = lockFile(path, directory);
    if (!isStill(path, file.id)) {
      database.close();
      throw inUse(directory, undefined);
    }
    return {
      release: () => database.close(),
      // Removed while it is held: whoever opened the file before gets the lock too late, and sees that it is gone.
      undo: () => {
        try {
          remove();
        } finally {
          database.close();
        }
      },
    };
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) remove();
    throw error;
  }
}

const inUse = (directory: string, cause: unknown): DataDirectoryInUse =>
  new DataDirectoryInUse(
    `the data directory ${directory} is in use by another running process: stop that one, or name another directory ` +
      'with --data',
    { cause },
  );

interface FoundFile {
  readonly id: bigint;
  readonly isNew: boolean;
}

/** Makes the file unless it is there. */
function touch(path: string): FoundFile {
  let isNew = true;
  let descriptor: number;
  try {
    descriptor = fs.openSync(path, 'ax', 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    isNew = false;
    descriptor = fs.openSync(path, 'a', 0o600);
  }
  try {
    return { id: fs.fstatSync(descriptor, { bigint: true }).ino, isNew };
  } finally {
    fs.closeSync(descriptor);
  }
}

const isStill = (path: string, id: bigint): boolean =>
  fs.statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === id;

/** Answers the database that holds the lock until it is closed. */
function lockFile(path: string, directory: string): Database.Database {
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (errorCode(error) !== 'SQLITE_BUSY') throw error;
    if (canLock(directory)) throw inUse(directory, error);
    throw new FileLocksUnsupported('it does not lock files', { cause: error });
  }
}

/** Whether a file that nobody else knows can be locked: SQLite reports a system without locks as busy. */
function canLock(directory: string): boolean {
  const path = join(directory, `lock-probe-${process.pid}`);
  let database: Database.Database | null = null;
  try {
    database = new Database(path, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    return errorCode(error) !== 'SQLITE_BUSY';
  } finally {
    database?.close();
    for (const name of [path, `${path}-journal`]) fs.rmSync(name, { force: true });
  }
}
