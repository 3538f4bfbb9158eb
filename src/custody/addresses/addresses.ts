/**
 * Addresses of real chains: is this one payable, are these two the same, which one does a depositor get.
 *
 * Everything here is computed from texts; nothing asks a chain. Texts come from users and operators: every function
 * answers for every text and throws for none. Each format has a file of its own (`bitcoin.ts`, `evm.ts`, …) and
 * `networks.ts` says which network uses which. Addresses are derived from extended public keys alone
 * (`extended-key.ts`), so this exchange can show where to pay but not spend what is paid. Start with `checkAddress` and
 * `deriveAddress`.
 */
import { assert } from '#base/assert.ts';
import type { AddressFormat, AddressReading } from '#custody/addresses/address-format.ts';
import type { AccountKey } from '#custody/addresses/extended-key.ts';
import { childPublicKey, readAccountKey } from '#custody/addresses/extended-key.ts';
import type { MemoRule, Network } from '#custody/addresses/networks.ts';
import { networkCodes, networks } from '#custody/addresses/networks.ts';

/** Characters of the longest text that is read as an address. */
export const addressSizeMax = 128;

/** Why a payment cannot be sent: which part is at fault, and the end of a sentence that begins with that part. */
export interface AddressFault {
  readonly part: 'address' | 'memo';
  readonly reason: string;
}

/** Null where `address` with `memo` can be paid on the network, else the first fault. No memo is null or empty. */
export function checkAddress(network: Network, address: string, memo: string | null): AddressFault | null {
  const reading = readAddress(network, address);
  if ('fault' in reading) return { part: 'address', reason: reading.fault };
  const reason = memoFault(networks[network].memoRule, memo ?? '');
  return reason === null ? null : { part: 'memo', reason };
}

/** The one way to write an address, to find it by; null where it is none of this network. */
export function canonicalAddress(network: Network, address: string): string | null {
  const reading = readAddress(network, address);
  return 'fault' in reading ? null : reading.canonical;
}

/** Characters of the longest text that is read as a transaction's id. */
const transactionIdSizeMax = 128;

/** The one way to write a transaction's id, to find its payment by; null where it is none. DEC-WAL-100. */
export const normalTransactionId = (network: Network, text: string): string | null =>
  text.length > transactionIdSizeMax ? null : networks[network].transactionId(text);

/** The network with a code; null where its texts are not known. */
export const networkWithCode = (code: string): Network | null => networkCodes.find((known) => known === code) ?? null;

/** Reads an extended public key that a network's addresses can be derived from, or says in a sentence why not. */
export function readDepositKey(network: Network, text: string): AccountKey | { readonly fault: string } {
  const accepted = Object.keys(formatOf(network).derive);
  if (accepted.length === 0) return { fault: `Addresses of ${network} are not derived from extended public keys.` };
  const key = readAccountKey(text);
  if ('fault' in key || accepted.includes(key.prefix)) return key;
  return { fault: `${network} takes an ${accepted.join(', ')}, not a ${key.prefix}.` };
}

/**
 * The deposit address with this index, in canonical form: the one at path 0 / `index` below the account.
 * `key` is one that `readDepositKey` accepted for the network; `index` is below `addressIndexLimit`.
 */
export function deriveAddress(network: Network, key: AccountKey, index: number): string {
  const derive = formatOf(network).derive[key.prefix];
  assert(derive !== undefined, 'the key was accepted for this network');
  return derive(childPublicKey(key, { chain: 0, index }));
}

/** Null where a memo (empty: none) obeys the rule of a network, else what is wrong with it. */
export function memoFault(rule: MemoRule, memo: string): string | null {
  if (memo === '') return rule.memo === 'required' ? 'is missing' : null;
  return rule.memo === 'none' ? 'is not known on this network: leave it out' : rule.faultOf(memo);
}

const formatOf = (network: Network): AddressFormat => networks[network].format;

function readAddress(network: Network, address: string): AddressReading {
  if (address.length > addressSizeMax) return { fault: `has more than ${addressSizeMax} characters` };
  const reading = formatOf(network).read(address);
  if ('fault' in reading || reading.payload.some((byte) => byte !== 0)) return reading;
  return { fault: 'is all zeros: nobody can spend what is sent to it' };
}
