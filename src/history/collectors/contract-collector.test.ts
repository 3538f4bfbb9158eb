import { beforeEach, expect, test } from 'vitest';
import type { ContractRules } from '#model/contract.ts';
import type { EventSink } from '#model/events.ts';
import type { Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { BarSpan } from '#history/tables/bar-spans.ts';
import { MemoryHistoryStore } from '#test/ports/memory-history-store.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import type { MarkKind } from '#history/tables/contract-tables.ts';
import type { HistoryStore } from '#history/history-store.ts';
import { type HistoryWriter, startHistoryWriter } from '#history/collectors/history-writer.ts';

const contract = as<SymbolId>(5);
const always = { from: as<TimestampMs>(0), to: as<TimestampMs>(Number.MAX_SAFE_INTEGER) };
const noon = Date.UTC(2024, 0, 1, 12);
const options = { setTimer: () => () => {}, onFailure: () => {} };

let store: MemoryHistoryStore;
let writer: HistoryWriter;
beforeEach(async () => {
  store = new MemoryHistoryStore();
  writer = await startHistoryWriter({ store, ...options });
  writer.knowContracts([{ id: contract } as ContractRules]);
});

type Tell = (sink: EventSink) => void;
function entry(seq: number, at: number, ...tell: readonly Tell[]): void {
  writer.entryBegan(as<Seq>(seq), as<TimestampMs>(at));
  for (const each of tell) each(writer);
}
const fact =
  (told: object): Tell =>
  (sink) =>
    sink.fact(told as never);
const trade =
  (number: number, fields: object = {}): Tell =>
  (sink) =>
    sink.tradeExecuted({
      symbol: contract,
      trade: number,
      price: 100,
      lots: 4,
      quoteAmount: 400,
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
      ...fields,
    } as never);
/** What an account holds after a fill. */
const position =
  (account: number, lots: number): Tell =>
  (sink) =>
    sink.positionChanged({ account, contract, lots } as never);
const mark = (at: number, index: number, fair: number): Tell =>
  fact({ kind: 'markUpdated', mark: { contract, index, fair, at } });
const barsOf = async (kind: MarkKind, span: BarSpan, of: HistoryStore = store): Promise<unknown> =>
  (await of.rows('markBars', { contract, kind, span }, always)).map((bar) => [
    bar.openTime,
    [bar.open, bar.high, bar.low, bar.close],
    bar.seq,
  ]);

// Before, the taker buys 4 lots of the maker: taker after - 4, maker after + 4.
test.each([
  ['both open', 1, 4, -4],
  ['both add', 1, 10, -10],
  ['both close', 2, 0, 0],
  ['both reduce', 2, -3, 3],
  ['the taker opens and the maker closes', 3, 4, 0],
  ['the taker closes and the maker opens', 3, 0, -4],
  // From 1 short to 3 long, and from 1 long to 3 short: greater than before.
  ['both flip to more', 1, 3, -3],
  // From 3 short to 1 long and from 3 long to 1 short: smaller than before.
  ['both flip to less', 2, 1, -1],
  // From 2 short to 2 long: as great as before.
  ['both flip to as much', 2, 2, -2],
])('DEC-FUT-11: where %s, the flag is %i', async (_what, openFlag, taker, maker) => {
  entry(1, noon, trade(1), position(8, taker), position(9, maker));
  await writer.flush(as<Seq>(1));
  const row = { symbol: contract, at: noon, trade: 1, seq: 1, openFlag, isSelfTrade: false };
  expect(await store.rows('contractDeals', { symbol: contract }, always)).toEqual([row]);
});

test('DEC-FUT-11: of a sale the taker opens as it grows short; each fill of an order is judged apart', async () => {
  const sale = { takerSide: 'sell' };
  entry(1, noon, trade(1, sale), position(8, -4), position(9, 4), trade(2, sale), position(8, -8), position(9, 0));
  await writer.flush(as<Seq>(1));
  const deals = await store.rows('contractDeals', { symbol: contract }, always);
  expect(deals.map(({ trade: number, openFlag }) => [number, openFlag])).toEqual([
    [1, 1],
    [2, 3],
  ]);
});

test('DEC-FUT-11: a trade of an account with itself changes no position: neither side opens', async () => {
  entry(1, noon, trade(1, { makerAccount: 8 }), trade(1, { symbol: 0, makerAccount: 8 }));
  await writer.flush(as<Seq>(1));
  const deals = await store.rows('contractDeals', { symbol: contract }, always);
  expect(deals.map(({ openFlag, isSelfTrade }) => [openFlag, isSelfTrade])).toEqual([[2, true]]);
  expect(await store.rows('contractDeals', { symbol: as<SymbolId>(0) }, always)).toEqual([]);
});

test('a position that changes without a trade makes no deal, and a trade of a symbol neither', async () => {
  entry(1, noon, trade(1), position(8, 4), position(9, -4), position(8, 0), position(9, 0));
  entry(2, noon, trade(1, { symbol: 0 }), position(8, 4));
  await writer.flush(as<Seq>(2));
  expect(await store.rows('contractDeals', { symbol: contract }, always)).toHaveLength(1);
  expect(await store.rows('contractDeals', { symbol: as<SymbolId>(0) }, always)).toEqual([]);
});

test('DEC-FUT-31: bars of both prices open with the close before them, in every span', async () => {
  entry(1, noon, mark(noon, 100, 0));
  entry(2, noon + 59_000, mark(noon + 59_000, 90, 200));
  entry(3, noon + 60_000, mark(noon + 60_000, 95, 210));
  entry(4, noon + 180_000, mark(noon + 180_000, 99, 205));
  await writer.flush(as<Seq>(4));
  expect(await barsOf('index', 'minute')).toEqual([
    [noon, [100, 100, 90, 90], 2],
    [noon + 60_000, [90, 95, 90, 95], 3],
    [noon + 180_000, [95, 99, 95, 99], 4],
  ]);
  expect(await barsOf('fair', 'minute')).toEqual([
    [noon, [200, 200, 200, 200], 2],
    [noon + 60_000, [200, 210, 200, 210], 3],
    [noon + 180_000, [210, 210, 205, 205], 4],
  ]);
  expect(await barsOf('index', 'quarter')).toEqual([[noon, [100, 100, 90, 99], 4]]);
  expect(await barsOf('index', 'hour')).toEqual([[noon, [100, 100, 90, 99], 4]]);
  expect(await barsOf('fair', 'day')).toEqual([[noon - 12 * 3_600_000, [200, 210, 200, 205], 4]]);
});

test('DEC-FUT-31: a writer that starts again goes on with the stored bars', async () => {
  entry(1, noon, mark(noon, 100, 100));
  await writer.flush(as<Seq>(1));
  writer = await startHistoryWriter({ store, ...options });
  entry(2, noon + 1000, mark(noon + 1000, 120, 80));
  entry(3, noon + 60_000, mark(noon + 60_000, 110, 110));
  await writer.flush(as<Seq>(3));
  expect(await barsOf('index', 'minute')).toEqual([
    [noon, [100, 120, 100, 120], 2],
    [noon + 60_000, [120, 120, 110, 110], 3],
  ]);
  expect(await barsOf('fair', 'hour')).toEqual([[noon, [100, 110, 80, 110], 3]]);
});

test('fundings, takeovers and snapshots of the fund are rows of their entries', async () => {
  const funding = { contract, at: noon, rate: -12_345, fair: 7, paid: 2n ** 60n, received: 5n };
  const takeover = {
    reason: 'liquidation',
    contract,
    account: 8,
    lots: -4,
    price: 90,
    realised: -40n,
    fee: 1,
    fromFund: 3n,
    at: noon,
  };
  entry(
    1,
    noon,
    fact({ kind: 'fundingSettled', funding }),
    fact({ kind: 'positionTaken', takeover }),
    fact({ kind: 'positionTaken', takeover: { ...takeover, reason: 'deleveraging' } }),
    fact({ kind: 'fundSnapshot', contract, available: 500_000n, at: noon }),
  );
  await writer.flush(as<Seq>(1));
  expect(await store.rows('fundingRates', { contract }, always)).toEqual([{ ...funding, seq: 1 }]);
  expect(await store.rows('fundSnapshots', { contract }, always)).toEqual([
    { contract, at: noon, seq: 1, available: 500_000n },
  ]);
  expect(await store.rows('takeovers', { contract }, always)).toEqual([
    { ...takeover, seq: 1, line: 0 },
    { ...takeover, reason: 'deleveraging', seq: 1, line: 1 },
  ]);
});

test('DEC-FUT-33: prices that are taken back leave the bars of the minutes before', async () => {
  const sqlite = new SqliteHistoryStore(':memory:');
  writer = await startHistoryWriter({ store: sqlite, ...options });
  entry(1, noon, mark(noon, 100, 100));
  entry(2, noon + 60_000, mark(noon + 60_000, 130, 100));
  entry(3, noon + 121_000, mark(noon + 121_000, 70, 100));
  entry(4, noon + 122_000, mark(noon + 122_000, 300, 100));
  await writer.flush(as<Seq>(4));
  const replaced = { deposits: [], subAccountDeposits: [], withdrawals: [] };
  const nothing = { lastOrder: 0, openOrders: [], lastTrades: [], replaced };
  sqlite.takeBack({ upTo: 3, at: noon + 121_000, ...nothing } as never);
  expect(await barsOf('index', 'minute', sqlite)).toEqual([
    [noon, [100, 100, 100, 100], 1],
    [noon + 60_000, [100, 130, 100, 130], 2],
  ]);
  expect(await barsOf('index', 'quarter', sqlite)).toEqual([[noon, [100, 130, 100, 130], 2]]);
  expect(await barsOf('index', 'day', sqlite)).toEqual([[noon - 12 * 3_600_000, [100, 130, 100, 130], 2]]);
  await sqlite.close();
});
