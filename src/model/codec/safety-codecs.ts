import { amount, integer, nullable, oneOf, record, text } from '#model/codec/field-codec.ts';
import { command, type SeldomCommand } from '#model/codec/seldom-command.ts';
import { withdrawalTransaction } from '#model/codec/wallet-codecs.ts';
import type {
  LostPaymentBooking,
  PaidWithdrawal,
  PaymentBooking,
  SafetyCommand,
  UnknownPayment,
} from '#model/safety.ts';

// The order of fields and of the members of sets is the format.

const paymentBooking = oneOf<PaymentBooking>(['nothing', 'withdrawal', 'account', 'capital']);
const lostPaymentBooking = oneOf<LostPaymentBooking>(['account', 'capital']);

/** A payment that the journal did not make. */
export const unknownPayment = record<UnknownPayment>({
  network: text(),
  payment: text(),
  nonce: nullable(integer()),
  txId: nullable(text()),
  asset: nullable(integer()),
  amount: amount(),
  address: nullable(text()),
  memo: nullable(text()),
  networkFee: amount(),
  searchFrom: nullable(text()),
  foundAt: integer(),
  booking: nullable(paymentBooking),
  bookedTo: nullable(integer()),
  bookedAt: nullable(integer()),
});

/** A withdrawal that was paid. */
export const paidWithdrawal = record<PaidWithdrawal>({
  withdrawal: integer(),
  account: integer(),
  network: text(),
  asset: integer(),
  amount: amount(),
  transaction: withdrawalTransaction,
  paidAt: integer(),
  lostBy: nullable(text()),
  lostAt: nullable(integer()),
  booking: nullable(lostPaymentBooking),
});

/** Commands about payments that are not as the journal has them; see `seldomCommands`. */
export const safetyCommands: { readonly [Kind in SafetyCommand['kind']]: SeldomCommand<Kind> } = {
  recordUnknownPayment: command(76, 'recordUnknownPayment', {
    network: text(),
    nonce: nullable(integer()),
    txId: nullable(text()),
    asset: nullable(integer()),
    amount: amount(),
    address: nullable(text()),
    memo: nullable(text()),
    networkFee: amount(),
  }),
  bookUnknownPayment: command(77, 'bookUnknownPayment', {
    network: text(),
    payment: text(),
    booking: paymentBooking,
    withdrawal: nullable(integer()),
    account: nullable(integer()),
    asset: nullable(integer()),
    amount: amount(),
  }),
  recordLostPayment: command(78, 'recordLostPayment', { withdrawal: integer(), by: text() }),
  bookLostPayment: command(79, 'bookLostPayment', { withdrawal: integer(), booking: lostPaymentBooking }),
};
