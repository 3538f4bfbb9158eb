import { beforeEach, expect, test } from 'vitest';
import type { EventSink } from '#model/events.ts';
import { as } from '#model/units.ts';
import type { Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import type { Listing } from '#sequencer/queries/exchange-queries.ts';
import { createContractData, type ContractDataProjection } from '#market-data/contracts/contract-data.ts';
import { changeTo } from '#market-data/day-changes.ts';
import { type HistoryWriter, startHistoryWriter } from '#history/collectors/history-writer.ts';
import { createMarketData, type MarketDataProjection } from '#market-data/market-data.ts';

const contract = as<SymbolId>(1);
const dayMs = 86_400_000;
const noon = Date.UTC(2024, 0, 2, 12);
const rules = { id: 1, name: 'BTC_USDT', base: 0, settle: 1 };
const listing = {
  assets: [
    { id: 0, scale: 8 },
    { id: 1, scale: 8 },
  ],
  symbols: [{ id: 0, base: 0, quote: 1, priceDecimals: 2, quantityDecimals: 2 }],
  contracts: [rules],
  isTradingOpen: true,
  feeToken: null,
} as unknown as Listing;

let history: SqliteHistoryStore;
let writer: HistoryWriter;
let market: MarketDataProjection;
let data: ContractDataProjection;
let seq: number;
beforeEach(async () => {
  history = new SqliteHistoryStore(':memory:');
  await start();
});

/** Starts writer and projections at what history holds. */
async function start(): Promise<void> {
  writer = await startHistoryWriter({ store: history, setTimer: () => () => {}, onFailure: () => {} });
  writer.knowContracts(listing.contracts!);
  const awaitHistory = (upTo: Seq): Promise<void> => writer.flush(upTo);
  market = createMarketData({ history, awaitHistory });
  data = createContractData({ market, history, awaitHistory });
  seq = await market.restore();
  await data.restore();
  market.configure(listing);
}

type Tell = (sink: EventSink) => void;
function entry(at: number, ...tell: readonly Tell[]): void {
  seq += 1;
  for (const sink of [writer, market, data]) {
    sink.entryBegan(as<Seq>(seq), as<TimestampMs>(at));
    for (const each of tell) each(sink);
  }
}
const order = (number: number, side: 'buy' | 'sell', price: number, symbol: number = contract): never =>
  ({ order: number, symbol, side, price, account: 8 }) as never;
const level =
  (version: number, side: 'buy' | 'sell', price: number, lots: number): Tell =>
  (sink) =>
    sink.levelChanged(contract, as(version), side, as(price), as(lots));
const accept =
  (...of: Parameters<typeof order>): Tell =>
  (sink) =>
    sink.orderAccepted(order(...of));
const closeOf =
  (...of: Parameters<typeof order>): Tell =>
  (sink) =>
    sink.orderClosed(order(...of));
/** A trade after which the buying taker holds these lots, and the maker as many less. */
const deal = (number: number, price: number, lots: number): readonly Tell[] => [
  (sink) =>
    sink.tradeExecuted({
      symbol: contract,
      trade: number,
      price,
      lots: 1,
      quoteAmount: price,
      takerSide: 'buy',
      taker: number,
      maker: 1,
      takerAccount: 8,
      makerAccount: 9,
      takerClientOrderId: null,
      makerClientOrderId: null,
      fillOfTaker: 1,
      takerFee: 0,
      takerFeeAsset: 0,
      makerFee: 0,
      makerFeeAsset: 0,
    } as never),
  (sink) => sink.positionChanged({ account: 8, contract, lots } as never),
  (sink) => sink.positionChanged({ account: 9, contract, lots: -lots } as never),
];
const mark = (at: number, index: number, fair: number): Tell[] => [
  (sink) => sink.fact({ kind: 'markUpdated', mark: { contract, index, fair, at, openInterest: 7 } } as never),
];
const at = (ms: number): TimestampMs => as<TimestampMs>(ms);

test('DEC-FUT-02: levels tell how many orders rest, also after orders were taken or cancelled', () => {
  entry(noon, accept(1, 'buy', 100), level(1, 'buy', 100, 5));
  entry(noon, accept(2, 'buy', 100), level(2, 'buy', 100, 8));
  entry(noon, accept(3, 'buy', 99), level(3, 'buy', 99, 1));
  entry(noon, accept(4, 'sell', 101), level(4, 'sell', 101, 2));
  // A sale of 6 takes the first order whole and one lot of the second.
  entry(noon, accept(5, 'sell', 100), closeOf(1, 'buy', 100), level(5, 'buy', 100, 3), level(6, 'buy', 100, 2));
  entry(noon, closeOf(5, 'sell', 100), closeOf(3, 'buy', 99), level(7, 'buy', 99, 0));
  expect(data.depth(contract, 5)).toEqual({
    version: 7,
    bids: [{ price: 100, orders: 1, lots: 2 }],
    asks: [{ price: 101, orders: 1, lots: 2 }],
  });
});

test('DEC-FUT-10: commits are the levels that changed, a version each, newest first', () => {
  entry(noon, accept(1, 'buy', 100), level(1, 'buy', 100, 5));
  entry(noon, accept(2, 'buy', 100), level(2, 'buy', 100, 8));
  entry(noon, accept(3, 'sell', 100), closeOf(1, 'buy', 100), level(3, 'buy', 100, 3));
  entry(noon, closeOf(2, 'buy', 100), level(4, 'buy', 100, 0));
  expect(data.commits(contract, 3)).toEqual([
    { version: 4, side: 'buy', price: 100, orders: 0, lots: 0 },
    { version: 3, side: 'buy', price: 100, orders: 1, lots: 3 },
    { version: 2, side: 'buy', price: 100, orders: 2, lots: 8 },
  ]);
  for (let version = 5; version <= 1004; version += 1) entry(noon, level(version, 'sell', 200, version));
  const all = data.commits(contract, 1000);
  expect([all.length, all[0]!.version, all.at(-1)!.version]).toEqual([1000, 1004, 5]);
});

test('DEC-FUT-32: after a restart the counts come from the engine, and commits begin anew', async () => {
  entry(noon, accept(1, 'buy', 100), level(1, 'buy', 100, 5));
  await writer.flush(as<Seq>(seq));
  await start();
  market.load(contract, { version: as(1), bids: [[as(100), as(5)]], asks: [] });
  data.load(contract, { bids: [[as(100), 1]], asks: [] });
  expect(data.commits(contract, 10)).toEqual([]);
  entry(noon, accept(2, 'buy', 100), level(2, 'buy', 100, 6));
  expect(data.depth(contract, 5).bids).toEqual([{ price: 100, orders: 2, lots: 6 }]);
  expect(data.commits(contract, 10).map(({ version }) => version)).toEqual([2]);
});

test('DEC-FUT-11: deals carry their flags, newest first, also those of before a restart', async () => {
  entry(noon, ...deal(1, 100, 1), ...deal(2, 101, 2));
  entry(noon + 1, ...deal(3, 102, 0));
  const told = (limit: number): unknown => data.deals(contract, limit).map((each) => [each.price, each.openFlag]);
  const expected = [
    [102, 2],
    [101, 1],
    [100, 1],
  ];
  expect(told(100)).toEqual(expected);
  await writer.flush(as<Seq>(seq));
  await start();
  expect(told(100)).toEqual(expected);
  entry(noon + 2, ...deal(4, 103, 1));
  expect(told(2)).toEqual([[103, 1], expected[0]]);
});

test('DEC-FUT-34: changes are counted from the last price before UTC days that began 0, 7, 30 … days ago', async () => {
  const midnight = Math.floor(noon / dayMs) * dayMs;
  entry(midnight - 30 * dayMs - 1, ...deal(1, 200, 1));
  entry(midnight - 7 * dayMs, ...deal(2, 300, 1));
  entry(midnight - 1, ...deal(3, 80, 1));
  entry(noon, ...deal(4, 120, 1));
  const { day, changes } = await data.ticker(contract, at(noon + 1000));
  expect(day).toMatchObject({ last: 120, lots: 2n, quoteAmount: 200n, trades: 2 });
  expect(changes.map(({ days, from }) => [days, from])).toEqual([
    [0, 80],
    [7, 200],
    [30, 200],
    [90, null],
    [180, null],
    [365, null],
  ]);
  // From 80 to 120, from 200 to 120, and from nothing. DEC-FUT-15
  expect([0, 1, 3].map((index) => changeTo(day.last, changes[index]!))).toEqual([
    { ticks: 40, bps: 5000 },
    { ticks: -80, bps: -4000 },
    { ticks: 0, bps: 0 },
  ]);
  const tomorrow = await data.ticker(contract, at(noon + dayMs));
  expect(tomorrow.changes[0]!.from).toBe(120);
});

test('DEC-FUT-16: candles of index and fair prices are folds of their bars; a quiet window repeats the close', async () => {
  entry(noon, ...mark(noon, 100, 50));
  entry(noon + 30_000, ...mark(noon + 30_000, 130, 50));
  entry(noon + 60_000, ...mark(noon + 60_000, 90, 60));
  entry(noon + 240_000, ...mark(noon + 240_000, 95, 70));
  const candlesOf = async (kind: 'index' | 'fair', interval: '1m' | '15m' | '1d', limit = 10): Promise<unknown> =>
    (await data.markCandles({ contract, kind, interval }, { from: null, to: null, limit }, at(noon + 241_000))).map(
      ({ openTime, open, high, low, close, lots }) => [openTime - noon, open, high, low, close, lots],
    );
  expect(await candlesOf('index', '1m')).toEqual([
    [0, 100, 130, 100, 130, 0n],
    [60_000, 130, 130, 90, 90, 0n],
    [120_000, 90, 90, 90, 90, 0n],
    [180_000, 90, 90, 90, 90, 0n],
    [240_000, 90, 95, 90, 95, 0n],
  ]);
  expect(await candlesOf('index', '1m', 1)).toEqual([[240_000, 90, 95, 90, 95, 0n]]);
  expect(await candlesOf('fair', '15m')).toEqual([[0, 50, 70, 50, 70, 0n]]);
  expect(await candlesOf('fair', '1d')).toEqual([[-dayMs / 2, 50, 70, 50, 70, 0n]]);
});

test('orders of symbols are not counted, and a contract without anything has an empty book', async () => {
  entry(noon, accept(1, 'buy', 100, 0));
  expect(data.depth(contract, 5)).toEqual({ version: 0, bids: [], asks: [] });
  expect([data.commits(contract, 5), data.deals(contract, 5)]).toEqual([[], []]);
  const nothing = await data.markCandles(
    { contract, kind: 'fair', interval: '1m' },
    { from: null, to: null, limit: 5 },
    at(noon),
  );
  expect(nothing).toEqual([]);
});
