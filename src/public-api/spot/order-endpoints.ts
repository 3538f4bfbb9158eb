import { z } from 'zod';
import * as answer from '#public-api/declaration/answers.ts';
import { endpoint, signed } from '#public-api/declaration/endpoint.ts';
import type { ErrorName } from '#http/errors.ts';
import * as field from '#public-api/declaration/fields.ts';
import { wireLimits } from '#http/limits.ts';
import { orderParameters, orderRules } from '#public-api/spot/order-draft.ts';
import { orderKindWord, orderStatusWord, sideWord, stpCancelWord, stpModeWord } from '#http/words.ts';

const limits = wireLimits.orders;
const shared = { surface: 'spot', envelope: 'bare' } as const;

const sideWords = z.enum(sideWord);
const typeWords = z.enum(orderKindWord);
const statusWords = z.enum(orderStatusWord);
const timeInForceWords = z.enum(['GTC', 'IOC', 'FOK']);
const stpWords = z.enum(stpModeWord);
const noList = z.literal(-1);

const orderErrors: readonly ErrorName[] = [
  'invalidSymbol',
  'tradingSuspended',
  'tradingDisabled',
  'sideNotAllowed',
  'orderTypeNotAllowed',
  'marketOrderDisabled',
  'parameterRequired',
  'invalidParameter',
  'illegalCharacters',
  'belowMinimum',
  'aboveMaximum',
  'noValidPrice',
  'tooManyOpenOrders',
  'noOpposingOrder',
  'insufficientPosition',
  'oversold',
];
const example = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '50000' } as const;

const canceledShape = {
  symbol: answer.symbolName(),
  origClientOrderId: z.string().nullable(),
  orderId: z.string(),
  clientOrderId: z.string().nullable(),
  price: answer.decimalText(),
  origQty: answer.decimalText(),
  executedQty: answer.decimalText(),
  cummulativeQuoteQty: answer.decimalText(),
  status: statusWords,
  timeInForce: timeInForceWords,
  type: typeWords,
  side: sideWords,
};
const reference = {
  symbol: field.symbol(),
  orderId: field.optional(field.orderId()),
  origClientOrderId: field.optional(field.clientOrderId()),
};
const oneReference = [
  { kind: 'oneOf', parameters: ['orderId', 'origClientOrderId'], error: 'orderRefRequired' },
] as const;

const orderShape = {
  symbol: answer.symbolName(),
  orderId: z.string(),
  orderListId: noList,
  clientOrderId: z.string().nullable(),
  origClientOrderId: z.string().nullable(),
  price: answer.decimalText(),
  origQty: answer.decimalText(),
  executedQty: answer.decimalText(),
  cummulativeQuoteQty: answer.decimalText(),
  status: statusWords,
  timeInForce: timeInForceWords,
  type: typeWords,
  side: sideWords,
  stopPrice: answer.unused(),
  icebergQty: answer.unused(),
  time: answer.moment(),
  updateTime: answer.moment(),
  isWorking: z.boolean(),
  stpMode: stpWords,
  cancelReason: z.literal(stpCancelWord).nullable(),
  origQuoteOrderQty: answer.decimalText(),
};

const moments = {
  startTime: field.optional(
    field.timestampMs('First moment, inclusive; earlier than may be queried counts as the earliest.'),
  ),
  endTime: field.optional(field.timestampMs('Last moment, inclusive.')),
};
const ascending = [{ kind: 'ascending', parameters: ['startTime', 'endTime'] }] as const;

/** Endpoints of order entry. */
export const placingEndpoints = {
  placeOrder: endpoint.post('/api/v3/order', {
    ...shared,
    spec: ['SPEC-ORD-01', 'SPEC-ORD-02', 'SPEC-ORD-03', 'SPEC-ORD-04', 'SPEC-STP-01'],
    name: 'Place order',
    summary: 'Places an order.',
    notes:
      'LIMIT, LIMIT_MAKER, IMMEDIATE_OR_CANCEL and FILL_OR_KILL need quantity and price; MARKET needs quantity or ' +
      'quoteOrderQty. The same newClientOrderId with the same parameters answers the first order again.',
    access: signed('SPOT_DEAL_WRITE'),
    weight: { ip: 1, uid: 1 },
    request: orderParameters,
    rules: orderRules,
    drafts: true,
    response: z.object({
      symbol: answer.symbolName(),
      orderId: z.string(),
      orderListId: noList,
      price: answer.decimalText(),
      origQty: answer.decimalText(),
      type: typeWords,
      side: sideWords,
      stpMode: stpWords,
      transactTime: answer.moment(),
    }),
    errors: orderErrors,
    example,
  }),
  testOrder: endpoint.post('/api/v3/order/test', {
    ...shared,
    spec: ['SPEC-ORD-05'],
    name: 'Test order',
    summary: 'Checks an order as placing it would, balance included, and changes nothing.',
    access: signed('SPOT_DEAL_WRITE'),
    weight: { ip: 1 },
    request: orderParameters,
    rules: orderRules,
    drafts: true,
    response: z.object({}),
    errors: orderErrors,
    example,
  }),
  placeOrders: endpoint.post('/api/v3/batchOrders', {
    ...shared,
    spec: ['SPEC-ORD-06', 'SPEC-ORD-07', 'SPEC-ORD-08'],
    name: 'Place batch orders',
    summary: 'Places up to 20 orders of one pair; each succeeds or fails on its own.',
    access: signed('SPOT_DEAL_WRITE'),
    weight: { ip: 1, uid: 1 },
    callsPerSecond: limits.heavyCallsPerSecond,
    request: z.object({ batchOrders: field.orders(limits.perBatch) }),
    jsonArrays: ['batchOrders'],
    drafts: true,
    response: z.array(
      z.union([
        z.object({
          symbol: answer.symbolName(),
          orderId: z.string(),
          orderListId: noList,
          newClientOrderId: z.string().optional(),
        }),
        z.object({ newClientOrderId: z.string().nullable(), msg: z.string(), code: z.number().int() }),
      ]),
    ),
    errors: orderErrors,
    example: {
      batchOrders: '[{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT_ORDER","quantity":"0.001","price":"50000"}]',
    },
  }),
};

/** Endpoints that cancel one order or all. */
export const cancelEndpoints = {
  cancelOrder: endpoint.delete('/api/v3/order', {
    ...shared,
    spec: ['SPEC-ORD-09', 'SPEC-ORD-10'],
    name: 'Cancel order',
    summary: 'Cancels an open order and answers its state after that.',
    access: signed('SPOT_DEAL_WRITE'),
    mayBeFrozen: true,
    weight: { ip: 1, uid: 1 },
    request: z.object({
      ...reference,
      newClientOrderId: field.optional(
        field.clientOrderId("The trader's own id of this cancel, answered as clientOrderId."),
      ),
    }),
    rules: oneReference,
    response: z.object(canceledShape),
    errors: ['badSymbol', 'orderRefRequired', 'unknownOrder'],
    example: { symbol: 'BTCUSDT', orderId: 'C02__100000000000000001' },
  }),
  cancelOpenOrders: endpoint.delete('/api/v3/openOrders', {
    ...shared,
    spec: ['SPEC-ORD-11'],
    name: 'Cancel all open orders',
    summary: 'Cancels all open orders of up to five pairs.',
    access: signed('SPOT_DEAL_WRITE'),
    mayBeFrozen: true,
    weight: { ip: 1, uid: 1 },
    request: z.object({ symbol: field.symbolList(limits.symbolsPerCancelAll) }),
    response: z.array(z.object({ ...canceledShape, orderListId: noList })),
    errors: ['badSymbol'],
    example: { symbol: 'BTCUSDT' },
  }),
};

/** Endpoints that query orders and trades of an account. */
export const orderQueryEndpoints = {
  order: endpoint.get('/api/v3/order', {
    ...shared,
    spec: ['SPEC-ORD-12', 'SPEC-ORD-13'],
    name: 'Query order',
    summary: 'One order, open or finished.',
    access: signed('SPOT_DEAL_READ'),
    weight: { ip: 2 },
    request: z.object(reference),
    rules: oneReference,
    response: z.object({
      ...orderShape,
      Qty: answer.decimalText(),
    }),
    errors: ['badSymbol', 'orderRefRequired', 'unknownOrder'],
    example: { symbol: 'BTCUSDT', orderId: 'C02__100000000000000001' },
  }),
  openOrders: endpoint.get('/api/v3/openOrders', {
    ...shared,
    spec: ['SPEC-ORD-14'],
    name: 'Open orders',
    summary: 'Open orders of up to five pairs, or all of the account.',
    access: signed('SPOT_DEAL_READ'),
    weight: { ip: 3 },
    request: z.object({ symbol: field.optional(field.symbolList(limits.symbolsPerOpenOrders)) }),
    response: z.array(z.object(orderShape)),
    errors: ['badSymbol'],
  }),
  allOrders: endpoint.get('/api/v3/allOrders', {
    ...shared,
    spec: ['SPEC-ORD-15', 'SPEC-ORD-16'],
    name: 'All orders',
    summary: 'Orders of one pair, open and finished, oldest first.',
    notes: 'The last 24 hours unless a time is given; at most the last 7 days.',
    access: signed('SPOT_DEAL_READ'),
    weight: { ip: 10 },
    readsHistory: true,
    request: z.object({
      symbol: field.symbol(),
      ...moments,
      limit: field.limit(limits.allOrdersDefault, limits.allOrdersMax),
    }),
    rules: ascending,
    response: z.array(z.object(orderShape)),
    errors: ['badSymbol'],
    example: { symbol: 'BTCUSDT' },
  }),
  myTrades: endpoint.get('/api/v3/myTrades', {
    ...shared,
    spec: ['SPEC-ORD-17', 'SPEC-ORD-18'],
    name: 'Account trades',
    summary: 'Trades of the account in one pair, oldest first.',
    notes: 'At most the last 30 days.',
    access: signed('SPOT_ACCOUNT_READ'),
    weight: { ip: 10 },
    readsHistory: true,
    request: z.object({
      symbol: field.symbol(),
      orderId: field.optional(field.orderId()),
      ...moments,
      limit: field.limit(limits.myTradesDefault, limits.myTradesMax),
    }),
    rules: ascending,
    response: z.array(
      z.object({
        symbol: answer.symbolName(),
        id: z.string(),
        orderId: z.string(),
        orderListId: noList,
        price: answer.decimalText(),
        qty: answer.decimalText(),
        quoteQty: answer.decimalText(),
        commission: answer.decimalText(),
        commissionAsset: z.string(),
        time: answer.moment(),
        isBuyer: z.boolean(),
        isMaker: z.boolean(),
        isBestMatch: z.boolean(),
        isSelfTrade: z.boolean(),
        clientOrderId: z.string().nullable(),
      }),
    ),
    errors: ['badSymbol'],
    example: { symbol: 'BTCUSDT' },
  }),
};

/** Other paths of some of them, for existing client libraries. */
export const orderAliases = {
  cancelAllOrders: endpoint.delete('/api/v3/order/all', {
    ...cancelEndpoints.cancelOpenOrders,
    spec: ['DEC-CMP-02'],
    name: 'Cancel all orders',
    summary: 'The same as DELETE openOrders, for existing client libraries.',
    aliasOf: 'cancelOpenOrders',
  }),
};
