import { z } from 'zod';
import { depositDecisions, depositStatuses } from '#model/wallet.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const number = () =>
  z
    .int()
    .min(1)
    .meta({ description: 'Running number of the deposit.', examples: [1] });
const payment = {
  asset: field.assetCode(),
  network: field.networkCode(),
  address: field.text('Address that was paid.', 128),
  memo: field.text('Memo of the payment; null: it had none.', 64).nullable(),
  txId: field.text('Transaction on the network.', 128),
  output: field.whole('Which part of the transaction, from 0.', { min: 0, max: 1_000_000_000 }),
  amount: field.amount('What was paid.'),
};

const deposit = z.strictObject({
  deposit: number(),
  uid: field.uid('Whose it is; null while nobody knows.').nullable(),
  ...payment,
  status: field.word(depositStatuses, 'What became of it so far.'),
  confirmations: z.int().meta({ description: 'Blocks that have it in their past.' }),
  minConfirm: z.int().meta({ description: 'Confirmations that it needed when it last changed.' }),
  isInside: field.flag('Came from another account of this exchange, without a chain.'),
  approvals: z.array(z.string()).meta({
    description: 'Operators who approved it, where custody was not asked. A credit takes two.',
    examples: [['erin']],
  }),
  paidBackBy: z
    .int()
    .nullable()
    .meta({
      description:
        'Number of the newest withdrawal that pays it back, or did, until that is final and a day old; null: none.',
      examples: [null],
    }),
  insertedAt: field.moment('When it was seen.'),
  updatedAt: field.moment('When it last changed.'),
});

const ofDeposit = z.strictObject({ deposit: number() });

/** Endpoints of deposits. */
export const depositEndpoints = {
  listDeposits: endpoint.get('/v1/deposits', {
    scope: 'deposits:read',
    name: 'List deposits',
    command: 'deposits list',
    summary: 'Deposits that can still change and those of the last days, the oldest first.',
    notes: 'Those that wait for an operator are `largeDelay`, `auditing`, `invalid` and `restricted`.',
    query: z.strictObject({
      status: field.word(depositStatuses, 'Only those in this state.').optional(),
      network: field.networkCode('Only those on this network.').optional(),
      uid: field.uid('Only those of this account.').optional(),
      ...field.paging,
    }),
    answer: field.page(deposit),
    problems: ['unknownAccount'],
  }),
  listDepositsOfAccount: endpoint.get('/v1/accounts/{uid}/deposits', {
    scope: 'deposits:read',
    name: 'Deposits of an account',
    command: 'accounts deposits',
    summary: 'Every deposit that an account ever had, newest first.',
    parameters: z.strictObject({ uid: field.uid() }),
    query: z.strictObject(field.past),
    answer: field.page(deposit),
    problems: ['unknownAccount', 'historyUnavailable'],
  }),
  getDeposit: endpoint.get('/v1/deposits/{deposit}', {
    scope: 'deposits:read',
    name: 'Look at a deposit',
    command: 'deposits show',
    summary: 'One deposit, until some days after it was settled.',
    parameters: ofDeposit,
    answer: deposit,
    problems: ['unknownDeposit'],
  }),
  reviewDeposit: endpoint.post('/v1/deposits/{deposit}/review', {
    scope: 'deposits:review',
    name: 'Review a deposit',
    command: {
      'deposits credit': { decision: 'credit' },
      'deposits reject': { decision: 'reject' },
      'deposits refund': { decision: 'refund' },
      'deposits flag': { decision: 'flag' },
      'deposits paid-back': { decision: 'paidBack' },
    },
    asksFirst: { decision: ['credit', 'reject', 'refund', 'paidBack'] },
    summary: 'Credits, rejects or refunds a deposit that waits for an operator, or flags one for auditing.',
    notes:
      'Before a credit custody is asked for the payment. Where nobody looks at the chain, a credit takes two ' +
      'operators: the first one is noted in `approvals`. `refund` pays nothing yet: say where to ' +
      '(`deposits pay-back`) or, on a network that the exchange does not pay on, pay it back yourself and say so by ' +
      '`paidBack`.',
    parameters: ofDeposit,
    body: z
      .strictObject({
        decision: field.word(depositDecisions, 'What to do with it.'),
        uid: field.uid('Whose it is, where nobody knew.').optional(),
      })
      .meta({ examples: [{ decision: 'credit' }] }),
    answer: deposit,
    problems: [
      'unknownDeposit',
      'unknownAccount',
      'wrongState',
      'notConfirmed',
      'notYet',
      'notOnChain',
      'networkUnavailable',
      'paidByCustody',
      'sameOperator',
      'mayMakeTokens',
      'aboveAssetCap',
      'accountClosed',
      'invalidConfiguration',
    ],
  }),
  payBackDeposit: endpoint.post('/v1/deposits/{deposit}/refund', {
    scope: 'deposits:review',
    name: 'Pay a deposit back',
    command: 'deposits pay-back',
    asksFirst: true,
    summary: 'Has a deposit that is to be refunded paid back from the hot wallet, less the fee of a withdrawal.',
    notes:
      "Ask the payer for the address: the one that an exchange or a contract paid from is often not the payer's. " +
      'A withdrawal of the ' +
      'house pays it (`paidBackBy`), with the approvals, limits and waits of any withdrawal. Where it fails or is ' +
      'cancelled, the deposit is to be refunded again. Custody is asked for the payment before.',
    parameters: ofDeposit,
    body: z
      .strictObject({
        address: field.text('Where it is paid back to, on the network that it came over.', 128),
        memo: field.text('Memo of that address; null: none.', 64).nullable().default(null),
      })
      .meta({ examples: [{ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }] }),
    answer: deposit,
    status: 201,
    problems: [
      'unknownDeposit',
      'wrongState',
      'notPaidByCustody',
      'noNormalForm',
      'addressNotAllowed',
      'nothingLeft',
      'notConfirmed',
      'notOnChain',
      'networkUnavailable',
      'notYet',
      'withdrawalsOff',
      'mayMakeTokens',
      'tooManyInProgress',
      'aboveAssetCap',
      'unknownNetwork',
      'invalidConfiguration',
    ],
  }),
  cancelRefund: endpoint.delete('/v1/deposits/{deposit}/refund', {
    scope: 'deposits:review',
    name: 'Cancel a refund',
    command: 'deposits cancel-refund',
    asksFirst: true,
    summary: 'Cancels the withdrawal that was to pay a deposit back, before it is taken up: the deposit waits again.',
    parameters: ofDeposit,
    answer: deposit,
    problems: ['unknownDeposit', 'wrongState', 'notCancellable'],
  }),
  reportDeposit: endpoint.post('/v1/deposits', {
    scope: 'deposits:review',
    name: 'Report a deposit by hand',
    command: 'deposits report',
    asksFirst: true,
    summary: 'Reports a payment that custody does not see.',
    notes:
      'Such as a native coin by the internal call of a contract, or any coin on a network that is only watched. Look ' +
      'at the transaction first. Where custody sees the chain it is asked for it, and the deposit is like any other. ' +
      'Where nobody looks, it waits until another operator credits it. There is one credit per network, txId and ' +
      'output, ever.',
    body: z.strictObject(payment).meta({
      examples: [
        {
          asset: 'ETH',
          network: 'ETH',
          address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
          memo: null,
          txId: `0x${'ab'.repeat(32)}`,
          output: 0,
          amount: '1.5',
        },
      ],
    }),
    answer: deposit,
    status: 201,
    problems: [
      'unknownNetwork',
      'noNormalForm',
      'settledBefore',
      'notOnChain',
      'networkUnavailable',
      'notYet',
      'mayMakeTokens',
      'invalidConfiguration',
      'wrongAmount',
      'walletNotConfigured',
    ],
  }),
};
