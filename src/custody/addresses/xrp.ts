import { sha256 } from '@noble/hashes/sha2.js';
import { base58xrp } from '@scure/base';
import type { AddressFormat, AddressReading } from '#custody/addresses/address-format.ts';
import { decoded } from '#custody/addresses/address-format.ts';

const accountVersion = 0x00;
const accountSize = 20;
const checksumSize = 4;
const destinationTagMax = 2 ** 32 - 1;

/**
 * Classic addresses of the XRP Ledger: version, account id and checksum in the ledger's own Base58 alphabet. One
 * address serves all depositors, who are told apart by destination tags, so none are derived.
 */
export const xrp: AddressFormat = { read: readAddress, derive: {} };

/** Null for a destination tag as a decimal number without leading zeros, else what is wrong with it. */
export function destinationTagFault(memo: string): string | null {
  const isTag = /^(0|[1-9]\d{0,9})$/.test(memo) && Number(memo) <= destinationTagMax;
  return isTag ? null : `is not a destination tag, a whole number from 0 to ${destinationTagMax}`;
}

function readAddress(text: string): AddressReading {
  const bytes = decoded(() => base58xrp.decode(text));
  if (bytes === null) return { fault: 'has a character that the Base58 of the XRP Ledger does not know' };
  if (bytes.length !== 1 + accountSize + checksumSize) return { fault: 'is not a classic XRP address (r…)' };
  const content = bytes.subarray(0, -checksumSize);
  const checksum = sha256(sha256(content)).subarray(0, checksumSize);
  if (!checksum.every((byte, index) => byte === bytes[content.length + index]))
    return { fault: 'has a wrong checksum: one of its characters differs' };
  if (bytes[0] !== accountVersion) return { fault: 'is not a classic XRP address (r…)' };
  return { canonical: text, payload: content.subarray(1) };
}
