import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { AddressFormat, AddressReading } from '#custody/addresses/address-format.ts';

const addressSize = 20;
const addressShape = /^0x[0-9a-fA-F]{40}$/;

/**
 * Ethereum and the chains that use its addresses. An address in lower or in upper case alone carries no checksum and is
 * accepted; in mixed case it must be as EIP-55 writes it, which is the canonical form.
 */
export const evm: AddressFormat = {
  read: readAddress,
  derive: { xpub: (publicKey) => withChecksum(keyAddress(publicKey)) },
};

/** The 20 bytes that a public key is known by on Ethereum and TRON; `publicKey` is compressed. */
export function keyAddress(publicKey: Uint8Array): Uint8Array {
  const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return keccak_256(uncompressed.subarray(1)).slice(-addressSize);
}

function readAddress(text: string): AddressReading {
  if (!addressShape.test(text)) return { fault: 'is not 0x followed by 40 hexadecimal digits' };
  const digits = text.slice(2);
  const payload = hexToBytes(digits);
  const canonical = withChecksum(payload);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (hasChecksum && text !== canonical)
    return { fault: 'has a wrong checksum: one of its characters, or the case of a letter, differs' };
  return { canonical, payload };
}

/** EIP-55: a letter is in upper case where the hash of the lower-case digits has a hexadecimal digit of 8 or more. */
function withChecksum(payload: Uint8Array): string {
  const digits = bytesToHex(payload);
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  return '0x' + [...digits].map((digit, index) => (hash[index]! >= '8' ? digit.toUpperCase() : digit)).join('');
}
