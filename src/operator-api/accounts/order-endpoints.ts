import { z } from 'zod';
import { closeReasons, orderKinds, orderStatuses, sides } from '#model/order.ts';
import { endpoint } from '#operator-api/declaration/endpoint.ts';
import * as field from '#operator-api/declaration/fields.ts';

const clientOrderId = () =>
  z
    .string()
    .nullable()
    .meta({ description: 'Own id of the account; null: none.', examples: ['mine-1'] });

const order = z.strictObject({
  order: field.orderId(),
  pair: field.pairName(),
  side: field.word(sides, 'Of the base asset.'),
  kind: field.word(orderKinds, 'How long it waits, and what it takes.'),
  status: field.word(orderStatuses, 'What became of it.'),
  price: field.amount('Limit price, or the bound of a market order.'),
  quantity: field.amount('What was asked for, in the base asset; 0 where a budget was.'),
  budget: field.amount('What a market order may spend or get, in the quote asset; null: no bound.').nullable(),
  executed: field.amount('What was traded, in the base asset.'),
  executedAmount: field.amount('What was traded, in the quote asset.'),
  clientOrderId: clientOrderId(),
  closeReason: field.word(closeReasons, 'Why it is closed; null: it is open.').nullable(),
  acceptedAt: field.moment('When it was placed.'),
  updatedAt: field.moment('When it changed last.'),
});

const fill = z.strictObject({
  trade: z.string().meta({ description: 'Id of the trade, as the account knows it.' }),
  order: field.orderId(),
  pair: field.pairName(),
  side: field.word(sides, 'Of the base asset.'),
  isMaker: field.flag('Whether its order rested.'),
  isSelfTrade: field.flag('Whether both sides were of the account.'),
  price: field.amount('Price.'),
  quantity: field.amount('What was traded, in the base asset.'),
  amount: field.amount('What was traded, in the quote asset.'),
  fee: field.signedAmount('Commission.'),
  feeAsset: field.assetCode('What the commission was paid in.'),
  clientOrderId: clientOrderId(),
  at: field.moment('When.'),
});

const ofAccount = z.strictObject({ uid: field.uid() });
const pair = () => field.pairName('Only those of this pair.').optional();

/** Endpoints of the orders and fills of an account. */
export const orderEndpoints = {
  listOrders: endpoint.get('/v1/accounts/{uid}/orders', {
    scope: 'accounts:read',
    name: 'Orders of an account',
    command: 'orders list',
    summary: 'Open or closed orders of an account on pairs, newest first.',
    notes: 'Orders of contracts are listed by contract.',
    parameters: ofAccount,
    query: z.strictObject({
      state: field.word(['open', 'closed'], 'Which.').default('open'),
      pair: pair(),
      ...field.past,
    }),
    answer: field.page(order),
    problems: ['unknownAccount', 'unknownPair', 'historyUnavailable'],
  }),
  listFills: endpoint.get('/v1/accounts/{uid}/fills', {
    scope: 'accounts:read',
    name: 'Fills of an account',
    command: 'orders fills',
    summary: 'Trades of an account on pairs, newest first, each side of a self-trade by itself.',
    parameters: ofAccount,
    query: z.strictObject({ pair: pair(), ...field.past }),
    answer: field.page(fill),
    problems: ['unknownAccount', 'unknownPair', 'historyUnavailable'],
  }),
  cancelOrders: endpoint.delete('/v1/accounts/{uid}/orders', {
    scope: 'accounts:write',
    name: 'Cancel all orders of an account',
    command: 'orders cancel-all',
    asksFirst: true,
    summary: 'Cancels the open orders of an account, of pairs and contracts, or those of one of them.',
    notes: 'The answer comes when all that were open are cancelled. What the account places meanwhile stays.',
    parameters: ofAccount,
    query: z.strictObject({
      pair: pair(),
      contract: field.contractName('Only those of this contract.').optional(),
    }),
    answer: z.strictObject({
      openOrders: field.whole('Open orders that the account has now.', { min: 0, max: Number.MAX_SAFE_INTEGER }),
    }),
    problems: ['unknownAccount', 'unknownPair', 'unknownContract'],
  }),
  cancelOrder: endpoint.delete('/v1/accounts/{uid}/orders/{order}', {
    scope: 'accounts:write',
    name: 'Cancel an order of an account',
    command: 'orders cancel',
    asksFirst: true,
    summary: 'Cancels an open order of an account on a pair.',
    parameters: ofAccount.extend({ order: field.orderId() }),
    answer: order,
    problems: ['unknownAccount', 'unknownOrder', 'historyUnavailable'],
  }),
};
