import { base58 } from '@scure/base';
import { decoded } from '#custody/addresses/address-format.ts';

/** The one way to write a transaction's id on a network; `null` for a text that is none. DEC-WAL-100. */
export type TransactionIdReader = (text: string) => string | null;

const signatureSize = 64;

/** 32 bytes in hexadecimal digits, however they are written. */
const digitsOf = (text: string): string | null => (/^[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : null);

/** EVM chains: 0x and 64 digits in lower case; people also write it without 0x, or in upper case. */
export const evmTransactionId: TransactionIdReader = (text) => {
  const digits = digitsOf(text.replace(/^0x/i, ''));
  return digits === null ? null : `0x${digits}`;
};

/** Bitcoin and TRON: 64 digits in lower case. */
export const lowerCaseTransactionId: TransactionIdReader = digitsOf;

/** XRP Ledger: 64 digits in upper case. */
export const upperCaseTransactionId: TransactionIdReader = (text) => digitsOf(text)?.toUpperCase() ?? null;

/** Solana: the first signature, 64 bytes in Base58, where letters of either case are different digits. */
export const solanaTransactionId: TransactionIdReader = (text) => {
  const bytes = decoded(() => base58.decode(text));
  return bytes?.length === signatureSize ? base58.encode(bytes) : null;
};
