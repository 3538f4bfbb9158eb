import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * The text of a file that only its owner may read.
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
    if (process.platform === 'win32' || (mode & 0o077) === 0) return readFileSync(file, 'utf8');
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    throw new Error(`others may read it (mode ${shown}); run: chmod 600 ${path}`);
  } finally {
    closeSync(file);
  }
}
