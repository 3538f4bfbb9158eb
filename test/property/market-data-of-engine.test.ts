import { expect, test } from 'vitest';
import { createEventRecorder, type Event } from '#model/event-record.ts';
import type { EventSink } from '#model/events.ts';
import type { Entry } from '#model/command.ts';
import { as } from '#model/units.ts';
import type { SymbolId, TimestampMs } from '#model/units.ts';
import { createEngine, restoreEngine } from '#engine/create-engine.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { TradeRow } from '#history/tables/history-tables.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createMarketData } from '#market-data/market-data.ts';
import { exchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { createFanOut } from '#sequencer/event-feed.ts';
import { CommandStream } from '../oracle/command-stream.ts';
import { candlesOf, tickerFrom } from './market-oracle.ts';

const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };

/** Market data and a history writer over `history`, as a start of the exchange makes them. */
async function projectionsOver(history: HistoryStore) {
  const writer = await startHistoryWriter({
    store: history,
    setTimer: () => () => {},
    // Nothing is written but what the test flushes.
    batchRows: 1_000_000,
    onFailure: (error) => {
      throw error;
    },
  });
  const market = createMarketData({ history, awaitHistory: (upTo) => writer.flush(upTo) });
  const restoredAt = await market.restore();
  const sink = createFanOut();
  sink.subscribe(market);
  sink.subscribe(writer);
  return { writer, market, restoredAt, sink: sink as EventSink };
}

interface Told {
  readonly entry: Entry;
  readonly events: readonly Event[];
}

function tradesIn(told: readonly Told[], symbol: SymbolId): TradeRow[] {
  return told.flatMap(({ entry, events }) =>
    events.flatMap((event) => {
      if (event.kind !== 'tradeExecuted' || event.trade.symbol !== symbol) return [];
      const { trade, price, lots, quoteAmount, takerSide, taker } = event.trade;
      return [{ symbol, trade, at: entry.at, price, lots, quoteAmount, takerSide, taker }];
    }),
  );
}

test.each([11, 12, 13])(
  'I15, I16, I19: projections of a real engine, restarted halfway, equal its events (seed %i)',
  async (seed) => {
    const count = 6000;
    const history = new SqliteHistoryStore(':memory:');
    const before = await projectionsOver(history);
    let engine = createEngine();
    const stream = new CommandStream(seed);
    const told: Told[] = [];
    const step = (sink: EventSink): void => {
      const recorder = createEventRecorder();
      const both = createFanOut();
      both.subscribe(recorder);
      both.subscribe(sink);
      const entry = stream.next();
      engine.apply(entry, both);
      stream.observe(recorder.events);
      told.push({ entry, events: recorder.events });
    };
    let image = engine.snapshot();
    while (told.length < count / 2) {
      if (told.length === 1500) image = engine.snapshot();
      if (told.length === 2200) await before.writer.flush(engine.seq);
      step(before.sink);
    }

    // A crash: what was not written is gone, the engine comes back from an older snapshot and replays.
    const after = await projectionsOver(history);
    expect(after.restoredAt).toBe(2200);
    engine = restoreEngine(image);
    after.writer.knowAccounts(await exchangeQueries(engine).accounts());
    after.market.configure(await exchangeQueries(engine).listing());
    for (const { entry } of told.slice(engine.seq)) engine.apply(entry, after.sink);
    const queries = exchangeQueries(engine);
    const { symbols } = await queries.listing();
    for (const { id } of symbols) after.market.load(id, await queries.book(id));
    while (told.length < count) step(after.sink);
    await after.writer.flush(engine.seq);

    const now = as<TimestampMs>(engine.at);
    const closed = told.flatMap(({ events }) =>
      events.flatMap((event) => (event.kind === 'orderClosed' ? [event.order] : [])),
    );
    const simulated = new Set((await queries.accounts()).flatMap((view) => (view.simulated ? [view.account] : [])));
    let tradeCount = 0;
    for (const { id } of symbols) {
      const trades = tradesIn(told, id);
      tradeCount += trades.length;
      expect(after.market.depth(id, 5000)).toEqual(await queries.book(id));
      expect(after.market.lastPrice(id)).toBe(await queries.lastPrice(id));
      expect(after.market.ticker(id, now)).toEqual(tickerFrom(trades, now));
      for (const interval of ['1m', '60m', '1W'] as const) {
        const range = { from: null, to: null, limit: 1000 };
        expect(await after.market.candles(id, interval, range, now)).toEqual(candlesOf(trades, interval, range, now));
      }
      expect(await history.rows('trades', { symbol: id }, always, count * 10, true)).toEqual(trades);
      for (const { account } of await queries.accounts()) {
        const own = closed.filter(
          (order) => order.account === account && order.symbol === id && !simulated.has(account),
        );
        const stored = await history.rows('orders', { account, symbol: id }, always, count * 10, true);
        expect(stored).toEqual(
          own.toSorted((left, right) => left.acceptedAt - right.acceptedAt || left.order - right.order),
        );
      }
    }
    expect(tradeCount).toBeGreaterThan(100);
    await history.close();
  },
);

test('a fresh exchange needs neither a listing nor a book to begin with', async () => {
  const engine = createEngine();
  const { market, sink } = await projectionsOver(new SqliteHistoryStore(':memory:'));
  const stream = new CommandStream(5);
  for (let index = 0; index < 400; index += 1) {
    const entry = stream.next();
    engine.apply(entry, sink);
  }
  const queries = exchangeQueries(engine);
  for (const { id } of (await queries.listing()).symbols) {
    expect(market.depth(id, 5000)).toEqual(await queries.book(id));
    expect(JSON.parse(market.depthText(id, 5)).lastUpdateId).toBe(market.depthVersion(id));
  }
});
