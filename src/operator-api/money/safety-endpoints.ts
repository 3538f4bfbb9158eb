import { z } from 'zod';
import { profiles } from '#model/profile.ts';
import { lostPaymentBookings, paymentBookings } from '#model/safety.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const withdrawalNumber = () =>
  z
    .int()
    .min(1)
    .meta({ description: 'Running number of the withdrawal.', examples: [1] });
const depositNumber = () =>
  z
    .int()
    .min(1)
    .meta({ description: 'Running number of the deposit that it paid back.', examples: [1] });
const transaction = () =>
  z
    .string()
    .min(1)
    .max(128)
    .regex(/^[\x21-\x7e]+$/, 'must be visible characters');
const toDo = () =>
  z.string().nullable().meta({ description: 'What an operator has to do, in a sentence; null: nothing.' });

const unknownPayment = z.strictObject({
  network: field.networkCode(),
  payment: z
    .string()
    .meta({ description: 'Names it on its network: its nonce, else its transaction.', examples: ['7'] }),
  nonce: z.int().nullable(),
  txId: z.string().nullable().meta({ description: 'Its transaction; null: it was not found yet.' }),
  asset: field.assetCode('What it moved; null: not known.').nullable(),
  amount: field.amount('How much of it; null: not known.').nullable(),
  address: z.string().nullable(),
  memo: z.string().nullable(),
  networkFee: field.amount('What its network took of the native coin; null: that is not listed.').nullable(),
  foundAt: field.moment('When it was found.'),
  booking: z.enum(paymentBookings).nullable().meta({
    description: 'What it was; null: nobody decided yet. `nothing`: it moved no coin, and only its fee is booked.',
  }),
  withdrawal: withdrawalNumber().nullable(),
  uid: field.uid('The account that it was booked to.').nullable(),
  deposit: depositNumber().nullable(),
  bookedAt: field.moment('When it was booked.').nullable(),
  toDo: toDo(),
});

const lostPayment = z.strictObject({
  withdrawal: withdrawalNumber(),
  uid: field.uid('Whose it is.').nullable(),
  network: field.networkCode(),
  asset: field.assetCode(),
  amount: field.amount('What its receiver did not get.'),
  txId: z.string().meta({ description: 'Its transaction, which can never be in a block.' }),
  lostBy: z.string().meta({ description: 'The transaction that took its place.' }),
  lostAt: field.moment('When that was found.'),
  booking: z.enum(lostPaymentBookings).nullable().meta({ description: 'What was decided; null: nothing yet.' }),
  toDo: toDo(),
});

const network = z.strictObject({
  network: field.networkCode(),
  isGuarded: field.flag('Whether payments of its hot wallet are compared with the journal.'),
  isHeld: field.flag('Whether its withdrawals are held: none is released, signed or sent.'),
  reason: z.string().nullable().meta({ description: 'Why it is held or not guarded; null: neither.' }),
  waitsForFunds: z
    .array(
      field.lackingFunds().extend({
        withdrawals: z.int().min(1).meta({ description: 'How many withdrawals wait for it.' }),
      }),
    )
    .meta({ description: 'Coins that its hot wallet lacks: what waits for them goes on by itself when they arrive.' }),
});

/** Endpoints about payments that are not as the journal has them. */
export const safetyEndpoints = {
  getSafety: endpoint.get('/v1/safety', {
    scope: 'withdrawals:read',
    name: 'Safety',
    command: 'safety',
    summary: 'The profile, the networks whose withdrawals are held, and payments that wait for a booking.',
    notes:
      'After a restored backup the journal lacks what was paid since. Each such payment of a hot wallet holds the ' +
      'withdrawals of its network until it is booked, so that nothing is paid twice.',
    answer: z.strictObject({
      profile: z.enum(profiles).nullable().meta({ description: 'What this exchange is run for; it never changes.' }),
      isAlone: field.flag('Whether one operator runs the exchange alone.'),
      openProposals: z
        .array(z.int().min(1))
        .meta({ description: 'Numbers of changes that lower a protection and wait: see GET /v1/proposals.' }),
      networks: z.array(network),
      unknownPayments: z.array(unknownPayment).meta({ description: 'Payments that the journal did not make.' }),
      lostPayments: z
        .array(lostPayment)
        .meta({ description: 'Paid withdrawals that a reorganisation undid for good.' }),
    }),
  }),
  bookPayment: endpoint.post('/v1/safety/payments/{network}/{payment}/bookings', {
    scope: 'withdrawals:review',
    name: 'Book an unknown payment',
    command: 'safety book',
    asksFirst: true,
    summary: 'Says what a payment was that the journal does not know. The last one lets withdrawals go on.',
    notes:
      '`withdrawal`: it paid this withdrawal, which becomes a success. `account`: it paid out money of this account; ' +
      'what the account does not have is a claim of the house. `capital`: it was the own money of the operator. ' +
      '`revenue`: it took out fees. `refund`: it paid this deposit back, or most of it; the rest becomes capital. ' +
      'Where the exchange could not find the transaction, name it as `txId`; where it cannot tell what was moved, ' +
      'give `asset` and `amount`.',
    parameters: z.strictObject({ network: field.networkCode(), payment: transaction() }),
    body: z
      .strictObject({
        booking: z
          .enum(['withdrawal', 'account', 'capital', 'revenue', 'refund'])
          .meta({ description: 'What it was.' }),
        withdrawal: withdrawalNumber().optional(),
        uid: field.uid('The account that was paid, with `account`.').optional(),
        deposit: depositNumber().optional(),
        txId: transaction().optional().meta({ description: 'Its transaction, where `txId` is null.' }),
        asset: field.assetCode('What it moved, where `asset` is null.').optional(),
        amount: field.amount('How much of it.').optional(),
      })
      .meta({ examples: [{ booking: 'withdrawal', withdrawal: 1 }] }),
    answer: unknownPayment,
    problems: [
      ...([
        'unknownPayment',
        'unknownWithdrawal',
        'unknownDeposit',
        'aboveAssetCap',
        'unknownAsset',
        'wrongState',
        'paymentDiffers',
        'wrongAmount',
      ] as const),
      ...(['houseHasTooLittle', 'networkUnavailable', 'noNormalForm'] as const),
    ],
  }),
  bookLostPayment: endpoint.post('/v1/safety/lost/{withdrawal}/bookings', {
    scope: 'withdrawals:review',
    name: 'Book a lost payment',
    command: 'safety book-lost',
    asksFirst: true,
    summary: 'Says what becomes of a paid withdrawal whose payment can never be on its chain.',
    notes:
      '`account`: its account gets back what the receiver did not get. `capital`: it is the own money of the ' +
      'operator, who pays the receiver in another way. The withdrawal stays a success.',
    parameters: z.strictObject({ withdrawal: withdrawalNumber() }),
    body: z
      .strictObject({ booking: field.word(lostPaymentBookings, 'What becomes of it.') })
      .meta({ examples: [{ booking: 'account' }] }),
    answer: lostPayment,
    problems: ['unknownWithdrawal', 'wrongState', 'accountClosed', 'aboveAssetCap', 'houseHasTooLittle'],
  }),
} as const;
