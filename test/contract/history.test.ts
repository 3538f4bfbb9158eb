import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Seq, SymbolId } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { HistoryUnavailable } from '#history/history-store.ts';
import { MemoryHistoryStore } from '#history/memory-history-store.ts';
import { HistoryTooNew } from '#history/sqlite-connection.ts';
import { SqliteHistoryStore } from '#history/sqlite-history-store.ts';
import { WorkerHistoryStore } from '#history/worker-history-store.ts';
import { historyContract } from './history.contract.ts';
import { historyGroupsContract } from './history-groups.contract.ts';
import { historyPagesContract } from './history-pages.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
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
