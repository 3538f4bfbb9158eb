import type { AnswerOf, PrivateDealsV3Api, PrivateOrdersV3Api } from '#client/client.ts';

/** Direction of an order. */
export type Side = 'BUY' | 'SELL';

/** Kinds of orders as the API names them. */
export const orderTypes = ['LIMIT', 'LIMIT_MAKER', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL', 'MARKET'] as const;
export type OrderType = (typeof orderTypes)[number];

/** What orders may be. */
export const orderStatuses = ['NEW', 'FILLED', 'PARTIALLY_FILLED', 'CANCELED', 'PARTIALLY_CANCELED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** An order of the account. Decimals are text. */
export interface Order {
  readonly symbol: string;
  readonly id: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: string;
  readonly quantity: string;
  readonly executed: string;
  /** What it traded, in the quote asset. */
  readonly executedQuote: string;
  readonly status: OrderStatus;
  /** When it was accepted, milliseconds since 1970 UTC. */
  readonly at: number;
}

/** A fill of the account. */
export interface Fill {
  readonly symbol: string;
  readonly id: string;
  readonly orderId: string;
  readonly side: Side;
  readonly price: string;
  readonly quantity: string;
  readonly amount: string;
  readonly fee: string;
  readonly feeAsset: string;
  readonly isMaker: boolean;
  readonly at: number;
}

/** An order, and a fill, as the API answers them. */
export type RestOrder = AnswerOf<'allOrders'>[number];
export type RestFill = AnswerOf<'myTrades'>[number];

/** Whether an order can still trade. */
export const isOpen = ({ status }: Order): boolean => status === 'NEW' || status === 'PARTIALLY_FILLED';

/** At which price an order traded on average, to ten digits, for a glance; `null`: it did not trade. */
export function averagePrice({ executed, executedQuote }: Order): string | null {
  const [lots, amount] = [Number(executed), Number(executedQuote)];
  return lots > 0 ? (amount / lots).toFixed(10) : null;
}

/** An order from an answer. */
export const orderOfRest = (order: RestOrder): Order => ({
  symbol: order.symbol,
  id: order.orderId,
  side: order.side,
  type: order.type,
  price: order.price,
  quantity: order.origQty,
  executed: order.executedQty,
  executedQuote: order.cummulativeQuoteQty,
  status: order.status,
  at: order.time,
});

const sideOf = (tradeType: number): Side => (tradeType === 1 ? 'BUY' : 'SELL');

/** An order from a push. Wire numbers count from 1: `1 LIMIT_ORDER … 5 MARKET_ORDER`, `1 not traded …`. */
export const orderOfPush = (symbol: string, push: PrivateOrdersV3Api): Order => ({
  symbol,
  id: push.id,
  side: sideOf(push.tradeType),
  type: orderTypes[push.orderType - 1] ?? 'LIMIT',
  price: push.price,
  quantity: push.quantity,
  executed: push.cumulativeQuantity,
  executedQuote: push.cumulativeAmount,
  status: orderStatuses[push.status - 1] ?? 'NEW',
  at: push.createTime,
});

/** A fill from an answer. */
export const fillOfRest = (fill: RestFill): Fill => ({
  symbol: fill.symbol,
  id: fill.id,
  orderId: fill.orderId,
  side: fill.isBuyer ? 'BUY' : 'SELL',
  price: fill.price,
  quantity: fill.qty,
  amount: fill.quoteQty,
  fee: fill.commission,
  feeAsset: fill.commissionAsset,
  isMaker: fill.isMaker,
  at: fill.time,
});

/** A fill from a push. */
export const fillOfPush = (symbol: string, push: PrivateDealsV3Api): Fill => ({
  symbol,
  id: push.tradeId,
  orderId: push.orderId,
  side: sideOf(push.tradeType),
  price: push.price,
  quantity: push.quantity,
  amount: push.amount,
  fee: push.feeAmount,
  feeAsset: push.feeCurrency,
  isMaker: push.isMaker,
  at: push.time,
});
