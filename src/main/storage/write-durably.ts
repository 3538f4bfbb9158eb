import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { syncParent } from '#journal/make-directories.ts';

/**
 * Writes a small file of the data directory, synchronously and durably: it has this text afterwards, and whatever
 * happens meanwhile, either that or what it had before. Only its owner may read it.
 */
export function writeDurably(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncParent(path);
}
