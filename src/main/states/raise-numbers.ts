import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { GivenNumbers } from '#engine/accounts/given-numbers.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';

/*
 * Numbers that clients see in ids. `given-numbers.json` beside the content says what any course of this sandbox gave,
 * also those that were put back. A content in which numbers are to be passed over has `raise-numbers.json`, until that
 * is done: a crash between the two forgets nothing.
 */

const numbers = z.object({ number: z.int().nonnegative(), uids: z.int().nonnegative() });
const raiseName = 'raise-numbers.json';
const givenPath = (root: string): string => join(root, 'given-numbers.json');

async function read(path: string): Promise<GivenNumbers | null> {
  try {
    return numbers.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const write = (path: string, given: GivenNumbers): Promise<void> =>
  writeFile(path, `${JSON.stringify(given)}\n`, { mode: 0o600 });

/** Adds what the present course gave to what all courses before gave, and answers that. */
export async function rememberGiven(root: string, given: GivenNumbers): Promise<GivenNumbers> {
  const before = (await read(givenPath(root))) ?? { number: 0, uids: 0 };
  const all = { number: Math.max(before.number, given.number), uids: Math.max(before.uids, given.uids) };
  await write(givenPath(root), all);
  return all;
}

/** Says in the folder of a content that it has to pass over what was given. */
export const noteRaise = (folder: string, given: GivenNumbers): Promise<void> => write(join(folder, raiseName), given);

/** Passes over what the content has to pass over, if anything, before anybody is served. DEC-KIT-13. */
export async function raiseAsNoted({ sequencer }: ExchangeCore, { root }: DataDirectory): Promise<void> {
  const noted = await read(join(root, raiseName));
  if (noted === null) return;
  await sequencer.post({ kind: 'raiseNumbers', ...noted });
  await rm(join(root, raiseName), { force: true });
}
