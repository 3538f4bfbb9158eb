import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import type { Network } from '#custody/addresses/networks.ts';

/** How a network looks from outside: ids, hashes, fees. */
export interface TransactionFormat {
  /** Id of the transaction that a text describes. */
  readonly txId: (text: string) => string;
  /** Hash of the block that a text describes. */
  readonly blockHash: (text: string) => string;
  /** What a transaction usually costs its sender, in the native coin's smallest unit, by what it moves. */
  readonly fee: { readonly native: bigint; readonly token: bigint };
  /** Whether the network has tokens beside its native coin. */
  readonly hasTokens: boolean;
  /** Whether transactions of one sender are numbered, and can be replaced by one with the same number. */
  readonly hasNonces: boolean;
}

const hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));
const prefixedHex = (text: string): string => `0x${hex(text)}`;
const upperHex = (text: string): string => hex(text).toUpperCase();

const evm = { txId: prefixedHex, blockHash: prefixedHex, hasTokens: true, hasNonces: true };

/** The networks as their explorers show them; fees as of a quiet day. */
export const transactionFormats: Readonly<Record<Network, TransactionFormat>> = {
  BTC: { txId: hex, blockHash: hex, fee: { native: 1_410n, token: 1_410n }, hasTokens: false, hasNonces: false },
  ETH: { ...evm, fee: { native: 21_000n * 3_000_000_000n, token: 65_000n * 3_000_000_000n } },
  TRX: {
    txId: hex,
    blockHash: hex,
    fee: { native: 268_000n, token: 13_844_000n },
    hasTokens: true,
    hasNonces: false,
  },
  BSC: { ...evm, fee: { native: 21_000n * 1_000_000_000n, token: 65_000n * 1_000_000_000n } },
  SOL: {
    txId: (text) => base58.encode(sha512(utf8ToBytes(text))),
    blockHash: (text) => base58.encode(sha256(utf8ToBytes(text))),
    fee: { native: 5_000n, token: 5_000n },
    hasTokens: true,
    hasNonces: false,
  },
  XRP: { txId: upperHex, blockHash: upperHex, fee: { native: 12n, token: 12n }, hasTokens: false, hasNonces: false },
};
