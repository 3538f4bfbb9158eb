import type { OutgoingPayment } from '#custody/custody.ts';

/** A payment that this process signed. */
export interface SignedPayment extends Pick<OutgoingPayment, 'reference' | 'contract' | 'amount'> {
  readonly nonce: number;
  /** Most that it can cost in the native coin, in wei. */
  readonly networkFeeMax: bigint;
  /** Milliseconds of a monotonic clock. */
  readonly signedAt: number;
}

/** Signed payments of the last hour that are remembered; beyond it, signing waits. */
export const signedPerHourMax = 10_000;
const hourMs = 3_600_000;

/**
 * Payments that this process signed in the last hour: for the hourly limits, and to know what the wallet owes by
 * transactions that no node has yet. Memory only: a restart begins a new hour. DEC-WAL-48.
 */
export class SignedPayments {
  readonly #byReference = new Map<string, SignedPayment>();

  /** Notes a payment; one with the same reference, whose signature was lost, counts no more. */
  add(payment: SignedPayment): void {
    this.#byReference.delete(payment.reference);
    this.#byReference.set(payment.reference, payment);
  }

  /** Amount of a coin that was signed for in the hour before `now`, but for one reference; null: too many to count. */
  spent(contract: string | null, besides: string, now: number): bigint | null {
    for (const { reference, signedAt } of this.#byReference.values()) {
      if (signedAt > now - hourMs) break;
      this.#byReference.delete(reference);
    }
    if (this.#byReference.size >= signedPerHourMax && !this.#byReference.has(besides)) return null;
    let spent = 0n;
    for (const payment of this.#byReference.values())
      if (payment.contract === contract && payment.reference !== besides) spent += payment.amount;
    return spent;
  }

  /** Payments with a nonce from `from` on and below `to`; null where one of them was not signed by this process. */
  between(from: number, to: number): readonly SignedPayment[] | null {
    const found = new Map<number, SignedPayment>();
    for (const payment of this.#byReference.values())
      if (payment.nonce >= from && payment.nonce < to) found.set(payment.nonce, payment);
    return found.size === Math.max(0, to - from) ? [...found.values()] : null;
  }
}
