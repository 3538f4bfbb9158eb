import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from '#journal/file-operations.ts';

/**
 * Makes a directory and what is missing above it, for their owner only, so that they survive a loss of power. Answers
 * those that it made, outermost first; none is left if one of them cannot be made.
 *
 * One at a time, because the recursion of Node never ends where a parent is there and the system still answers ENOENT,
 * as under /proc.
 * @throws a system error
 */
export function makeDirectories(path: string): readonly string[] {
  const missing: string[] = [];
  for (let at = resolve(path); !fs.existsSync(at); at = dirname(at)) missing.unshift(at);
  const made: string[] = [];
  try {
    for (const directory of missing) {
      if (!makeOne(directory)) continue;
      made.push(directory);
      syncParent(directory);
    }
  } catch (error) {
    removeEmptyDirectories(made);
    throw error;
  }
  return made;
}

/** Removes those that are empty. `directories`: as `makeDirectories` answers them. */
export function removeEmptyDirectories(directories: readonly string[]): void {
  for (const directory of directories.toReversed()) {
    try {
      fs.rmdirSync(directory);
    } catch {
      return;
    }
  }
}

/** Answers whether it made it: another process may have been faster. */
function makeOne(directory: string): boolean {
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && fs.existsSync(directory)) return false;
    throw error;
  }
}

/** Syncs the parent of a directory, unless this user may not read the parent and thus did not make the directory. */
export function syncParent(directory: string): void {
  if (process.platform === 'win32') return;
  let descriptor: number;
  try {
    descriptor = fs.openSync(dirname(resolve(directory)), fs.constants.O_RDONLY);
  } catch (error) {
    if (errorCode(error) === 'EACCES') return;
    throw error;
  }
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
