import type { Network } from '#custody/addresses/networks.ts';
import type { SignedTransaction } from '#custody/custody.ts';
import { decoded } from '#custody/addresses/address-format.ts';
import type { RecordedPayment } from '#custody/simulated/network-image.ts';
import { transactionFormats } from '#custody/simulated/transaction-format.ts';

/** What the exchange's wallet signs. Amounts are decimal text. */
export interface TransactionContent extends Omit<RecordedPayment, 'txId'> {
  readonly reference: string;
  readonly nonce: number | null;
  readonly fee: string;
}

/** Signs: the same content gives the same transaction, so that nothing is paid twice. */
export function signedTransaction(network: Network, seed: string, content: TransactionContent): SignedTransaction {
  const raw = JSON.stringify(content);
  return { txId: txIdOf(network, seed, raw), raw, nonce: content.nonce };
}

/** What a signed transaction says; `null` if it was not signed here. */
export function contentOf(network: Network, seed: string, signed: SignedTransaction): TransactionContent | null {
  if (signed.txId !== txIdOf(network, seed, signed.raw)) return null;
  return decoded(() => JSON.parse(signed.raw) as TransactionContent);
}

/** The id of a deposit, which are counted from 0 on each network. */
export const depositTxId = (network: Network, seed: string, index: number): string =>
  transactionFormats[network].txId(`deposit ${index} on ${network}: ${seed}`);

const txIdOf = (network: Network, seed: string, raw: string): string =>
  transactionFormats[network].txId(`transaction of the wallet on ${network}, ${raw}: ${seed}`);
