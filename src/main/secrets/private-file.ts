import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { syncParent } from '#journal/make-directories.ts';
import { environment } from '#main/configuration/config.ts';

/** Mode bits that let others read or change a file. */
const othersMay = 0o077;
/** Those of a credential: its service reads it by an access list, which shows as a right of the group to read. */
const othersMayCredential = 0o037;

/** Whether systemd gave the file to this service alone (`LoadCredential`). */
const isCredential = (path: string): boolean => {
  const directory = environment()['CREDENTIALS_DIRECTORY'];
  return directory !== undefined && directory !== '' && dirname(resolve(path)) === resolve(directory);
};

/**
 * The text of a file that only its owner may read, or only a service whose credential it is.
 * @throws Error whose message is a clause that says what to do, and whose cause is that of the file system.
 */
export function readPrivateFile(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw new Error(`cannot be read: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  try {
    const { mode } = fstatSync(file);
    const forbidden = isCredential(path) ? othersMayCredential : othersMay;
    if (process.platform === 'win32' || (mode & forbidden) === 0) return readFileSync(file, 'utf8');
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    throw new Error(`others may read it (mode ${shown}); run: chmod 600 ${path}`);
  } finally {
    closeSync(file);
  }
}

/** Writes a new file that only its owner may read, durably. @throws `EEXIST` where there is one. */
export function writePrivateFile(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncParent(path);
}
