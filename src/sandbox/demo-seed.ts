import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '#sandbox/private-file.ts';

/** The data directory was made with another seed than the one asked for. */
export class SeedDiffers extends Error {
  override name = 'SeedDiffers';
}

const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT';

/**
 * The seed of a data directory: everything in the sandbox that looks random comes from it, keys of demo accounts
 * included. Made once, from `asked` or else by chance, and kept in `DATA/seed` with mode 0600.
 * @throws SeedDiffers when the directory has a seed already and another one is asked for.
 */
export async function seedOf(dataDirectory: string, asked: string | null): Promise<string> {
  const path = join(dataDirectory, 'seed');
  let kept: string | null = null;
  try {
    kept = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  if (kept !== null && kept !== '') {
    if (asked !== null && asked !== kept) {
      throw new SeedDiffers(`${dataDirectory} was made with another seed: leave --seed out, or choose another --data`);
    }
    return kept;
  }
  const seed = asked ?? randomBytes(16).toString('hex');
  await writePrivateFile(path, `${seed}\n`);
  return seed;
}
