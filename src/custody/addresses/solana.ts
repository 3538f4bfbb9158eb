import { base58 } from '@scure/base';
import type { AddressFormat, AddressReading } from '#custody/addresses/address-format.ts';
import { decoded } from '#custody/addresses/address-format.ts';

const keySize = 32;

/**
 * Solana: an Ed25519 public key, or an address that a program owns, in Base58 without a checksum: a mistyped address is
 * seldom noticed. Ed25519 has no derivation from public keys alone.
 */
export const solana: AddressFormat = { read: readAddress, derive: {} };

function readAddress(text: string): AddressReading {
  const payload = decoded(() => base58.decode(text));
  if (payload === null) return { fault: 'has a character that Base58 does not know' };
  if (payload.length !== keySize) return { fault: `has ${payload.length} bytes; a Solana address has ${keySize}` };
  return { canonical: text, payload };
}
