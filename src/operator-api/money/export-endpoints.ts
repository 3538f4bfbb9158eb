import { z } from 'zod';
import { postingKinds } from '#model/account.ts';
import { closeReasons, orderKinds, orderStatuses, sides } from '#model/order.ts';
import { products, rebateShares } from '#model/rebate.ts';
import { depositStatuses, walletKinds, withdrawalStatuses } from '#model/wallet.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';
import { referenceTypes } from '#operator-api/money/ledger-endpoints.ts';

const text = (description: string) => z.string().meta({ description });
const owner = field.uid().nullable().meta({ description: 'Uid of the account; null: nobody knows whose it is.' });
const decimal = (description: string) => field.signedAmount(description);

const query = z.strictObject({
  uid: field.uid('Only of this account; without it of all accounts.').optional(),
  ...field.streamed,
});

/** What each line of a statement is. */
export const statementLineTypes = ['opening', 'line', 'closing'] as const;

const statementLine = z.strictObject({
  type: field.word(statementLineTypes, 'Balance before the span, a change within it, or balance after it.'),
  wallet: field.word(walletKinds, 'Which wallet of the account.'),
  asset: field.assetCode(),
  at: field.moment('When it was posted; null: a balance.').nullable(),
  seq: z.int().nullable().meta({ description: 'Position of the command in the journal; null: a balance.' }),
  line: z.int().nullable().meta({ description: 'Number of the line within the command; null: a balance.' }),
  change: decimal('What was owned more or less; null: a balance.').nullable(),
  balance: decimal('What the wallet owned of the asset then.'),
  reason: field.word(postingKinds, 'Why money moved; null: a balance.').nullable(),
  referenceType: field.word(referenceTypes, 'What caused it; null: nothing of these.').nullable(),
  reference: text('Its id or number; null: there is none.').nullable(),
});

const pairMembers = {
  pair: text('Pair or contract.'),
  side: field.word(sides, 'Which side.'),
};

/** What a tax line is: a fill on a pair, or why money moved otherwise. */
export const taxKinds = ['trade', 'conversion', ...postingKinds] as const;

const orderLine = z.strictObject({
  uid: owner,
  order: field.orderId(),
  ...pairMembers,
  kind: field.word(orderKinds, 'Kind of order.'),
  status: field.word(orderStatuses, 'How it ended.'),
  closeReason: field.word(closeReasons, 'Why it was closed; null: it was filled.').nullable(),
  acceptedAt: field.moment('When it was accepted.'),
  closedAt: field.moment('When it ended.'),
  price: decimal('Limit price.'),
  quantity: decimal('What was ordered.'),
  executed: decimal('What was traded of it; of contracts in contracts.'),
  executedAmount: decimal('What was paid or received for it, in the quote asset.'),
  clientOrderId: text('Id that the account gave it; null: none.').nullable(),
});

const fillLine = z.strictObject({
  uid: owner,
  at: field.moment('When it was traded.'),
  ...pairMembers,
  trade: text('Public id of the trade.'),
  order: field.orderId(),
  isMaker: field.flag('Whether the order was resting.'),
  price: decimal('Price.'),
  quantity: decimal('What was traded; of contracts in contracts.'),
  amount: decimal('What was paid or received for it, in the quote asset.'),
  fee: decimal('Commission.'),
  feeAsset: field.assetCode('What the commission was paid in.'),
});

const paymentMembers = {
  uid: owner,
  asset: field.assetCode(),
  network: field.networkCode(),
  amount: decimal('What was paid.'),
  address: text('Address that was paid to.'),
  memo: text('Memo; null: none.').nullable(),
  isInside: field.flag('Whether it was a payment between accounts of this exchange.'),
  updatedAt: field.moment('When it changed last.'),
};

const depositLine = z.strictObject({
  at: field.moment('When it was seen first.'),
  deposit: z.int().meta({ description: 'Number of the deposit.' }),
  ...paymentMembers,
  status: field.word(depositStatuses, 'How far it is.'),
  txId: text('Its transaction.'),
});

const withdrawalLine = z.strictObject({
  at: field.moment('When it was requested.'),
  withdrawal: z.int().meta({ description: 'Number of the withdrawal.' }),
  id: text('Id that the account knows.'),
  ...paymentMembers,
  fee: decimal('Fee of it, part of the amount.'),
  status: field.word(withdrawalStatuses, 'How far it is.'),
  txId: text('Its transaction; null: none yet.').nullable(),
});

const rebateLine = z.strictObject({
  at: field.moment('When the commission was paid.'),
  uid: owner,
  sourceUid: owner,
  share: field.word(rebateShares, 'Whose share it is.'),
  product: field.word(products, 'What was traded.'),
  asset: field.assetCode(),
  ratePpm: z.int().meta({ description: 'Rate of the commission, in parts per million.' }),
  amount: decimal('The rebate.'),
  rejectedAt: field.moment('When it was rejected; null: it was not.').nullable(),
});

const taxLine = z.strictObject({
  at: field.moment('When it happened.'),
  uid: owner,
  kind: field.word(taxKinds, 'A trade on a pair, a conversion of dust, or why money moved otherwise.'),
  gotAmount: decimal('What the account got; null: nothing.').nullable(),
  gotAsset: field.assetCode('Of which asset; null: of none.').nullable(),
  gaveAmount: decimal('What it gave; null: nothing.').nullable(),
  gaveAsset: field.assetCode('Of which asset; null: of none.').nullable(),
  feeAmount: decimal('What it paid as a fee; null: nothing.').nullable(),
  feeAsset: field.assetCode('In which asset; null: in none.').nullable(),
  reference: text('Id of the trade, or of what caused it; null: none.').nullable(),
});

const shared = { scope: 'ledger:read', query, problems: ['unknownAccount'] } as const;
const order = 'By account, each oldest first.';

/** Statements and exports: everything there is, as streams. DEC-OPR-225, DEC-OPR-226. */
export const exportEndpoints = {
  getStatement: endpoint.stream('/v1/accounts/{uid}/statement', {
    scope: 'ledger:read',
    name: 'Statement of an account',
    command: 'statement',
    summary: 'Balances before a span, every change within it, and balances after it.',
    notes: 'Of both wallets: opening balances, the lines of spot, those of futures, closing balances.',
    parameters: z.strictObject({ uid: field.uid() }),
    query: z.strictObject(field.streamed),
    answer: statementLine,
    problems: ['unknownAccount'],
  }),
  exportOrders: endpoint.stream('/v1/exports/orders', {
    ...shared,
    name: 'Export of orders',
    command: 'export orders',
    summary: 'Orders that ended, by the time at which they were accepted.',
    notes: 'By account, pair and contract, each oldest first.',
    answer: orderLine,
  }),
  exportFills: endpoint.stream('/v1/exports/fills', {
    ...shared,
    name: 'Export of fills',
    command: 'export fills',
    summary: 'Sides of trades, as their accounts see them.',
    notes: 'By account, pair and contract, each oldest first.',
    answer: fillLine,
  }),
  exportDeposits: endpoint.stream('/v1/exports/deposits', {
    ...shared,
    name: 'Export of deposits',
    command: 'export deposits',
    summary: 'Deposits as they are now, by the time at which they were seen first.',
    notes: order,
    answer: depositLine,
  }),
  exportWithdrawals: endpoint.stream('/v1/exports/withdrawals', {
    ...shared,
    name: 'Export of withdrawals',
    command: 'export withdrawals',
    summary: 'Withdrawals as they are now, by the time at which they were requested.',
    notes: order,
    answer: withdrawalLine,
  }),
  exportRebates: endpoint.stream('/v1/exports/rebates', {
    ...shared,
    name: 'Export of rebates',
    command: 'export rebates',
    summary: 'What accounts earned of commissions of others, and got back of their own.',
    notes: order,
    answer: rebateLine,
  }),
  exportTax: endpoint.stream('/v1/exports/tax', {
    ...shared,
    name: 'Export for tax programs',
    command: 'export tax',
    summary: 'Each trade and each other change of what is owned as a line: what was got, given, and paid as a fee.',
    notes:
      'By account: trades on pairs, then the spot wallet, then futures. Moves between wallets of one account are none.',
    answer: taxLine,
  }),
};
