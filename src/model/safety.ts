import type { AccountId, AssetId, Balance, TimestampMs } from '#model/units.ts';
import type { WithdrawalTransaction } from '#model/wallet.ts';

/**
 * What became of a payment that the journal did not make. `nothing`: the transaction moved no coin, and cost its fee
 * alone. The others are decisions of an operator.
 */
export const paymentBookings = ['nothing', 'withdrawal', 'account', 'capital'] as const;
export type PaymentBooking = (typeof paymentBookings)[number];

/** Of a hot wallet, on its chain, and unknown to the journal: of a lost time before a backup was restored, perhaps. */
export interface UnknownPayment {
  readonly network: string;
  /** Names it on its network: the nonce as text, or the transaction on networks without nonces. */
  readonly payment: string;
  readonly nonce: number | null;
  /** `null`: it was not found yet. */
  readonly txId: string | null;
  /** What it moved; `null`: not known, or nothing that one asset tells. */
  readonly asset: AssetId | null;
  /** In smallest units on the ledger, rounded up; 0 while the asset is `null`. */
  readonly amount: Balance;
  readonly address: string | null;
  readonly memo: string | null;
  /** Of the network's native coin, on the ledger. */
  readonly networkFee: Balance;
  /** From where on its transaction is looked for: how far the chain was followed when it was found. */
  readonly searchFrom: string | null;
  readonly foundAt: TimestampMs;
  /** `null`: nobody decided yet, and the withdrawals of the network are held. */
  readonly booking: PaymentBooking | null;
  /** The withdrawal or the account that it was booked to. */
  readonly bookedTo: number | null;
  readonly bookedAt: TimestampMs | null;
}

/** What became of a paid withdrawal whose payment can never be on its chain. */
export const lostPaymentBookings = ['account', 'capital'] as const;
export type LostPaymentBooking = (typeof lostPaymentBookings)[number];

/** A withdrawal that was paid, followed for some time: a reorganisation may drop its transaction. */
export interface PaidWithdrawal {
  readonly withdrawal: number;
  readonly account: AccountId;
  readonly network: string;
  readonly asset: AssetId;
  /** What the receiver gets. */
  readonly amount: Balance;
  /** As it was signed last. */
  readonly transaction: WithdrawalTransaction;
  readonly paidAt: TimestampMs;
  /** The transaction that took its place; `null`: it can still be in a block. */
  readonly lostBy: string | null;
  readonly lostAt: TimestampMs | null;
  /** What an operator decided about a lost one. */
  readonly booking: LostPaymentBooking | null;
}

/** Commands about payments that are not as the journal has them. */
export type SafetyCommand =
  /** A payment of a hot wallet that the journal does not know, or what was found out about one since. */
  | ({ readonly kind: 'recordUnknownPayment' } & Pick<
      UnknownPayment,
      'network' | 'nonce' | 'txId' | 'asset' | 'amount' | 'address' | 'memo' | 'networkFee'
    >)
  /** An operator says what it was. `asset` and `amount`: what it moved, where nobody could find that out. */
  | {
      readonly kind: 'bookUnknownPayment';
      readonly network: string;
      readonly payment: string;
      readonly booking: PaymentBooking;
      readonly withdrawal: number | null;
      readonly account: AccountId | null;
      readonly asset: AssetId | null;
      readonly amount: Balance;
    }
  /** The transaction of a paid withdrawal can never be in a block: `by` took its place. */
  | { readonly kind: 'recordLostPayment'; readonly withdrawal: number; readonly by: string }
  | { readonly kind: 'bookLostPayment'; readonly withdrawal: number; readonly booking: LostPaymentBooking };

/** What happened to such payments, each with the whole record as it is now. */
export type SafetyFact =
  | { readonly kind: 'unknownPaymentChanged'; readonly payment: UnknownPayment }
  | { readonly kind: 'paidWithdrawalLost'; readonly paid: PaidWithdrawal };
