import type { AddressFormat } from '#custody/addresses/address-format.ts';
import { bitcoin } from '#custody/addresses/bitcoin.ts';
import { evm } from '#custody/addresses/evm.ts';
import { solana } from '#custody/addresses/solana.ts';
import {
  evmTransactionId,
  lowerCaseTransactionId,
  solanaTransactionId,
  type TransactionIdReader,
  upperCaseTransactionId,
} from '#custody/addresses/transaction-ids.ts';
import { tron } from '#custody/addresses/tron.ts';
import { destinationTagFault, xrp } from '#custody/addresses/xrp.ts';

/** Whether a payment names its receiver by a memo beside the address, and what is wrong with a given memo, or null. */
export type MemoRule =
  | { readonly memo: 'none' }
  | { readonly memo: 'required' | 'allowed'; readonly faultOf: (memo: string) => string | null };

/** How a network writes what people copy. */
interface NetworkTexts {
  readonly format: AddressFormat;
  readonly transactionId: TransactionIdReader;
  readonly memoRule: MemoRule;
}

/** Networks by code, each with the format of its addresses and transaction ids, and its rule for memos. */
export const networks = {
  BTC: { format: bitcoin, transactionId: lowerCaseTransactionId, memoRule: { memo: 'none' } },
  ETH: { format: evm, transactionId: evmTransactionId, memoRule: { memo: 'none' } },
  TRX: { format: tron, transactionId: lowerCaseTransactionId, memoRule: { memo: 'none' } },
  BSC: { format: evm, transactionId: evmTransactionId, memoRule: { memo: 'none' } },
  SOL: { format: solana, transactionId: solanaTransactionId, memoRule: { memo: 'none' } },
  XRP: {
    format: xrp,
    transactionId: upperCaseTransactionId,
    memoRule: { memo: 'required', faultOf: destinationTagFault },
  },
} as const satisfies Record<string, NetworkTexts>;
export type Network = keyof typeof networks;

/** Codes of all networks. */
export const networkCodes = Object.keys(networks) as readonly Network[];

/** Codes of the networks that are EVM chains. */
export const evmNetworkCodes = networkCodes.filter((code) => networks[code].format === evm);
