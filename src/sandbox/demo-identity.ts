import { createHmac } from 'node:crypto';
import type { Prng } from '#base/prng.ts';
import { createPrng } from '#base/prng.ts';
import type { Uid } from '#model/units.ts';
import { as } from '#model/units.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const bytesOf = (seed: string, what: string): Buffer => createHmac('sha256', seed).update(`bourse/${what}`).digest();

/**
 * Public number of a demo account: 8 digits. `place` (0 to 79) is the account's place in the table of all demo
 * accounts; it leads the number, so that two of them never meet.
 */
export function demoUid(seed: string, name: string, place: number): Uid {
  if (!Number.isInteger(place) || place < 0 || place > 79)
    throw new RangeError('a demo account has a place from 0 to 79');
  return as<Uid>((10 + place) * 1_000_000 + (bytesOf(seed, `uid/${name}`).readUInt32BE(0) % 1_000_000));
}

/** Access key and secret of a demo key, derived from the seed; they cannot be guessed without it. */
export function demoKey(seed: string, name: string): { readonly accessKey: string; readonly secretKey: string } {
  const access = bytesOf(seed, `access-key/${name}`);
  const tail = Array.from({ length: 15 }, (_, index) => letters[(access[index] as number) % letters.length]).join('');
  return { accessKey: `mx0${tail}`, secretKey: bytesOf(seed, `secret-key/${name}`).toString('hex').slice(0, 32) };
}

/** Operator token of a sandbox, derived alike: 64 hex characters. */
export const demoOperatorToken = (seed: string): string => bytesOf(seed, 'operator-token').toString('hex');

/** An independent random generator for `name`: equal seed and name give an equal sequence. */
export function demoPrng(seed: string, name: string): Prng {
  const bytes = bytesOf(seed, `chance/${name}`);
  const prng = createPrng([bytes.readInt32BE(0), bytes.readInt32BE(4), bytes.readInt32BE(8), 1]);
  for (let round = 0; round < 12; round += 1) prng.next();
  return prng;
}

/** First bytes of a seeded sandbox's journal, so that the same seed and script give the same bytes. */
export const journalOriginOf = (seed: string): Uint8Array => bytesOf(seed, 'journal-origin');
