import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { AddressFormat, AddressReading } from '#custody/addresses/address-format.ts';
import { decoded } from '#custody/addresses/address-format.ts';

const base58check = createBase58check(sha256);
const pubkeyHashVersion = 0x00;
const scriptHashVersion = 0x05;
const hashSize = 20;
const segwitPrefix = 'bc';
const testPrefixes = ['tb', 'bcrt'];

/**
 * Bitcoin's main network: P2PKH and P2SH in Base58Check, P2WPKH and P2WSH in Bech32 (BIP-173), P2TR in Bech32m
 * (BIP-350). Witness versions 2 to 16 are refused although BIP-350 gives them addresses: anyone can spend such outputs.
 */
export const bitcoin: AddressFormat = {
  read: (text) => readSegwit(text) ?? readBase58(text),
  derive: { xpub: witnessAddress, ypub: nestedWitnessAddress, zpub: witnessAddress },
};

const keyHash = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));

/** P2WPKH (BIP-84). */
function witnessAddress(publicKey: Uint8Array): string {
  return bech32.encode(segwitPrefix, [0, ...bech32.toWords(keyHash(publicKey))]);
}

/** P2WPKH nested in P2SH (BIP-49): the hash of the script that pushes version 0 and the key's hash. */
function nestedWitnessAddress(publicKey: Uint8Array): string {
  const script = concatBytes(Uint8Array.of(0x00, hashSize), keyHash(publicKey));
  return base58check.encode(concatBytes(Uint8Array.of(scriptHashVersion), keyHash(script)));
}

/** Null where the text is neither Bech32 nor Bech32m. */
function readSegwit(text: string): AddressReading | null {
  const plain = bech32.decodeUnsafe(text);
  const modified = bech32m.decodeUnsafe(text);
  const found = plain ?? modified;
  if (!found) return null;
  if (testPrefixes.includes(found.prefix)) return { fault: 'is of a Bitcoin test network' };
  if (found.prefix !== segwitPrefix) return { fault: 'is of another network than Bitcoin' };
  const [version = -1, ...words] = found.words;
  if (version < 0 || version > 16) return { fault: 'names a witness version that does not exist' };
  if (version > 1) return { fault: 'names a witness version that is not in use yet' };
  if ((version === 0) !== Boolean(plain)) return { fault: 'has the checksum of another witness version' };
  const payload = bech32.fromWordsUnsafe(words);
  const isSized = payload && (payload.length === 32 || (version === 0 && payload.length === hashSize));
  if (!isSized) return { fault: 'has a witness program of the wrong length' };
  return { canonical: text.toLowerCase(), payload };
}

function readBase58(text: string): AddressReading {
  const bytes = decoded(() => base58check.decode(text));
  if (bytes === null) return { fault: 'is not a Bitcoin address: a character is wrong or missing' };
  if (bytes.length !== 1 + hashSize) return { fault: 'has the wrong length' };
  const [version] = bytes;
  if (version !== pubkeyHashVersion && version !== scriptHashVersion)
    return { fault: 'is of another network than Bitcoin' };
  return { canonical: text, payload: bytes.subarray(1) };
}
