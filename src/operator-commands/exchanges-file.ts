import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { usedWrongly } from '#operator-commands/exit-codes.ts';
import type { Surroundings } from '#operator-commands/surroundings.ts';

/*
 * Exchanges by name, so that nobody types addresses: where each is, and the file that holds the token. Tokens
 * themselves never stand here. DEC-OPR-262.
 */

/** What a name is made of. */
export const exchangeNamePattern = /^[a-z0-9][a-z0-9._-]{0,31}$/;
/** Exchanges that one file names at most. */
export const exchangesMax = 100;

const exchangesSchema = z.strictObject({
  /** The one that is asked where none is named; null: none. */
  inUse: z.string().nullable(),
  exchanges: z.record(
    z.string().regex(exchangeNamePattern),
    z.strictObject({ url: z.string(), tokenFile: z.string() }),
  ),
});

/** The file, read. */
export type Exchanges = Readonly<z.infer<typeof exchangesSchema>>;

/** Where it is: `bourse/exchanges.json` of the caller's configuration. */
export function exchangesPath({ environment }: Surroundings): string {
  const folder = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || '.', '.config');
  return join(folder, 'bourse', 'exchanges.json');
}

/** What the file holds; without one nothing. @throws CommandFailed where it cannot be used. */
export function readExchanges(surroundings: Surroundings): Exchanges {
  const path = exchangesPath(surroundings);
  let text: string;
  try {
    // Who could write it could have the token sent elsewhere.
    text = surroundings.readPrivateFile(path);
  } catch (error) {
    if ((error as { readonly cause?: NodeJS.ErrnoException }).cause?.code === 'ENOENT')
      return { inUse: null, exchanges: {} };
    throw usedWrongly(`${path}: ${(error as Error).message}`);
  }
  try {
    return exchangesSchema.parse(JSON.parse(text));
  } catch {
    throw usedWrongly(`${path}: is no list of exchanges; remove it, and add them with bourse op exchanges add`);
  }
}

/** Replaces the file as a whole, for its owner only. */
export function writeExchanges(surroundings: Surroundings, exchanges: Exchanges): void {
  const path = exchangesPath(surroundings);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(exchanges, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
