import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import type { AddressFormat, AddressReading } from '#custody/addresses/address-format.ts';
import { decoded } from '#custody/addresses/address-format.ts';
import { keyAddress } from '#custody/addresses/evm.ts';

const base58check = createBase58check(sha256);
const version = 0x41;
const addressSize = 20;

/** TRON's main network: Base58Check of 0x41 and the 20 bytes that Ethereum knows the key by. */
export const tron: AddressFormat = {
  read: readAddress,
  derive: { xpub: (publicKey) => base58check.encode(concatBytes(Uint8Array.of(version), keyAddress(publicKey))) },
};

function readAddress(text: string): AddressReading {
  const bytes = decoded(() => base58check.decode(text));
  if (bytes === null) return { fault: 'is not a TRON address: a character is wrong or missing' };
  if (bytes.length !== 1 + addressSize) return { fault: 'has the wrong length' };
  if (bytes[0] !== version) return { fault: 'is of another network than TRON' };
  return { canonical: text, payload: bytes.subarray(1) };
}
