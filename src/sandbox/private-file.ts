import { chmod, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Atomically writes a file that only its owner may read (mode 0600): under a temporary name, synced and renamed, with
 * the directory synced. After a crash there is either the old file or the new one.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = `${path}.new`;
  const file = await open(aside, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(aside, 0o600);
  await rename(aside, path);
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
