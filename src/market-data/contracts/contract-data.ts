import type { Candle } from '#model/candle.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { BookVersion, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { TradeRow } from '#history/tables/history-tables.ts';
import type { OrderCounts } from '#sequencer/queries/contract-queries.ts';
import type { CandleRange, CandleSpan } from '#market-data/candles/candle-plan.ts';
import { ContractDepth, type ContractLevel, type DepthCommit } from '#market-data/contracts/contract-depth.ts';
import { type DayChange, DayChanges } from '#market-data/day-changes.ts';
import { type DealFlags, DealFold } from '#history/collectors/deal-flags.ts';
import { type MarkCandles, MarkSpans, markCandles } from '#market-data/candles/mark-candles.ts';
import type { MarketData, Ticker } from '#market-data/market-data.ts';
import { Ring } from '#market-data/ring.ts';

/*
 * What contracts have beyond the market data that they share with symbols: books with the number of orders, what trades
 * did to positions, candles of index and fair prices. Subscribe it after the market data that it reads.
 *
 * To start with a journal that is not empty: `await restore()` before the first event, then the events after history's
 * watermark, then `load(contract, counts)` of every contract while no event follows.
 */

/** Trades whose flags are remembered. SPEC-FUT-13. */
export const dealsMax = 100;

/** A contract's book. */
export interface ContractBook {
  readonly version: BookVersion;
  /** Best first. */
  readonly bids: readonly ContractLevel[];
  readonly asks: readonly ContractLevel[];
}

/** A public trade of a contract. */
export interface ContractDeal extends TradeRow {
  /** 1: both sides opened, 2: neither, 3: one of them. */
  readonly openFlag: number;
  readonly isSelfTrade: boolean;
}

/** The last 24 hours of a contract, and its changes since the starts of UTC days. */
export interface ContractTicker {
  readonly day: Ticker;
  /** In the order of `changeDays`. */
  readonly changes: readonly DayChange[];
}

/** Callers look contracts up in the directory first. */
export interface ContractData {
  /** At most `limit` levels a side. */
  depth(contract: SymbolId, limit: number): ContractBook;
  /** Newest first, at most 1,000. */
  commits(contract: SymbolId, limit: number): readonly DepthCommit[];
  /** Changes whenever `deals` or their flags do. */
  dealsVersion(contract: SymbolId): string;
  /** Newest first, at most 100. */
  deals(contract: SymbolId, limit: number): readonly ContractDeal[];
  /** @throws HistoryUnavailable */
  ticker(contract: SymbolId, now: TimestampMs): Promise<ContractTicker>;
  /** Where the candles of index or fair prices begin and end; `null`: there are none. @throws HistoryUnavailable */
  markSpan(of: MarkCandles, now: TimestampMs): Promise<CandleSpan | null>;
  /** Oldest first, in steps of 10^-markDecimals. @throws HistoryUnavailable */
  markCandles(of: MarkCandles, range: CandleRange, now: TimestampMs): Promise<readonly Candle[]>;
}

/** Contract data with its inputs; see the head of this file. */
export interface ContractDataProjection extends ContractData, EventSink {
  restore(): Promise<void>;
  /** Takes over how many orders rest at each price. */
  load(contract: SymbolId, counts: OrderCounts): void;
}

/** What contract data is made of. */
export interface ContractDataOptions {
  readonly market: MarketData;
  readonly history: HistoryStore;
  /** Resolves once history contains everything up to an entry: `flush` of the history writer. */
  readonly awaitHistory: (upTo: Seq) => Promise<void>;
}

/** What is kept of one contract. */
class ContractFolds {
  readonly depth = new ContractDepth();
  readonly deals = new Ring<DealFlags>(dealsMax);
}

/** Contract data without any contract. */
export function createContractData({ market, history, awaitHistory }: ContractDataOptions): ContractDataProjection {
  const contracts: ContractFolds[] = [];
  const of = (contract: SymbolId): ContractFolds => (contracts[contract] ??= new ContractFolds());
  const isContract = (symbol: SymbolId): boolean => market.directory.contract(symbol) !== undefined;
  const fold = new DealFold(isContract);
  let seq = as<Seq>(0);
  let restoredAt = as<Seq>(0);
  const awaitEntries = (): Promise<void> => awaitHistory(seq);
  const changes = new DayChanges(history, awaitEntries);
  const spans = new MarkSpans(history, awaitEntries);
  const addDeal = (deal: DealFlags | null): void => {
    if (deal !== null && seq > restoredAt) of(deal.symbol).deals.push(deal);
  };
  return {
    ...noopSink,
    entryBegan: (began, at) => {
      seq = began;
      spans.entryBegan(at);
    },
    orderAccepted: (order) => {
      if (isContract(order.symbol)) of(order.symbol).depth.accepted(order);
    },
    orderClosed: (order) => {
      if (isContract(order.symbol)) of(order.symbol).depth.closed(order);
    },
    levelChanged: (symbol, version, side, price, lots) => {
      if (isContract(symbol)) of(symbol).depth.changed(version, side, price, lots);
    },
    tradeExecuted: (trade) => addDeal(fold.trade(trade)),
    positionChanged: (position) => addDeal(fold.positionChanged(position)),
    restore: async () => {
      restoredAt = await history.watermark();
      for (const symbol of await history.tradedSymbols()) {
        const rows = await history.rows('contractDeals', { symbol }, always, dealsMax, false);
        for (const row of rows) of(symbol).deals.push(row);
      }
    },
    load: (contract, counts) => of(contract).depth.load(counts),

    depth: (contract, limit) => bookOf(market, contract, of(contract).depth, limit),
    commits: (contract, limit) => of(contract).depth.commits(limit),
    dealsVersion: (contract) => `${market.lastTrade(contract)} ${of(contract).deals.newest()?.trade}`,
    deals: (contract, limit) => dealsOf(market.trades(contract, Math.min(limit, dealsMax)), of(contract).deals),
    ticker: async (contract, now) => {
      const day = market.ticker(contract, now);
      return { day, changes: await changes.of(contract, day.closeTime) };
    },
    markSpan: (which, now) => spans.of(which, now),
    markCandles: async (which, range, now) => {
      const span = await spans.of(which, now);
      if (span === null) return [];
      await awaitEntries();
      return markCandles(history, which, range, span);
    },
  };
}

const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };

function bookOf(market: MarketData, contract: SymbolId, depth: ContractDepth, limit: number): ContractBook {
  const { version, bids, asks } = market.depth(contract, limit);
  const levels = (side: 'buy' | 'sell', pairs: typeof bids): readonly ContractLevel[] =>
    pairs.map(([price, lots]) => ({ price, orders: depth.orders(side, price), lots }));
  return { version, bids: levels('buy', bids), asks: levels('sell', asks) };
}

/** Trades with their flags; a trade whose flags history did not keep is left out, and so are all before it. */
function dealsOf(trades: readonly TradeRow[], flags: Ring<DealFlags>): readonly ContractDeal[] {
  const deals: ContractDeal[] = [];
  for (const [index, trade] of trades.entries()) {
    const found = flags.at(flags.length - 1 - index);
    if (found?.trade !== trade.trade) break;
    deals.push({ ...trade, openFlag: found.openFlag, isSelfTrade: found.isSelfTrade });
  }
  return deals;
}
