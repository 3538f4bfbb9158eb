import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import { assert } from '#base/assert.ts';
import type { KeyPrefix } from '#custody/addresses/address-format.ts';
import { decoded, keyPrefixes } from '#custody/addresses/address-format.ts';

/** Public key and chain code of one account of a wallet (m / purpose' / coin' / account'). It can spend nothing. */
export interface AccountKey {
  readonly prefix: KeyPrefix;
  readonly node: HDKey;
}

/** Whole numbers below this count the addresses of a chain: 0 to 2^31 − 1. */
export const addressIndexLimit = HARDENED_OFFSET;

const base58check = createBase58check(sha256);
const versions: Readonly<Record<KeyPrefix, number>> = { xpub: 0x0488b21e, ypub: 0x049d7cb2, zpub: 0x04b24746 };
const keyTextSizeMax = 128;
const serializedSize = 78;
const keyOffset = 45;
const accountDepth = 3;

/**
 * Reads an account's extended public key (BIP-32) with the version of `xpub`, `ypub` or `zpub`. A fault is a sentence
 * that never repeats any of the text, which may be a private key given by mistake.
 */
export function readAccountKey(text: string): AccountKey | { readonly fault: string } {
  if (text.length > keyTextSizeMax) return { fault: 'This is too long to be an extended public key.' };
  if (/^[a-zA-Z]prv/.test(text)) return privateKeyFault;
  const bytes = decoded(() => base58check.decode(text));
  if (bytes === null || bytes.length !== serializedSize)
    return { fault: 'This is not an extended public key: a character is wrong or missing.' };
  if (bytes[keyOffset] === 0) return privateKeyFault;
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const prefix = keyPrefixes.find((each) => versions[each] === version);
  if (prefix === undefined) return { fault: 'This extended key is neither an xpub, a ypub nor a zpub.' };
  const node = decoded(() => HDKey.fromExtendedKey(text, { public: version, private: 0 }));
  if (node === null) return { fault: 'This extended public key holds no valid public key.' };
  if (node.depth !== accountDepth || node.index < HARDENED_OFFSET)
    return { fault: "This is not the key of an account: export the one at m / purpose' / coin' / account'." };
  return { prefix, node };
}

const privateKeyFault = {
  fault: 'This is an extended private key, which can spend. Give the extended public key of the account.',
};

/**
 * The compressed public key at `chain` / `index` below an account. Chain 0 receives, chain 1 takes a wallet's change;
 * `index` is below `addressIndexLimit`.
 */
export function childPublicKey(
  account: AccountKey,
  path: { readonly chain: 0 | 1; readonly index: number },
): Uint8Array {
  const { chain, index } = path;
  assert(Number.isInteger(index) && index >= 0 && index < addressIndexLimit, 'an address index is below 2^31');
  const child = account.node.deriveChild(chain).deriveChild(index);
  // BIP-32 lets the key at an index be invalid, with a chance below 2^-127; the library then takes the next index,
  // whose address another depositor has.
  assert(child.index === index && child.publicKey !== null, 'every index has its own key');
  return child.publicKey;
}
