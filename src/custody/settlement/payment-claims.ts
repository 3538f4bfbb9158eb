import { assert, InvariantBroken } from '#base/assert.ts';
import type { WithdrawalView } from '#model/wallet.ts';
import type { OutgoingPayment, SignedContent, SignedTransaction } from '#custody/custody.ts';
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

/**
 * What was signed pays exactly what was approved, read from its bytes: receiver, memo, coin and amount, from the own
 * wallet on the own network, and does nothing else. `canonical`: an address as its network writes it. DEC-OPR-293.
 */
export function assertPays(
  { reference, address, memo, contract, amount }: OutgoingPayment,
  content: SignedContent | { readonly fault: string },
  canonical: (address: string) => string,
): asserts content is SignedContent {
  const what = `what is signed for withdrawal ${reference}`;
  if ('fault' in content) throw new InvariantBroken(`${what} ${content.fault}`);
  const same = (one: string | null, other: string | null): boolean =>
    one === other || (one !== null && other !== null && canonical(one) === canonical(other));
  assert(same(content.address, address), `${what} pays its receiver, not ${content.address}`);
  assert((content.memo ?? '') === (memo ?? ''), `${what} has the memo of its receiver`);
  assert(same(content.contract, contract), `${what} pays its coin, not ${content.contract ?? 'the native one'}`);
  assert(content.amount === amount, `${what} pays its amount ${amount}, not ${content.amount}`);
}

/** What is signed costs no more than the settings allow. */
export function assertFeeWithin(reference: string, { feeFault }: Pick<SignedContent, 'feeFault'>): void {
  assert(feeFault === null, `what is signed for withdrawal ${reference} costs its network fee, but ${feeFault}`);
}
