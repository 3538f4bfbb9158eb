import { withdrawalTransaction } from '#model/wallet.ts';
import { amount, integer, nullable, oneOf, record, text, time, type ValueOf } from '#model/codec/field-codec.ts';
import type { AccountId, AssetId } from '#model/units.ts';

/**
 * What became of a payment that the journal did not make. `nothing`: the transaction moved no coin, and cost its fee
 * alone. The others are decisions of an operator.
 */
export const paymentBookings = ['nothing', 'withdrawal', 'account', 'capital', 'revenue', 'refund'] as const;
export type PaymentBooking = (typeof paymentBookings)[number];

/** Of a hot wallet, on its chain, and unknown to the journal: of a lost time before a backup was restored, perhaps. */
export const unknownPayment = record({
  network: text(),
  /** Names it on its network: the nonce as text, or the transaction on networks without nonces. */
  payment: text(),
  nonce: nullable(integer()),
  /** `null`: it was not found yet. */
  txId: nullable(text()),
  /** What it moved; `null`: not known, or nothing that one asset tells. */
  asset: nullable(integer<AssetId>()),
  /** In smallest units on the ledger, rounded up; 0 while the asset is `null`. */
  amount: amount(),
  address: nullable(text()),
  memo: nullable(text()),
  /** Of the network's native coin, on the ledger. */
  networkFee: amount(),
  /** From where on its transaction is searched for: how far the chain was followed when it was found. */
  searchFrom: nullable(text()),
  foundAt: time(),
  /** `null`: nobody decided yet, and the withdrawals of the network are held. */
  booking: nullable(oneOf(paymentBookings)),
  /** The withdrawal, the account or the deposit that it was booked to. */
  bookedTo: nullable(integer()),
  bookedAt: nullable(time()),
});
export type UnknownPayment = ValueOf<typeof unknownPayment>;

/** What became of a paid withdrawal whose payment can never be on its chain. */
export const lostPaymentBookings = ['account', 'capital'] as const;
export type LostPaymentBooking = (typeof lostPaymentBookings)[number];

/** A withdrawal that was paid, followed for some time: a reorganisation may drop its transaction. */
export const paidWithdrawal = record({
  withdrawal: integer(),
  account: integer<AccountId>(),
  network: text(),
  asset: integer<AssetId>(),
  /** What the receiver gets. */
  amount: amount(),
  /** As it was signed last. */
  transaction: withdrawalTransaction,
  paidAt: time(),
  /** The transaction that took its place; `null`: it can still be in a block. */
  lostBy: nullable(text()),
  lostAt: nullable(time()),
  /** What an operator decided about a lost one. */
  booking: nullable(oneOf(lostPaymentBookings)),
});
export type PaidWithdrawal = ValueOf<typeof paidWithdrawal>;

/** What happened to such payments, each with the whole record as it is now. */
export type SafetyFact =
  | { readonly kind: 'unknownPaymentChanged'; readonly payment: UnknownPayment }
  | { readonly kind: 'paidWithdrawalLost'; readonly paid: PaidWithdrawal };
