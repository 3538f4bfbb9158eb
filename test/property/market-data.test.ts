import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDecimal } from '#base/decimal.ts';
import type { Candle, CandleInterval } from '#model/candle.ts';
import { candleIntervals } from '#model/candle.ts';
import type { SymbolRules } from '#model/symbol.ts';
import { as } from '#model/units.ts';
import type { AccountId, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { CandlePages } from '#public-api/spot/candle-pages.ts';
import { tradeCandles } from '#public-api/spot/candle-sources.ts';
import { HistoryReads, type Reader } from '#public-api/history/history-reads.ts';
import type { HistoryStore } from '#history/history-store.ts';
import { MemoryHistoryStore } from '../ports/memory-history-store.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import type { CandleRange } from '#market-data/candles/candle-plan.ts';
import { type HistoryWriter, startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createMarketData, type MarketDataProjection } from '#market-data/market-data.ts';
import type { ListedSymbol } from '#market-data/symbol-directory.ts';
import { averageOf, candlesOf, tickerFrom } from './market-oracle.ts';
import { bookOf, deliver, listing, lotTick, type ScriptEntry, script, symbols, tradesOf } from './market-script.ts';

interface Running {
  readonly history: HistoryStore;
  readonly writer: HistoryWriter;
  readonly market: MarketDataProjection;
  /** Printed candles, kept from question to question. */
  readonly pages: CandlePages;
}

/** A projection and its writer over what `history` holds; nothing is written unless it is asked for. */
async function start(history: HistoryStore): Promise<Running> {
  const onFailure = (error: unknown): never => {
    throw error;
  };
  const writer = await startHistoryWriter({ store: history, setTimer: () => () => {}, onFailure });
  const market = createMarketData({ history, awaitHistory: (upTo) => writer.flush(upTo) });
  await market.restore();
  market.configure(listing);
  return { history, writer, market, pages: new CandlePages(new HistoryReads()) };
}

function feed(running: Running, entries: readonly ScriptEntry[]): void {
  for (const entry of entries) {
    deliver(running.market, [entry]);
    deliver(running.writer, [entry]);
  }
}

const range = fc.record({
  limit: fc.integer({ min: 1, max: 40 }),
  fromAgo: fc.option(fc.integer({ min: -60_000, max: 40_000_000 })),
  toAgo: fc.option(fc.integer({ min: -60_000, max: 40_000_000 })),
  interval: fc.constantFrom<CandleInterval>(...candleIntervals),
});
const question = fc.record({ range, wait: fc.constantFrom(0, 1, 1000, 61_000, 3_600_000, 86_399_999, 86_400_000) });

const reader = { client: { bucket: '10.0.0.1' }, retryAfterSeconds: null } as Reader;
const candleWords = (candle: Candle): string =>
  `[${[...Object.values(candle)].map((value) => String(value)).join(' ')}]`;

async function expectOracle(
  running: Running,
  entries: readonly ScriptEntry[],
  asked: typeof question extends fc.Arbitrary<infer Question> ? Question : never,
): Promise<void> {
  const { market } = running;
  const now = as<TimestampMs>((entries.at(-1) as ScriptEntry).at + asked.wait);
  for (const symbol of symbols) {
    const trades = tradesOf(entries, symbol);
    const moment = (ago: number | null): TimestampMs | null => (ago === null ? null : as<TimestampMs>(now - ago));
    const wanted: CandleRange = {
      limit: asked.range.limit,
      from: moment(asked.range.fromAgo),
      to: moment(asked.range.toAgo),
    };
    const { interval } = asked.range;
    const candles = candlesOf(trades, interval, wanted, now);
    expect(await market.candles(symbol, interval, wanted, now)).toEqual(candles);
    const clock = { now: () => now };
    const printing = { isContinued: true, print: (candle: Candle) => [candleWords(candle)] };
    const source = tradeCandles({ market, clock }, { rules: { id: symbol } } as ListedSymbol, interval, printing);
    const [texts = ''] = (await running.pages.columns(source, wanted, reader)) ?? [];
    expect(texts).toBe(candles.map(candleWords).join(','));
    const [current] = candlesOf(trades, interval, { limit: 1, from: null, to: null }, now);
    expect(market.currentCandle(symbol, interval, now)).toEqual(current ?? null);
    expect(market.averagePrice(symbol, now)).toBe(averageOf(trades, now, lotTick(symbol)));
    expect(market.ticker(symbol, now)).toEqual(tickerFrom(trades, now));
    expect(market.lastPrice(symbol)).toBe(trades.at(-1)?.price ?? null);
    expect(market.trades(symbol, 7)).toEqual(trades.slice(-7).reverse());
    await expectPartition(running, symbol, entries, wanted);
  }
}

/** Merged trades cover every trade of their window exactly once, and never mix orders, prices or times. */
async function expectPartition(
  { market }: Running,
  symbol: SymbolId,
  entries: readonly ScriptEntry[],
  wanted: CandleRange,
): Promise<void> {
  const from = wanted.from ?? as<TimestampMs>(0);
  const to = as<TimestampMs>(Math.max(from, wanted.to ?? Number.MAX_SAFE_INTEGER));
  const merged = await market.aggregatedTrades(symbol, { from, to }, 1000);
  const trades = tradesOf(entries, symbol).filter((trade) => trade.at >= from && trade.at <= to);
  expect(
    merged.flatMap((row) => trades.filter((trade) => trade.trade >= row.first && trade.trade <= row.last)),
  ).toEqual(trades);
  for (const [index, row] of merged.entries()) {
    const own = trades.filter((trade) => trade.trade >= row.first && trade.trade <= row.last);
    expect(new Set(own.map((trade) => `${trade.taker} ${trade.price} ${trade.at} ${trade.takerSide}`))).toEqual(
      new Set([`${own[0]?.taker} ${row.price} ${row.at} ${row.takerSide}`]),
    );
    expect(row.lots).toBe(own.reduce((sum, trade) => sum + BigInt(trade.lots), 0n));
    const next = trades.find((trade) => trade.trade === row.last + 1);
    const isMore = next?.taker === own[0]?.taker && next?.price === row.price;
    expect(isMore).toBe(false);
    expect(row.first).toBe((merged[index - 1]?.last ?? (trades[0]?.trade as number) - 1) + 1);
  }
  expect(await market.aggregatedTrades(symbol, { from, to }, 2)).toEqual(merged.slice(0, 2));
  if (wanted.from === null && wanted.to === null) {
    expect(await market.aggregatedTrades(symbol, null, 3)).toEqual(merged.slice(-3));
  }
}

function expectBook(running: Running, entries: readonly ScriptEntry[]): void {
  for (const symbol of symbols) {
    const book = bookOf(entries, symbol);
    expect(running.market.depth(symbol, 100)).toEqual(book);
    expect(running.market.depth(symbol, 2)).toEqual({
      ...book,
      bids: book.bids.slice(0, 2),
      asks: book.asks.slice(0, 2),
    });
    const rules = listing.symbols[symbol] as SymbolRules;
    const print = (levels: typeof book.bids): string[][] =>
      levels
        .slice(0, 3)
        .map(([price, lots]) => [
          formatDecimal(price, rules.priceDecimals),
          formatDecimal(lots, rules.quantityDecimals),
        ]);
    expect(JSON.parse(running.market.depthText(symbol, 3))).toEqual({
      lastUpdateId: book.version,
      bids: print(book.bids),
      asks: print(book.asks),
    });
    const best = running.market.bestPrices(symbol);
    expect([best.bid?.price, best.ask?.price]).toEqual([book.bids[0]?.[0], book.asks[0]?.[0]]);
  }
}

describe('market data equals a recomputation from everything that happened', () => {
  test('SPEC-MKT-10, DEC-MKT-03: after every entry the depth is the fold of the level changes so far', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (entries) => {
        const running = await start(new MemoryHistoryStore());
        for (let count = 1; count <= entries.length; count += 1) {
          feed(running, entries.slice(count - 1, count));
          expectBook(running, entries.slice(0, count));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('SPEC-MKT-12, 15, 16, 18, 19, DEC-MKT-04: candles, tickers, averages and trades are those of all trades', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.array(question, { minLength: 1, maxLength: 4 }), async (entries, asked) => {
        const running = await start(new MemoryHistoryStore());
        feed(running, entries);
        const sorted = asked.toSorted((left, right) => left.wait - right.wait);
        for (const one of sorted) await expectOracle(running, entries, one);
      }),
      { numRuns: 150 },
    );
  });

  const share = fc.nat(20).map((twentieths) => twentieths / 20);
  const restarts = fc.record({
    /** How much history had stored, and where the engine's snapshot makes entries come again from: shares of all. */
    stored: share,
    replayedFrom: share,
    loadedAt: share,
    /** How old the book was that was loaded then: a share of what had been delivered. */
    bookFrom: share,
  });

  async function restarted(
    history: HistoryStore,
    entries: readonly ScriptEntry[],
    at: typeof restarts extends fc.Arbitrary<infer At> ? At : never,
  ): Promise<Running> {
    const before = await start(history);
    const stored = Math.floor(at.stored * entries.length);
    feed(before, entries.slice(0, stored));
    await before.writer.flush(as<Seq>(stored));
    const after = await start(history);
    const watermark = await history.watermark();
    const snapshot = Math.floor(at.replayedFrom * watermark);
    const loaded = snapshot + Math.floor(at.loadedAt * (entries.length - snapshot));
    feed(after, entries.slice(snapshot, loaded));
    const bookAt = snapshot + Math.floor(at.bookFrom * (loaded - snapshot));
    for (const symbol of symbols) {
      expect(after.market.load(symbol, bookOf(entries.slice(0, bookAt), symbol))).toBe(true);
    }
    feed(after, entries.slice(loaded));
    return after;
  }

  test('I15, I16: a restart at any point changes no answer', async () => {
    await fc.assert(
      fc.asyncProperty(script, restarts, question, async (entries, at, asked) => {
        const running = await restarted(new MemoryHistoryStore(), entries, at);
        expectBook(running, entries);
        await expectOracle(running, entries, asked);
      }),
      { numRuns: 200 },
    );
  });

  test('I15, I16: neither does one over SQLite', async () => {
    await fc.assert(
      fc.asyncProperty(script, restarts, question, async (entries, at, asked) => {
        const history = new SqliteHistoryStore(':memory:');
        const running = await restarted(history, entries, at);
        await expectOracle(running, entries, asked);
        await history.close();
      }),
      { numRuns: 60 },
    );
  });

  test('I19: history written in any pieces, with restarts between, equals history written at once', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.array(fc.nat(49), { maxLength: 5 }), async (entries, cuts) => {
        const whole = await start(new MemoryHistoryStore());
        feed(whole, entries);
        await whole.writer.flush(as<Seq>(entries.length));
        const history = new SqliteHistoryStore(':memory:');
        for (const cut of [...cuts, entries.length].map((end) => Math.min(end, entries.length))) {
          const piece = await start(history);
          const from = Math.max(0, (await history.watermark()) - 3);
          deliver(piece.writer, entries.slice(from, cut));
          await piece.writer.flush(as<Seq>(cut));
        }
        const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };
        const content = async (store: HistoryStore): Promise<unknown> =>
          Promise.all(
            symbols.map(async (symbol) => [
              await store.rows('trades', { symbol }, always, 1000, true),
              await Promise.all(
                [4, 5, 6].map((account) =>
                  store.rows('fills', { account: as<AccountId>(account), symbol: symbol }, always, 1000, true),
                ),
              ),
              await Promise.all(
                (['minute', 'quarter', 'hour', 'day'] as const).map((span) =>
                  store.rows('bars', { symbol, span }, always),
                ),
              ),
            ]),
          );
        expect(await content(history)).toEqual(await content(whole.history));
        await history.close();
      }),
      { numRuns: 60 },
    );
  });
});
