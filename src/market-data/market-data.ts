import { assert } from '#base/assert.ts';
import { PrintedTexts } from '#base/printed-texts.ts';
import type { AggregatedTrade } from '#model/aggregated-trade.ts';
import type { Candle, CandleInterval } from '#model/candle.ts';
import { shiftCandle } from '#model/candle.ts';
import { noopSink } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { BookVersion, Lots, PriceTicks, Seq, SymbolId, TimestampMs, TradeNumber } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HistoryStore, Window } from '#history/history-store.ts';
import type { TradeRow } from '#history/tables/history-tables.ts';
import type { BookImage, Listing } from '#sequencer/queries/exchange-queries.ts';
import {
  type CandleRange,
  type CandleSpan,
  foldCandles,
  planWindows,
  spanOf,
} from '#market-data/candles/candle-plan.ts';
import type { BestPrices } from '#market-data/depth-book.ts';
import { restoreSymbol } from '#market-data/market-restore.ts';
import { daySeconds } from '#market-data/rolling-day.ts';
import {
  type ListedSymbol,
  lotsText,
  priceText,
  quotePerTickLot,
  SymbolDirectory,
} from '#market-data/symbol-directory.ts';
import { SymbolMarket } from '#market-data/symbol-market.ts';

/*
 * Public market data of every symbol, folded from engine events and bounded in memory per symbol. Older data is read
 * from history. Private data and balances are not here: the engine answers for them.
 *
 * To start with a journal that is not empty, in this order:
 * 1. `await restore()` before the first event, while nothing writes to history. It takes the trades, candles and
 *    statistics that history holds at its watermark W.
 * 2. Deliver the events of every entry from W + 1 on, without gaps. Entries up to W may be delivered too, as recovery
 *    from an older snapshot does: their trades are ignored, so each trade counts exactly once.
 * 3. `configure(listing)` and, for each symbol, `load(symbol, book)`; repeat with a newer book until it answers true.
 *    Book changes are matched by version, not by entry, so this may happen at any time.
 * After that only events follow. A journal replayed from its first entry needs none of the three steps.
 *
 * Times: `now` is the exchange's clock at the call; the last trade's time is used instead if that is later.
 */

/** How long GET /api/v3/avgPrice looks back. DEC-MKT-04. */
export const averagePriceMinutes = 5;
/** SPEC-MKT-11. */
export const depthLimitMax = 5000;
/** Greatest total length of the printed books that are kept. */
const depthCharactersMax = 16 * 1024 * 1024;

const symbolsRestoredAtOnce = 8;

/** 24 hours of one symbol; prices in ticks, `null` before the first trade ever. DEC-MKT-05. */
export interface Ticker {
  readonly last: PriceTicks | null;
  readonly lastLots: Lots | null;
  /** Last price before the window, else its first trade. */
  readonly open: PriceTicks | null;
  /** Without trades in the window the last price. */
  readonly high: PriceTicks | null;
  readonly low: PriceTicks | null;
  /** `last - open` in ticks; 0 before the first trade. */
  readonly change: number;
  /** `change / open` in units of 0.0001, cut. */
  readonly changeBps: number;
  readonly lots: bigint;
  readonly quoteAmount: bigint;
  readonly trades: number;
  readonly openTime: TimestampMs;
  readonly closeTime: TimestampMs;
}

/** Callers look symbols up first: a call with a symbol that was never configured breaks an invariant. */
export interface MarketData {
  /** What is listed. */
  readonly directory: SymbolDirectory;
  /** At most `limit` levels a side, best first. */
  depth(symbol: SymbolId, limit: number): BookImage;
  /** The same as the body of GET /api/v3/depth; `limit` up to `depthLimitMax`. Printed once per version. */
  depthText(symbol: SymbolId, limit: number): string;
  depthVersion(symbol: SymbolId): BookVersion;
  bestPrices(symbol: SymbolId): BestPrices;
  lastPrice(symbol: SymbolId): PriceTicks | null;
  /** `null` before the first trade. */
  lastTradeAt(symbol: SymbolId): TimestampMs | null;
  /** Number of the last trade; `null` before the first one. */
  lastTrade(symbol: SymbolId): TradeNumber | null;
  /** The newest trades, newest first, at most 1,000. */
  trades(symbol: SymbolId, limit: number): readonly TradeRow[];
  /** Oldest first, `limit` up to 1,000: the newest ones, or the first ones of a window. */
  aggregatedTrades(symbol: SymbolId, window: Window | null, limit: number): Promise<readonly AggregatedTrade[]>;
  /** Oldest first, `limit` up to 1,000, from the window of the first trade to that of `now`. DEC-MKT-12. */
  candles(symbol: SymbolId, interval: CandleInterval, range: CandleRange, now: TimestampMs): Promise<readonly Candle[]>;
  /** Where the candles of a symbol begin and end; `null` before the first trade. */
  candleSpan(symbol: SymbolId, now: TimestampMs): CandleSpan | null;
  /** Whether candles from this window on are in memory: `candles` reads no history for them. */
  keepsCandles(symbol: SymbolId, from: TimestampMs): boolean;
  /** The candle of `now`; `null` before the first trade. */
  currentCandle(symbol: SymbolId, interval: CandleInterval, now: TimestampMs): Candle | null;
  /** The last candle with trades before that of the last trade; `null`: no such window ended since the start. */
  closedCandle(symbol: SymbolId, interval: CandleInterval): Candle | null;
  /**
   * Volume-weighted over 5 minutes, truncated to ticks; without trades the last price; `null` before the first trade.
   */
  averagePrice(symbol: SymbolId, now: TimestampMs): PriceTicks | null;
  ticker(symbol: SymbolId, now: TimestampMs): Ticker;
}

/** Market data with its inputs; see the head of this file. */
export interface MarketDataProjection extends MarketData, EventSink {
  /** Last entry whose events it has. */
  position(): Seq;
  restore(): Promise<Seq>;
  configure(listing: Listing): void;
  /** False: changes after this book are missing; load a newer one from the engine. */
  load(symbol: SymbolId, book: BookImage): boolean;
}

/** What market data is restored from. */
export interface MarketDataOptions {
  readonly history: HistoryStore;
  /** Resolves once history contains everything up to an entry: `flush` of the history writer. */
  readonly awaitHistory: (upTo: Seq) => Promise<void>;
}

/** Market data without any symbol. */
export function createMarketData(options: MarketDataOptions): MarketDataProjection {
  const folds = new MarketFolds();
  const texts = new PrintedTexts<number>(depthCharactersMax);
  const { history } = options;
  /** History contains every entry before this time. */
  let storedUntil = 0;
  const awaitUntil = async (until: number): Promise<void> => {
    const { at } = folds;
    if (until <= storedUntil) return;
    await options.awaitHistory(folds.seq);
    storedUntil = Math.max(storedUntil, at);
  };
  return {
    ...noopSink,
    entryBegan: (seq, at) => folds.entryBegan(seq, at),
    tradeExecuted: (trade) => {
      if (folds.seq > folds.restoredAt) folds.market(trade.symbol).trade(folds.at, trade);
    },
    levelChanged: (symbol, version, side, price, lots) => folds.market(symbol).depth.change(version, side, price, lots),
    fact: (fact) => folds.directory.fact(fact),
    position: () => folds.seq,
    restore: () => folds.restore(history),
    configure: (listing) => folds.directory.load(listing),
    load: (symbol, book) => folds.market(symbol).depth.load(book),

    directory: folds.directory,
    depth: (symbol, limit) => folds.market(symbol).depth.image(limit),
    depthText: (symbol, limit) => {
      assert(limit <= depthLimitMax, 'depth is asked for within its limit');
      const { depth } = folds.market(symbol);
      const listed = folds.listed(symbol);
      const key = symbol * (depthLimitMax + 1) + limit;
      return texts.of(key, [depth.version, listed], () => depth.text(limit, levelPrinter(listed)));
    },
    depthVersion: (symbol) => folds.market(symbol).depth.version,
    bestPrices: (symbol) => folds.market(symbol).depth.best(),
    lastPrice: (symbol) => folds.market(symbol).lastPrice,
    lastTradeAt: (symbol) => (folds.market(symbol).lastTradeAt || null) as TimestampMs | null,
    lastTrade: (symbol) => folds.market(symbol).tape.last()?.trade ?? null,
    trades: (symbol, limit) => folds.market(symbol).tape.newest(limit),
    aggregatedTrades: async (symbol, window, limit) => {
      const { tape } = folds.market(symbol);
      if (window === null) return tape.newestMerged(limit);
      const here = tape.mergedWithin(window.from, window.to, limit);
      if (here !== null) return here;
      await options.awaitHistory(folds.seq);
      return history.aggregatedTrades(symbol, window, limit, true);
    },
    candles: async (symbol, interval, range, now) => {
      const market = folds.market(symbol);
      const { firstTradeAt } = market.candles;
      if (firstTradeAt === null) return [];
      const windows = planWindows(interval, range, { firstTradeAt, now: Math.max(now, market.lastTradeAt) });
      const here = market.candles.candles(interval, windows);
      if (here !== null) return here;
      await awaitUntil(shiftCandle(interval, windows.at(-1) as TimestampMs, 1));
      return storedCandles(history, symbol, interval, windows);
    },
    candleSpan: (symbol, now) => {
      const { lastTradeAt, candles } = folds.market(symbol);
      const { firstTradeAt } = candles;
      if (firstTradeAt === null) return null;
      return { firstTradeAt, now: Math.max(now, lastTradeAt), closedUntil: Math.max(folds.at, lastTradeAt) };
    },
    keepsCandles: (symbol, from) => folds.market(symbol).candles.keeps(from),
    currentCandle: (symbol, interval, now) => folds.market(symbol).candles.current(interval, now),
    closedCandle: (symbol, interval) => folds.market(symbol).candles.closed(interval),
    averagePrice: (symbol, now) => averagePrice(folds, symbol, now),
    ticker: (symbol, now) => tickerOf(folds.market(symbol), now),
  };
}

/** The state behind the projection: one market per symbol, and the directory that printing and averaging need. */
class MarketFolds {
  readonly markets: SymbolMarket[] = [];
  readonly directory = new SymbolDirectory();
  seq = as<Seq>(0);
  at = as<TimestampMs>(0);
  restoredAt = as<Seq>(0);

  market(symbol: SymbolId): SymbolMarket {
    this.markets[symbol] ??= new SymbolMarket(symbol);
    return this.markets[symbol];
  }

  listed(symbol: SymbolId): ListedSymbol {
    const listed: ListedSymbol | undefined = this.directory.at(symbol);
    assert(listed !== undefined, 'a symbol is configured before it is asked about');
    return listed;
  }

  entryBegan(seq: Seq, at: TimestampMs): void {
    assert(this.seq === 0 ? seq <= this.restoredAt + 1 : seq === this.seq + 1, 'market data sees every entry in order');
    this.seq = seq;
    this.at = at;
  }

  async restore(history: HistoryStore): Promise<Seq> {
    assert(this.seq === 0, 'market data is restored before the first event');
    const watermark = await history.watermark();
    const symbols = await history.tradedSymbols();
    const waiting = symbols.values();
    const restoreNext = async (): Promise<void> => {
      for (const symbol of waiting) this.markets[symbol] = await restoreSymbol(history, symbol);
    };
    await Promise.all(Array.from({ length: symbolsRestoredAtOnce }, restoreNext));
    assert((await history.watermark()) === watermark, 'history stands still while market data is restored');
    this.restoredAt = watermark;
    return watermark;
  }
}

/** Candles of these windows (ascending, at least one), from stored bars. */
async function storedCandles(
  history: HistoryStore,
  symbol: SymbolId,
  interval: CandleInterval,
  windows: readonly TimestampMs[],
): Promise<Candle[]> {
  const from = windows[0] as TimestampMs;
  const to = as<TimestampMs>(shiftCandle(interval, windows.at(-1) as TimestampMs, 1) - 1);
  const [bars, before] = await Promise.all([
    history.rows('bars', { symbol, span: spanOf[interval] }, { from, to }),
    history.barBefore(symbol, from),
  ]);
  return foldCandles(interval, windows, bars, before?.close ?? null);
}

function levelPrinter(symbol: ListedSymbol): (price: PriceTicks, lots: Lots) => string {
  return (price, lots) => `["${priceText(symbol, price)}","${lotsText(symbol, lots)}"]`;
}

function averagePrice(folds: MarketFolds, symbol: SymbolId, now: TimestampMs): PriceTicks | null {
  const market = folds.market(symbol);
  const sums = market.day.lastSeconds(Math.max(now, market.lastTradeAt), averagePriceMinutes * 60);
  if (sums.lots === 0n) return market.lastPrice;
  return as<PriceTicks>(Number(sums.quoteAmount / (sums.lots * quotePerTickLot(folds.listed(symbol)))));
}

function tickerOf(market: SymbolMarket, asked: TimestampMs): Ticker {
  const now = Math.max(asked, market.lastTradeAt);
  const day = market.day.day(now);
  const { lastPrice: last } = market;
  const change = last === null || day.open === null ? 0 : last - day.open;
  return {
    last,
    lastLots: market.lastLots,
    open: day.open,
    high: day.high ?? last,
    low: day.low ?? last,
    change,
    changeBps: day.open === null ? 0 : Number((BigInt(change) * 10_000n) / BigInt(day.open)),
    lots: day.lots,
    quoteAmount: day.quoteAmount,
    trades: day.trades,
    openTime: as<TimestampMs>(now - daySeconds * 1000),
    closeTime: as<TimestampMs>(now),
  };
}
