import { utf8ToBytes } from '@noble/hashes/utils.js';
import { crc32c } from '#base/checksum.ts';
import { decoded } from '#custody/addresses/address-format.ts';
import type { Network } from '#custody/addresses/networks.ts';
import type { NetworkImage, RecordedPayment } from '#custody/simulated/network-image.ts';

/** What can happen on one network. */
export type NetworkRecord = { readonly at: number; readonly network: Network } & (
  | ({ readonly kind: 'deposit' } & RecordedPayment)
  /** The exchange pays. `fee`: the network's, in the native coin's smallest unit. */
  | ({ readonly kind: 'send'; readonly nonce: number | null; readonly fee: string } & RecordedPayment)
  | { readonly kind: 'mine' | 'delay'; readonly blocks: number }
  | { readonly kind: 'reorganise'; readonly depth: number; readonly drop: boolean }
  | { readonly kind: 'limitWallet'; readonly contract: string | null; readonly amount: string | null }
  /** The custodian saw a block with this height, so time had come further than this file tells. */
  | { readonly kind: 'seen'; readonly height: number }
  /** The oldest `count` transactions are forgotten; `sums` is what they brought the exchange, by contract. */
  | { readonly kind: 'fold'; readonly count: number; readonly sums: readonly (readonly [string, string])[] }
);

/**
 * A thing that happened in the simulated world. `at`: when, in milliseconds since 1970 UTC on the exchange's clock; it
 * may be less than before, because that clock can be set back.
 */
export type ChainRecord =
  | NetworkRecord
  /** The first record of every file. */
  | {
      readonly kind: 'beginning';
      readonly version: 1;
      readonly seed: string;
      readonly at: number;
      readonly blockMs: number;
    }
  /** Everything so far, in place of the records that led to it. */
  | {
      readonly kind: 'image';
      readonly at: number;
      readonly blockMs: number;
      readonly networks: readonly NetworkImage[];
    }
  /** Time passed. */
  | { readonly kind: 'time'; readonly at: number }
  /** Blocks come at another pace from now on. */
  | { readonly kind: 'pace'; readonly at: number; readonly blockMs: number };

/** A line of the file with its newline: the record as JSON, whose last member is the checksum of what precedes it. */
export function lineOf(record: ChainRecord): string {
  const body = JSON.stringify(record).slice(0, -1);
  return `${body},"check":"${checkOf(body)}"}\n`;
}

/** The record of a line without its newline; `null` for what `lineOf` did not write, or what is damaged. */
export function recordOf(line: string): ChainRecord | null {
  const body = line.slice(0, -endSize);
  if (line.slice(-endSize) !== `,"check":"${checkOf(body)}"}`) return null;
  return decoded(() => JSON.parse(`${body}}`) as ChainRecord);
}

const checkOf = (body: string): string => crc32c(utf8ToBytes(body)).toString(16).padStart(8, '0');
const endSize = ',"check":"00000000"}'.length;
