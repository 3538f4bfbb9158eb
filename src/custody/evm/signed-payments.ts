import { BoundedCache } from '#base/bounded-cache.ts';
import type { OutgoingPayment } from '#custody/custody.ts';

/** A payment that this process signed. */
export interface SignedPayment extends Pick<OutgoingPayment, 'contract' | 'amount'> {
  readonly nonce: number;
  /** Most that it can cost in the native coin, in wei. */
  readonly networkFeeMax: bigint;
}

/** Signed payments that are remembered; beyond it, signing waits until the node has those that are forgotten. */
const signedKept = 10_000;

/**
 * Payments that this process signed, to know what the wallet owes by transactions that no node has yet. Memory only: a
 * node has to know what an earlier process signed before more is signed.
 */
export class SignedPayments {
  readonly #byNonce = new BoundedCache<number, SignedPayment>({ entriesKept: signedKept });

  /** Notes a payment; one with the same nonce, whose signature was lost, counts no more. */
  add(payment: SignedPayment): void {
    this.#byNonce.set(payment.nonce, payment);
  }

  /** Payments with a nonce from `from` on and below `to`; null where one of them was not signed by this process. */
  between(from: number, to: number): readonly SignedPayment[] | null {
    const found: SignedPayment[] = [];
    for (let nonce = from; nonce < to; nonce += 1) {
      const payment = this.#byNonce.get(nonce);
      if (payment === undefined) return null;
      found.push(payment);
    }
    return found;
  }
}
