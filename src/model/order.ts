import { clientOrderId } from '#model/codec/client-id-codec.ts';
import { natural, nullable, oneOf, type ShapeOf } from '#model/codec/field-codec.ts';
import type { AccountId, Lots, OrderNumber, PriceTicks, Quanta, SymbolId, TimestampMs } from '#model/units.ts';

/** What an order does with the base asset; the index is its binary form. */
export const sides = ['buy', 'sell'] as const;
export type Side = (typeof sides)[number];

/** In the order of the pushed integers, which count from 1. SPEC-STR-06. */
export const orderKinds = ['limit', 'postOnly', 'immediateOrCancel', 'fillOrKill', 'market'] as const;
export type OrderKind = (typeof orderKinds)[number];

/** Self-trade prevention asked for by an order; `none` lets self trades execute. */
export const stpModes = ['none', 'cancelMaker', 'cancelTaker', 'cancelBoth'] as const;
export type StpMode = (typeof stpModes)[number];

/** In the order of the pushed integers, which count from 1. */
export const orderStatuses = ['new', 'filled', 'partiallyFilled', 'canceled', 'partiallyCanceled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Why an order left the book or never reached it. */
export const closeReasons = ['filled', 'byUser', 'stp', 'unfilledRest', 'collar', 'byExchange'] as const;
export type CloseReason = (typeof closeReasons)[number];

/** What a new order says. What is absent is `null`; the API edge checks what a kind needs. */
export const orderMembers = {
  symbol: natural<SymbolId>(),
  side: oneOf(sides),
  kind: oneOf(orderKinds),
  /** `null` for market orders. */
  price: nullable(natural<PriceTicks>()),
  /** `null` for market orders by quote amount. */
  quantity: nullable(natural<Lots>()),
  /** Quote amount of a market order: spent at most by a buy, received at most by a sell. */
  budget: nullable(natural<Quanta>()),
  clientOrderId: nullable(clientOrderId),
  stpMode: oneOf(stpModes),
};
export type OrderRequest = ShapeOf<typeof orderMembers>;

/** An order as its owner may see it: live, or closed not longer ago than its client id is kept. */
export interface OrderView {
  readonly order: OrderNumber;
  readonly account: AccountId;
  readonly symbol: SymbolId;
  readonly side: Side;
  readonly kind: OrderKind;
  readonly status: OrderStatus;
  /** Limit price, or the collar of a market order. */
  readonly price: PriceTicks;
  /** Asked quantity; of a market order by quote amount the executed one. */
  readonly quantity: Lots;
  readonly budget: Quanta | null;
  readonly executed: Lots;
  /** Quote amount of all fills. */
  readonly executedQuote: Quanta;
  readonly stpMode: StpMode;
  readonly clientOrderId: string | null;
  readonly closeReason: CloseReason | null;
  readonly acceptedAt: TimestampMs;
  readonly updatedAt: TimestampMs;
}

/** Whether what an order does not trade at once may rest in the book. */
export const mayRest = ({ kind }: Pick<OrderRequest, 'kind'>): boolean => kind === 'limit' || kind === 'postOnly';

/** How a cancel or a query names an order: by the exchange's number or by the trader's id. */
export type OrderRef = { readonly order: OrderNumber } | { readonly clientOrderId: string };

/** Status of an order from its numbers and from whether it is closed. DEC-ORD-06. */
export function statusOf(executed: number, closed: CloseReason | null): OrderStatus {
  if (closed === null) return executed === 0 ? 'new' : 'partiallyFilled';
  if (closed === 'filled') return 'filled';
  return executed === 0 ? 'canceled' : 'partiallyCanceled';
}
