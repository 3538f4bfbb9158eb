import { expect, test } from 'vitest';
import type { EventSink, Trade } from '#model/events.ts';
import { as } from '#model/units.ts';
import type { Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import type { Listing } from '#sequencer/queries/exchange-queries.ts';
import { startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createMarketData, type MarketDataProjection } from '#market-data/market-data.ts';

const pair = as<SymbolId>(0);
const hour = 3_600_000;
const start = Date.UTC(2024, 0, 1, 0, 0, 30);
const at = (ms: number): TimestampMs => as<TimestampMs>(ms);
const listing = {
  assets: [
    { id: 0, scale: 8 },
    { id: 1, scale: 8 },
  ],
  symbols: [{ id: 0, base: 0, quote: 1, priceDecimals: 2, quantityDecimals: 2 }],
  isTradingOpen: true,
  feeToken: null,
} as unknown as Listing;
const everything = { from: null, to: null, limit: 1000 };

/** A projection and its writer over a history in memory; `trade` lets one happen, as its own entry. */
async function open(history: SqliteHistoryStore) {
  const writer = await startHistoryWriter({
    store: history,
    setTimer: () => () => {},
    onFailure: (error) => {
      throw error;
    },
  });
  const market = createMarketData({ history, awaitHistory: (upTo) => writer.flush(upTo) });
  let seq: number = await market.restore();
  market.configure(listing);
  const both = (tell: (sink: EventSink) => void): void => {
    for (const sink of [writer, market]) tell(sink);
  };
  const trade = (moment: number, price: number): void => {
    seq += 1;
    both((sink) => sink.entryBegan(as<Seq>(seq), at(moment)));
    both((sink) =>
      sink.tradeExecuted({
        symbol: pair,
        trade: seq,
        price,
        lots: 1,
        quoteAmount: price * 10_000,
        takerSide: 'buy',
        taker: seq,
        maker: 1,
        takerAccount: 5,
        makerAccount: 6,
        takerClientOrderId: null,
        makerClientOrderId: null,
        fillOfTaker: 1,
        takerFee: 0,
        takerFeeAsset: 0,
        makerFee: 0,
        makerFeeAsset: 0,
      } as unknown as Trade),
    );
  };
  return { market: market as MarketDataProjection, writer, trade, flush: () => writer.flush(as<Seq>(seq)) };
}

test('candles go on into history where memory ends, without a seam', async () => {
  const history = new SqliteHistoryStore(':memory:');
  const { market, trade } = await open(history);
  const minutes = 4000;
  for (let minute = 0; minute < minutes; minute += 1) if (minute % 7 !== 3) trade(start + minute * 60_000, minute + 1);
  const now = at(start + minutes * 60_000);
  const oldest = await market.candles(pair, '1m', { from: at(0), to: null, limit: 5 }, now);
  expect(oldest.map((candle) => [candle.close, candle.trades])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
    [3, 0],
    [5, 1],
  ]);
  const middle = await market.candles(pair, '1m', { from: null, to: at(start + 2600 * 60_000), limit: 1000 }, now);
  expect(middle).toHaveLength(1000);
  expect(middle.map((candle) => candle.close)).toEqual(
    Array.from({ length: 1000 }, (_, index) => {
      const minute = 1601 + index;
      return minute % 7 === 3 ? minute : minute + 1;
    }),
  );
  const hours = await market.candles(pair, '60m', everything, now);
  expect(hours).toHaveLength(67);
  expect(hours.reduce((sum, candle) => sum + candle.trades, 0)).toBe(3429);
  await history.close();
});

test('DEC-MKT-02: no answer before the first trade, and quiet windows afterwards', async () => {
  const history = new SqliteHistoryStore(':memory:');
  const { market, trade } = await open(history);
  const now = at(start);
  expect(await market.candles(pair, '1m', everything, now)).toEqual([]);
  expect(market.currentCandle(pair, '1d', now)).toBeNull();
  expect(market.averagePrice(pair, now)).toBeNull();
  expect(market.ticker(pair, now)).toMatchObject({
    last: null,
    open: null,
    high: null,
    low: null,
    change: 0,
    changeBps: 0,
    trades: 0,
  });
  expect(market.depthText(pair, 5)).toBe('{"lastUpdateId":0,"bids":[],"asks":[]}');
  trade(start, 500);
  const later = at(start + 3 * 60_000);
  expect((await market.candles(pair, '1m', everything, later)).map((candle) => candle.trades)).toEqual([1, 0, 0, 0]);
  await history.close();
});

test('DEC-MKT-06: a fall is a negative ratio, cut towards zero', async () => {
  const history = new SqliteHistoryStore(':memory:');
  const { market, trade } = await open(history);
  trade(start, 300);
  trade(start + 1000, 299);
  expect(market.ticker(pair, at(start + 2000))).toMatchObject({ open: 300, change: -1, changeBps: -33 });
  await history.close();
});

test('statistics after a restart do not depend on trades that retention let go', async () => {
  const history = new SqliteHistoryStore(':memory:');
  const before = await open(history);
  const moments = [0, 3, 5, 5.001, 26, 30];
  moments.forEach((hours, index) => {
    before.trade(start + hours * hour, 100 + index);
  });
  await before.flush();
  await history.prune(at(start + 31 * hour), { trades: 0 });
  expect(
    await history.rows('trades', { symbol: pair }, { from: at(0), to: at(start + 100 * hour) }, 10, true),
  ).toHaveLength(2);
  const after = await open(history);
  for (const hours of [31, 49.9, 50, 53.9, 54, 60]) {
    const now = at(start + hours * hour);
    expect(after.market.ticker(pair, now)).toEqual(before.market.ticker(pair, now));
  }
  await history.close();
});

test('statistics of a pair whose every trade was let go begin at its last price', async () => {
  const history = new SqliteHistoryStore(':memory:');
  const before = await open(history);
  before.trade(start, 77);
  before.trade(start + hour, 78);
  await before.flush();
  const now = at(start + 100 * hour);
  await history.prune(now, { trades: 0 });
  const { market, trade } = await open(history);
  expect(market.ticker(pair, now)).toMatchObject({ last: 78, open: 78, high: 78, trades: 0, lastLots: null });
  expect(market.trades(pair, 5)).toEqual([]);
  trade(now, 80);
  expect(market.ticker(pair, now)).toMatchObject({ last: 80, open: 78, low: 80, change: 2, trades: 1 });
  await history.close();
});
