import { ExactSum } from '#base/exact-sum.ts';
import { type AggregatedTrade, TradeMerger } from '#domain/aggregated-trade.ts';
import { copyOrder } from '#domain/event-record.ts';
import type { OrderRef, OrderView } from '#domain/order.ts';
import type { AccountId, OrderNumber, Seq, SymbolId, TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import {
  type Bar,
  type BarSpan,
  barSpanMs,
  type FillRow,
  type HistoryBatch,
  type HistoryRetention,
  type HistoryStore,
  keptTradesMsMin,
  type SecondColumns,
  type TradeRow,
  type Window,
} from '#history/history-store.ts';

/** History in plain lists, every question answered by looking at all of them. For tests; the oracle of the others. */
export class MemoryHistoryStore implements HistoryStore {
  readonly #orders = new Map<string, OrderView>();
  readonly #trades = new Map<string, TradeRow>();
  readonly #fills = new Map<string, FillRow>();
  readonly #minutes = new Map<string, Bar>();
  #watermark = as<Seq>(0);

  async write(batch: HistoryBatch): Promise<void> {
    if (batch.upTo <= this.#watermark) return;
    for (const row of batch.orders) this.#orders.set(`${row.order}`, copyOrder(row));
    for (const row of batch.trades) this.#trades.set(`${row.symbol}/${row.trade}`, { ...row });
    for (const row of batch.fills) {
      this.#fills.set(`${row.account}/${row.symbol}/${row.trade}/${row.isMaker}`, { ...row });
    }
    for (const bar of batch.bars) this.#minutes.set(`${bar.symbol}/${bar.openTime}`, { ...bar });
    this.#watermark = batch.upTo;
  }

  async watermark(): Promise<Seq> {
    return this.#watermark;
  }

  async ordersOf(
    account: AccountId,
    symbol: SymbolId,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly OrderView[]> {
    const rows = [...this.#orders.values()]
      .filter((row) => row.account === account && row.symbol === symbol && holds(window, row.acceptedAt))
      .sort((left, right) => left.acceptedAt - right.acceptedAt || left.order - right.order);
    return cut(rows, limit, fromStart);
  }

  async orderOf(account: AccountId, symbol: SymbolId, ref: OrderRef): Promise<OrderView | null> {
    const rows = [...this.#orders.values()]
      .filter((row) => row.account === account && row.symbol === symbol)
      .filter((row) => ('order' in ref ? row.order === ref.order : row.clientOrderId === ref.clientOrderId))
      .sort((left, right) => right.order - left.order);
    return rows[0] ?? null;
  }

  async fillsOf(
    account: AccountId,
    symbol: SymbolId,
    order: OrderNumber | null,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly FillRow[]> {
    const rows = [...this.#fills.values()]
      .filter((row) => row.account === account && row.symbol === symbol && holds(window, row.at))
      .filter((row) => order === null || row.order === order)
      .sort(
        (left, right) => left.at - right.at || left.trade - right.trade || Number(left.isMaker) - Number(right.isMaker),
      );
    return cut(rows, limit, fromStart);
  }

  async trades(symbol: SymbolId, window: Window, limit: number, fromStart: boolean): Promise<readonly TradeRow[]> {
    return cut(this.#tradesWithin(symbol, window), limit, fromStart);
  }

  async aggregatedTrades(
    symbol: SymbolId,
    window: Window,
    limit: number,
    fromStart: boolean,
  ): Promise<readonly AggregatedTrade[]> {
    const merged: AggregatedTrade[] = [];
    const merger = new TradeMerger((trade) => merged.push(trade));
    for (const trade of this.#tradesWithin(symbol, window)) merger.add(trade);
    merger.finish();
    return cut(merged, limit, fromStart);
  }

  async bars(symbol: SymbolId, span: BarSpan, window: Window): Promise<readonly Bar[]> {
    const folded = new Map<number, Bar>();
    for (const minute of this.#minutesOf(symbol)) {
      const openTime = as<TimestampMs>(Math.floor(minute.openTime / barSpanMs[span]) * barSpanMs[span]);
      const bar = folded.get(openTime);
      folded.set(openTime, bar === undefined ? { ...minute, openTime } : joined(bar, minute));
    }
    return [...folded.values()].filter((bar) => holds(window, bar.openTime));
  }

  async barBefore(symbol: SymbolId, before: TimestampMs): Promise<Bar | null> {
    return this.#minutesOf(symbol).findLast((bar) => bar.openTime < before) ?? null;
  }

  async firstBar(symbol: SymbolId): Promise<Bar | null> {
    return this.#minutesOf(symbol)[0] ?? null;
  }

  async seconds(symbol: SymbolId, window: Window): Promise<SecondColumns> {
    const bySecond = new Map<number, TradeRow[]>();
    for (const trade of this.#tradesWithin(symbol, window)) {
      const second = Math.floor(trade.at / 1000);
      bySecond.set(second, [...(bySecond.get(second) ?? []), trade]);
    }
    const groups = [...bySecond.values()];
    const column = (of: (group: TradeRow[]) => number): Float64Array => Float64Array.from(groups, of);
    const sum = (group: TradeRow[], of: (trade: TradeRow) => number): ExactSum => {
      const total = new ExactSum();
      for (const trade of group) total.add(of(trade));
      return total;
    };
    return {
      seconds: Float64Array.from(bySecond.keys()),
      high: column((group) => Math.max(...group.map((trade) => trade.price))),
      low: column((group) => Math.min(...group.map((trade) => trade.price))),
      close: column((group) => (group.at(-1) as TradeRow).price),
      trades: column((group) => group.length),
      lotsHigh: column((group) => sum(group, (trade) => trade.lots).high),
      lotsLow: column((group) => sum(group, (trade) => trade.lots).low),
      quoteHigh: column((group) => sum(group, (trade) => trade.quoteAmount).high),
      quoteLow: column((group) => sum(group, (trade) => trade.quoteAmount).low),
    };
  }

  async tradedSymbols(): Promise<readonly SymbolId[]> {
    return [...new Set([...this.#minutes.values()].map((bar) => bar.symbol))].sort((left, right) => left - right);
  }

  async prune(now: TimestampMs, retention: HistoryRetention): Promise<number> {
    if (retention.tradesMs === null) return 0;
    const keptFrom = now - Math.max(retention.tradesMs, keptTradesMsMin);
    const removed = [...this.#trades].filter(([, trade]) => trade.at < keptFrom);
    for (const [key] of removed) this.#trades.delete(key);
    return removed.length;
  }

  async close(): Promise<void> {}

  #tradesWithin(symbol: SymbolId, window: Window): TradeRow[] {
    return [...this.#trades.values()]
      .filter((row) => row.symbol === symbol && holds(window, row.at))
      .sort((left, right) => left.trade - right.trade);
  }

  #minutesOf(symbol: SymbolId): Bar[] {
    return [...this.#minutes.values()]
      .filter((bar) => bar.symbol === symbol)
      .sort((left, right) => left.openTime - right.openTime);
  }
}

const holds = (window: Window, at: number): boolean => at >= window.from && at <= window.to;

const cut = <Row>(rows: readonly Row[], limit: number, fromStart: boolean): readonly Row[] =>
  fromStart ? rows.slice(0, limit) : rows.slice(Math.max(0, rows.length - limit));

const joined = (earlier: Bar, later: Bar): Bar => ({
  ...earlier,
  high: as<Bar['high']>(Math.max(earlier.high, later.high)),
  low: as<Bar['low']>(Math.min(earlier.low, later.low)),
  close: later.close,
  lots: earlier.lots + later.lots,
  quoteAmount: earlier.quoteAmount + later.quoteAmount,
  trades: earlier.trades + later.trades,
});
