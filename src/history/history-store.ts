import type { AggregatedTrade } from '#domain/aggregated-trade.ts';
import type { OrderKind, OrderRef, OrderView, Side } from '#domain/order.ts';
import type {
  AccountId,
  AssetId,
  Lots,
  OrderNumber,
  PriceTicks,
  Quanta,
  Seq,
  SymbolId,
  TimestampMs,
  TradeNumber,
} from '#domain/units.ts';

/** A public trade. */
export interface TradeRow {
  readonly symbol: SymbolId;
  readonly trade: TradeNumber;
  readonly at: TimestampMs;
  readonly price: PriceTicks;
  readonly lots: Lots;
  readonly quoteAmount: Quanta;
  readonly takerSide: Side;
  readonly taker: OrderNumber;
}

/** One side of a trade, as its account sees it. */
export interface FillRow {
  readonly account: AccountId;
  readonly symbol: SymbolId;
  readonly trade: TradeNumber;
  readonly at: TimestampMs;
  readonly order: OrderNumber;
  readonly clientOrderId: string | null;
  /** Number of the taking order and which of its fills this was: together the public trade id. */
  readonly taker: OrderNumber;
  readonly fillOfTaker: number;
  readonly price: PriceTicks;
  readonly lots: Lots;
  readonly quoteAmount: Quanta;
  readonly side: Side;
  readonly isMaker: boolean;
  readonly isSelfTrade: boolean;
  readonly fee: Quanta;
  readonly feeAsset: AssetId;
}

export type { OrderView as OrderRow, OrderKind };

/** Lengths of the bars that are kept; every candle is an exact fold of one of them. */
export const barSpans = ['minute', 'quarter', 'hour', 'day'] as const;
export type BarSpan = (typeof barSpans)[number];
/** Length of each stored span. */
export const barSpanMs: Record<BarSpan, number> = {
  minute: 60_000,
  quarter: 900_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** A span's own trades; there is no bar where there are none. */
export interface Bar {
  readonly symbol: SymbolId;
  /** Start of the span, a multiple of its length. */
  readonly openTime: TimestampMs;
  readonly open: PriceTicks;
  readonly high: PriceTicks;
  readonly low: PriceTicks;
  readonly close: PriceTicks;
  readonly lots: bigint;
  readonly quoteAmount: bigint;
  readonly trades: number;
}

/** A symbol's trades by the second they happened in, oldest first, one row per second that has any; equal lengths. */
export interface SecondColumns {
  /** Whole seconds since 1970. */
  readonly seconds: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly trades: Float64Array;
  /** Sums as `high × 2^30 + low`, see `base/exact-sum.ts`. */
  readonly lotsHigh: Float64Array;
  readonly lotsLow: Float64Array;
  readonly quoteHigh: Float64Array;
  readonly quoteLow: Float64Array;
}

/** Both ends inclusive. */
export interface Window {
  readonly from: TimestampMs;
  readonly to: TimestampMs;
}

/** What a run of entries adds to history, written as one. */
export interface HistoryBatch {
  readonly upTo: Seq;
  readonly orders: readonly OrderView[];
  readonly trades: readonly TradeRow[];
  readonly fills: readonly FillRow[];
  /** Whole state of each minute touched: replaces the row. Coarser bars are folded by the store itself. */
  readonly bars: readonly Bar[];
}

/** What is kept how long; `null`: for ever. Public trades are kept for `keptTradesMsMin` at least. */
export interface HistoryRetention {
  readonly tradesMs: number | null;
}
/** The 24 hours that a restarted exchange needs for its rolling statistics, and one to spare. */
export const keptTradesMsMin = 25 * 3_600_000;

/** Durable answers to questions about the past. A projection of the journal: never read by the engine. */
export interface HistoryStore {
  /** Writes the batch and moves the watermark to `upTo` in one transaction; a batch at or below it is ignored. */
  write(batch: HistoryBatch): Promise<void>;
  /** Last journal position whose effects are visible to the queries below; 0 before the first batch. */
  watermark(): Promise<Seq>;
  /**
   * Closed orders by the time they were accepted, oldest first, at most `limit`: the first from `window.from` if
   * `fromStart`, else the newest. GET /api/v3/allOrders.
   */
  ordersOf(
    account: AccountId,
    symbol: SymbolId,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly OrderView[]>;
  /** A closed order; the newest with that client id. GET /api/v3/order. */
  orderOf(account: AccountId, symbol: SymbolId, ref: OrderRef): Promise<OrderView | null>;
  /** Likewise, of `order` only if one is given. GET /api/v3/myTrades. */
  fillsOf(
    account: AccountId,
    symbol: SymbolId,
    order: OrderNumber | null,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly FillRow[]>;
  /** Public trades, oldest first; `fromStart` as above. GET /api/v3/aggTrades. */
  trades(symbol: SymbolId, window: Window, limit: number, fromStart: boolean): Promise<readonly TradeRow[]>;
  /** The same merged per taking order, price and time; no merged trade is cut by `limit`. */
  aggregatedTrades(
    symbol: SymbolId,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly AggregatedTrade[]>;
  /** Bars of one length that have trades and open within the window, oldest first. */
  bars(symbol: SymbolId, span: BarSpan, window: Window): Promise<readonly Bar[]>;
  /** Newest minute bar that opens before a moment; `null` without trades before it. */
  barBefore(symbol: SymbolId, before: TimestampMs): Promise<Bar | null>;
  /** Oldest minute bar of a symbol, `null` without trades: where its candles begin. */
  firstBar(symbol: SymbolId): Promise<Bar | null>;
  /** Trades within the window by second: where the rolling statistics of a restarted exchange begin. */
  seconds(symbol: SymbolId, window: Window): Promise<SecondColumns>;
  /** Every symbol that ever traded, ascending. */
  tradedSymbols(): Promise<readonly SymbolId[]>;
  /** Lets go what retention no longer keeps, seen from `now`; bounded work per call. Answers the rows removed. */
  prune(now: TimestampMs, retention: HistoryRetention): Promise<number>;
  close(): Promise<void>;
}
/** History cannot answer or write now; the exchange goes on without it. What failed stands in `cause`. */
export class HistoryUnavailable extends Error {
  override name = 'HistoryUnavailable';
}
/** The database is not as it was written; nothing helps but to make history anew from the journal. */
export class HistoryDamaged extends HistoryUnavailable {
  override name = 'HistoryDamaged';
}
