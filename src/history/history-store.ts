import type { OrderKind, OrderRef, OrderView, Side } from '#domain/order.ts';
import type { AccountId, AssetId, Lots, OrderNumber, PriceTicks, Quanta, Seq, SymbolId, TimestampMs, TradeNumber } from '#domain/units.ts';

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

/** A window's own trades in one minute; coarser bars are folds of these. */
export interface MinuteBar {
  readonly symbol: SymbolId;
  /** Start of the minute. */
  readonly openTime: TimestampMs;
  readonly open: PriceTicks;
  readonly high: PriceTicks;
  readonly low: PriceTicks;
  readonly close: PriceTicks;
  readonly lots: bigint;
  readonly quoteAmount: bigint;
  readonly trades: number;
}

/** Both ends inclusive. */
export interface Window {
  readonly from: TimestampMs;
  readonly to: TimestampMs;
}

export interface HistoryBatch {
  readonly upTo: Seq;
  readonly orders: readonly OrderView[];
  readonly trades: readonly TradeRow[];
  readonly fills: readonly FillRow[];
  /** Whole state of each minute touched: replaces the row. */
  readonly bars: readonly MinuteBar[];
}

/** What is kept how long; `null`: for ever. */
export interface HistoryRetention {
  readonly tradesMs: number | null;
}

/** Durable answers to questions about the past. A projection of the journal: never read by the engine. */
export interface HistoryStore {
  /** Writes the batch and moves the watermark to `upTo` in one transaction; a batch at or below it is ignored. */
  write(batch: HistoryBatch): Promise<void>;
  /** Last journal position whose effects are visible to the queries below; 0 before the first batch. */
  watermark(): Promise<Seq>;
  /** Closed orders, oldest first, at most `limit`: the first from `window.from` if `fromStart`, else the newest. GET /api/v3/allOrders. */
  ordersOf(account: AccountId, symbol: SymbolId, window: Window, limit: number, fromStart: boolean): Promise<readonly OrderView[]>;
  /** A closed order; the newest with that client id. GET /api/v3/order. */
  orderOf(account: AccountId, symbol: SymbolId, ref: OrderRef): Promise<OrderView | null>;
  /** Likewise, of `order` only if one is given. GET /api/v3/myTrades. */
  fillsOf(
    account: AccountId, symbol: SymbolId, order: OrderNumber | null, window: Window, limit: number, fromStart: boolean,
  ): Promise<readonly FillRow[]>;
  /** Public trades, oldest first; `fromStart` as above. GET /api/v3/aggTrades. */
  trades(symbol: SymbolId, window: Window, limit: number, fromStart: boolean): Promise<readonly TradeRow[]>;
  /** Minute bars that have trades, oldest first, all within the window. */
  minuteBars(symbol: SymbolId, window: Window): Promise<readonly MinuteBar[]>;
  /** Oldest minute bar of a symbol, `null` without trades: where its candles begin. */
  firstBar(symbol: SymbolId): Promise<MinuteBar | null>;
  /** Lets go what retention no longer keeps, seen from `now`; bounded work per call. Answers the rows removed. */
  prune(now: TimestampMs, retention: HistoryRetention): Promise<number>;
  close(): Promise<void>;
}
