import { canonicalAddress, checkAddress, networkWithCode, normalTransactionId } from '#custody/addresses/addresses.ts';
import type { ChainPayment } from '#custody/custody.ts';

/**
 * A payment as its network writes it, whatever custody wrote: the ledger's key of a payment is made of these texts.
 * `null` where the id or the address is none of the network. Networks whose texts are unknown keep theirs. DEC-WAL-100.
 */
export function normalPayment(code: string, payment: ChainPayment): ChainPayment | null {
  const network = networkWithCode(code);
  if (network === null) return payment;
  const txId = normalTransactionId(network, payment.txId);
  const address = canonicalAddress(network, payment.address);
  if (txId === null || address === null) return null;
  // Depositors forget memos, and send some that nobody has: those are held back by the engine.
  const isMemo = payment.memo !== null && checkAddress(network, address, payment.memo) === null;
  return { ...payment, txId, address, memo: isMemo ? payment.memo : null };
}
