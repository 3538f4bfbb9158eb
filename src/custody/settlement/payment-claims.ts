import { assert } from '#base/assert.ts';
import type { WithdrawalView } from '#model/wallet.ts';
import type { SignedTransaction } from '#custody/custody.ts';
import { toLedger } from '#custody/settlement/chain-amounts.ts';

/*
 * What must hold whenever money leaves by a withdrawal. A broken claim is `InvariantBroken`: settlement of that network
 * stops until the process is started anew, and the exchange goes on.
 */

/** What the receiver gets and the fee are together what was approved. `amount`: in the smallest unit of the chain. */
export function assertApproved(
  { withdrawal, amount: approved, fee }: Pick<WithdrawalView, 'withdrawal' | 'amount' | 'fee'>,
  amount: bigint,
  { chainScale, ledgerScale }: { readonly chainScale: number; readonly ledgerScale: number },
): void {
  const isApproved = fee >= 0n && toLedger(amount, chainScale, ledgerScale) + fee === approved;
  assert(isApproved, `withdrawal ${withdrawal} pays what was approved, no more`);
}

/** A withdrawal is signed once: what was signed before is replaced, never paid beside it. */
export function assertUnsigned({ withdrawal, transaction }: Pick<WithdrawalView, 'withdrawal' | 'transaction'>): void {
  assert(transaction === null, `withdrawal ${withdrawal} has one payment`);
}

/** A new payment takes no nonce that a signed transaction has. */
export function assertNewNonce(withdrawal: number, { nonce }: SignedTransaction, nonceFrom: number): void {
  assert(nonce === null || nonce >= nonceFrom, `withdrawal ${withdrawal} repeats no nonce`);
}

/** A replacement has the nonce of what it replaces, so that one of them takes effect. */
export function assertReplaces(withdrawal: number, newer: SignedTransaction, sent: SignedTransaction): void {
  assert(newer.nonce === sent.nonce, `the replacement of withdrawal ${withdrawal} has the nonce of its payment`);
}
