import { z } from 'zod';
import { engineLimits } from '#model/limits.ts';
import { withdrawalDecisions, withdrawalStatuses } from '#model/wallet.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const number = () =>
  z
    .int()
    .min(1)
    .meta({ description: 'Running number of the withdrawal.', examples: [1] });

const publicId = () =>
  z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex characters')
    .meta({ description: 'Id that the account knows it by.', examples: ['5f3c'.repeat(8)] });

const pastWithdrawal = z.strictObject({
  withdrawal: number(),
  id: publicId(),
  uid: field.uid('Whose it is; null: it pays a deposit back.').nullable(),
  asset: field.assetCode(),
  network: field.networkCode(),
  address: z.string(),
  memo: z.string().nullable(),
  amount: field.amount('What the account pays, fee included.'),
  fee: field.amount('Fee.'),
  value: field.amount('Worth when it was asked for, in `valuedIn` of the wallet rules; null: no price.').nullable(),
  status: field.word(withdrawalStatuses, 'What became of it so far.'),
  isInside: field.flag('To an account of this exchange, without a chain.'),
  txId: z.string().nullable().meta({ description: 'Newest transaction; null before it is signed, and inside.' }),
  nonce: z.int().nullable().meta({ description: 'Nonce of the transaction, on chains that count them.' }),
  confirmations: z.int(),
  withdrawOrderId: z.string().nullable(),
  remark: z
    .string()
    .nullable()
    .meta({ description: 'What a review told the account, else what the account noted; its history shows it.' }),
  requestedAt: field.moment('When it was asked for.'),
  updatedAt: field.moment('When it last changed.'),
});

const withdrawal = pastWithdrawal.extend({
  deposit: z
    .int()
    .nullable()
    .meta({
      description: 'Number of the deposit that it pays back, for the house; null: an account asked for it.',
      examples: [null],
    }),
  approvals: z.array(z.string()).meta({ description: 'Operators who approved it.' }),
  waitsFor: z.string().nullable().meta({
    description: 'Why it is not paid now, or that operators have to pay it; null: nothing is in its way.',
  }),
  waitsForFunds: field
    .lackingFunds()
    .nullable()
    .meta({ description: 'What the hot wallet lacks for it; null: it does not wait for funds.' }),
});

const ofWithdrawal = z.strictObject({ withdrawal: number() });

/** Endpoints of withdrawals. */
export const withdrawalEndpoints = {
  listWithdrawals: endpoint.get('/v1/withdrawals', {
    scope: 'withdrawals:read',
    name: 'List withdrawals',
    command: 'withdrawals list',
    summary: 'The queue: withdrawals that can still change and those of the last day, the oldest first.',
    notes: 'Those that wait for an operator are `auditing` and `manual`.',
    query: z.strictObject({
      status: field.word(withdrawalStatuses, 'Only those in this state.').optional(),
      network: field.networkCode('Only those on this network.').optional(),
      id: publicId().optional(),
      uid: field.uid('Only those of this account.').optional(),
      ...field.paging,
    }),
    answer: field.page(withdrawal),
    problems: ['unknownAccount'],
  }),
  listWithdrawalsOfAccount: endpoint.get('/v1/accounts/{uid}/withdrawals', {
    scope: 'withdrawals:read',
    name: 'Withdrawals of an account',
    command: 'accounts withdrawals',
    summary: 'Every withdrawal that an account ever asked for, newest first.',
    parameters: z.strictObject({ uid: field.uid() }),
    query: z.strictObject(field.past),
    answer: field.page(pastWithdrawal),
    problems: ['unknownAccount', 'historyUnavailable'],
  }),
  getWithdrawal: endpoint.get('/v1/withdrawals/{withdrawal}', {
    scope: 'withdrawals:read',
    name: 'Look at a withdrawal',
    command: 'withdrawals show',
    summary: 'One withdrawal, until it is final and a day old.',
    parameters: ofWithdrawal,
    answer: withdrawal,
    problems: ['unknownWithdrawal'],
  }),
  reviewWithdrawal: endpoint.post('/v1/withdrawals/{withdrawal}/review', {
    scope: 'withdrawals:review',
    name: 'Review a withdrawal',
    command: {
      'withdrawals approve': { decision: 'approve' },
      'withdrawals reject': { decision: 'reject' },
      'withdrawals keep': { decision: 'manual' },
    },
    asksFirst: { decision: ['approve', 'reject'] },
    summary: 'Approves or rejects a withdrawal that waits for an operator, or keeps it for a closer look (`manual`).',
    notes: 'Above an amount of the wallet rules two operators have to approve. A rejected one gives the money back.',
    parameters: ofWithdrawal,
    body: z
      .strictObject({
        decision: field.word(withdrawalDecisions, 'What to do with it.'),
        remark: field
          .text(
            'What the account reads as remark in its withdraw history; null: nothing new.',
            engineLimits.remarkLength,
          )
          .nullable()
          .default(null),
      })
      .meta({ examples: [{ decision: 'reject', remark: 'Please save the address first.' }, { decision: 'approve' }] }),
    answer: withdrawal,
    problems: ['unknownWithdrawal', 'wrongState', 'sameOperator', 'mayMakeTokens'],
  }),
  recordPayment: endpoint.post('/v1/withdrawals/{withdrawal}/payment', {
    scope: 'withdrawals:review',
    name: 'Record a payment by hand',
    command: 'withdrawals record',
    asksFirst: true,
    summary: 'Says what became of a withdrawal that operators pay themselves: its transaction, or that it failed.',
    notes:
      'Only on networks whose custody signs nothing, and only once the withdrawal is `processing`. Record a payment ' +
      'when it has its confirmations: it makes the withdrawal a success. A failed one gives the money back.',
    parameters: ofWithdrawal,
    body: z
      .strictObject({
        txId: z
          .string()
          .min(1)
          .max(128)
          .regex(/^[\x21-\x7e]+$/, 'must be visible characters')
          .nullable()
          .meta({ description: 'The transaction that paid it; null: nothing was paid, and nothing will be.' }),
      })
      .meta({ examples: [{ txId: 'ab'.repeat(32) }] }),
    answer: withdrawal,
    problems: [
      'unknownWithdrawal',
      'wrongState',
      'paidByCustody',
      'noNormalForm',
      'invalidConfiguration',
      'tooManyInProgress',
    ],
  }),
};
