import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { AccountId, Seq, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { HistoryUnavailable, type Window } from '#history/history-store.ts';
import { historyTables } from '#history/tables/history-tables.ts';
import { MemoryHistoryStore } from './memory-history-store.ts';
import { HistoryTooNew } from '#history/sqlite/sqlite-connection.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { WorkerHistoryStore } from '#history/worker-history-store.ts';
import { historyContract } from './history.contract.ts';
import { historyGroupsContract } from './history-groups.contract.ts';
import { historyPagesContract } from './history-pages.contract.ts';
import { toldAct } from '../operated.ts';

const folder = mkdtempSync(join(tmpdir(), 'history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const always: Window = { from: as(0), to: as(Number.MAX_SAFE_INTEGER) };
const freshFile = (): string => join(folder, `${(files += 1)}.db`);

for (const contract of [historyContract, historyPagesContract, historyGroupsContract]) {
  contract('memory history', async () => new MemoryHistoryStore());
  contract('SQLite history', async () => new SqliteHistoryStore(freshFile()));
  contract('SQLite history on a worker', async () => new WorkerHistoryStore(freshFile()));
}

test('a SQLite history keeps its rows and its watermark when it is opened again', async () => {
  const file = freshFile();
  const first = new SqliteHistoryStore(file);
  const bar = {
    symbol: as<SymbolId>(1),
    span: 'minute',
    openTime: 60_000,
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    lots: 1n,
    quoteAmount: 1n,
    trades: 1,
  };
  await first.write({ upTo: as<Seq>(5), rows: { bars: [bar as never] } });
  await first.close();
  const again = new SqliteHistoryStore(file);
  expect(await again.watermark()).toBe(5);
  expect(await again.firstBar(as<SymbolId>(1))).toEqual(bar);
  await again.close();
});

test('a database of before there were rebates gets their tables and keeps what it holds', async () => {
  const file = freshFile();
  const before = Object.fromEntries(Object.entries(historyTables).filter(([, { since }]) => since <= 2));
  const old = new SqliteHistoryStore(file, before);
  const act = { ...toldAct(3), isRefused: false };
  await old.write({ upTo: as<Seq>(3), rows: { operatorActs: [act as never] } });
  await old.close();
  const store = new SqliteHistoryStore(file);
  expect(await store.watermark()).toBe(3);
  expect(await store.rows('operatorActs', {}, always)).toEqual([act]);
  const alice = as<AccountId>(7);
  const days = () =>
    store.grouped('rebateDays', { account: alice, kind: 'earned' }, always, { by: [], sum: ['value'] });
  expect(await days()).toEqual([]);
  const ofTrade = { symbol: 0, trade: 1, isMaker: false, asset: 1, turnover: 1, turnoverValue: 1n };
  const terms = { share: 'referral', source: 8, code: 'a-b', product: 'spot', ratePpm: 1, amount: 1n, value: 3n };
  const rebate = { account: alice, kind: 'earned', at: 6, accrual: 1, seq: 4, ...terms, ...ofTrade };
  await store.write({ upTo: as<Seq>(4), rows: { rebates: [rebate as never] } });
  expect(await days()).toEqual([{ value: 3n, rows: 1 }]);
  await store.close();
});

test('a database of before there were contracts gets their tables and keeps what it holds', async () => {
  const file = freshFile();
  const before = Object.fromEntries(Object.entries(historyTables).filter(([, { since }]) => since <= 3));
  const old = new SqliteHistoryStore(file, before);
  const act = { ...toldAct(3), isRefused: false };
  await old.write({ upTo: as<Seq>(3), rows: { operatorActs: [act as never] } });
  await old.close();
  const store = new SqliteHistoryStore(file);
  expect(await store.watermark()).toBe(3);
  expect(await store.rows('operatorActs', {}, always)).toEqual([act]);
  const contract = as<SymbolId>(4);
  expect(await store.markedContracts()).toEqual([]);
  const rate = { contract, at: 60_000, seq: 4, rate: -1, fair: 7, paid: 2n ** 62n, received: -1n };
  const bar = { contract, kind: 'fair', span: 'minute', openTime: 60_000, seq: 4, open: 1, high: 3, low: 1, close: 2 };
  await store.write({ upTo: as<Seq>(4), rows: { fundingRates: [rate as never], markBars: [bar as never] } });
  expect(await store.rows('fundingRates', { contract }, always)).toEqual([rate]);
  expect(await store.rows('markBars', { contract, kind: 'fair', span: 'minute' }, always)).toEqual([bar]);
  expect(await store.markedContracts()).toEqual([contract]);
  await store.close();
});

test('seconds add up over any number of trades', async () => {
  const store = new SqliteHistoryStore(':memory:');
  const symbol = as<SymbolId>(1);
  const trades = Array.from({ length: 100_001 }, (_, index) => ({
    symbol,
    trade: index + 1,
    at: 1_000_000 + Math.floor(index / 3),
    price: 5 + (index % 7),
    lots: 2,
    quoteAmount: 9,
    takerSide: 'buy',
    taker: 1,
  }));
  await store.write({ upTo: as<Seq>(1), rows: { trades: trades as never } });
  const columns = await store.seconds(symbol, { from: as(0), to: as(Number.MAX_SAFE_INTEGER) });
  expect([...columns.trades]).toEqual([...Array.from({ length: 33 }, () => 3000), 1001]);
  expect(columns.lotsLow.reduce((sum, lots) => sum + lots, 0)).toBe(200_002);
  await store.close();
});

test('a batch that fails leaves neither rows nor watermark behind', async () => {
  const store = new SqliteHistoryStore(freshFile());
  const good = { symbol: 1, trade: 1, at: 1, price: 1, lots: 1, quoteAmount: 1, takerSide: 'buy', taker: 1 };
  const broken = { ...good, trade: 2, lots: 1.5 };
  const batch = { upTo: as<Seq>(1), rows: { trades: [good, broken] as never } };
  await expect(store.write(batch)).rejects.toThrow();
  expect(await store.watermark()).toBe(0);
  expect(await store.rows('trades', { symbol: as<SymbolId>(1) }, { from: as(0), to: as(9) }, 9, true)).toEqual([]);
  await store.write({ ...batch, rows: { trades: [good] as never } });
  expect(await store.watermark()).toBe(1);
  await store.close();
});

test('a file of a later version is refused', async () => {
  const file = freshFile();
  const { default: Database } = await import('libsql');
  const database = new Database(file);
  database.exec('PRAGMA user_version = 999');
  database.close();
  expect(() => new SqliteHistoryStore(file)).toThrow(HistoryTooNew);
});

test('calls to a worker that cannot open its file fail by name', async () => {
  const store = new WorkerHistoryStore(join(folder, 'no', 'such', 'folder', 'x.db'));
  await expect(store.watermark()).rejects.toThrow(HistoryUnavailable);
  mkdirSync(join(folder, 'no', 'such', 'folder'), { recursive: true });
  // The next call starts another worker.
  expect(await store.watermark()).toBe(0);
  await store.close();
  await expect(store.watermark()).rejects.toThrow(HistoryUnavailable);
});
