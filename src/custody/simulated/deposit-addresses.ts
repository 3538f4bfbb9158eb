import { setImmediate } from 'node:timers/promises';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58, base58xrp } from '@scure/base';
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import { decoded } from '#custody/addresses/address-format.ts';
import { deriveAddress } from '#custody/addresses/addresses.ts';
import type { AccountKey } from '#custody/addresses/extended-key.ts';
import { addressIndexLimit } from '#custody/addresses/extended-key.ts';
import type { Network } from '#custody/addresses/networks.ts';
import type { ChainAddress } from '#custody/custody.ts';

/** The addresses of one simulated network that belong to the exchange. */
export interface DepositAddresses {
  /** The address with this index; `null` from where there is none. */
  at(index: number): ChainAddress | null;
  /** Resolves once `isOurs` can answer for this many addresses. Deriving many takes long, so others get turns. */
  prepare(count: number): Promise<void>;
  /** Whether a payment to a canonical address is one to the first `count` addresses, all of which are prepared. */
  isOurs(address: string, count: number): boolean;
}

/** The deposit addresses of a network for a seed: the same ones for ever, which nobody can spend from. DEC-WAL-21. */
export function depositAddresses(network: Network, seed: string): DepositAddresses {
  const origin = `simulated deposit addresses of ${network}: ${seed}`;
  if (network === 'XRP') return sharedAddress(origin);
  if (network === 'SOL') return countedAddresses((index) => base58.encode(hashOf(`${origin}: ${index}`)));
  let key: AccountKey | null = null;
  return countedAddresses((index) => {
    key ??= accountKeyOf(origin);
    return deriveAddress(network, key, index);
  });
}

const hashOf = (text: string): Uint8Array => sha256(utf8ToBytes(text));

/** Addresses that are derived between two turns of the event loop. */
const addressesPerTurn = 16;

function countedAddresses(addressOf: (index: number) => string): DepositAddresses {
  const indexes = new Map<string, number>();
  const at = (index: number): string => {
    const address = addressOf(index);
    if (index === indexes.size) indexes.set(address, index);
    return address;
  };
  return {
    at: (index) => (index < addressIndexLimit ? { address: at(index), memo: null } : null),
    prepare: async (count) => {
      while (indexes.size < count) {
        at(indexes.size);
        if (indexes.size % addressesPerTurn === 0) await setImmediate();
      }
    },
    isOurs: (address, count) => {
      const index = indexes.get(address);
      return index !== undefined && index < count;
    },
  };
}

const accountIdSize = 20;
const checksumSize = 4;
const tagMin = 100_000_000;
const tagMax = 2 ** 32 - 1;

/** One address of the XRP Ledger, with a destination tag per index. A payment to it is ours whatever its tag. */
function sharedAddress(origin: string): DepositAddresses {
  const content = concatBytes(Uint8Array.of(0), hashOf(origin).subarray(0, accountIdSize));
  const address = base58xrp.encode(concatBytes(content, sha256(sha256(content)).subarray(0, checksumSize)));
  return {
    at: (index) => (tagMin + index <= tagMax ? { address, memo: String(tagMin + index) } : null),
    prepare: async () => undefined,
    isOurs: (paid) => paid === address,
  };
}

/**
 * The extended public key of an account whose private key nobody knows: its point on the curve is found by hashing,
 * not by multiplying, so neither it nor any key derived from it can sign.
 */
function accountKeyOf(origin: string): AccountKey {
  for (let attempt = 0; ; attempt += 1) {
    const publicKey = concatBytes(Uint8Array.of(2), hashOf(`${origin}: point ${attempt}`));
    // About every second hash is the x of a point.
    if (decoded(() => secp256k1.Point.fromBytes(publicKey)) === null) continue;
    const chainCode = hashOf(`${origin}: chain code`);
    return { prefix: 'xpub', node: new HDKey({ publicKey, chainCode, depth: 3, index: HARDENED_OFFSET }) };
  }
}
