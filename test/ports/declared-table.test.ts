import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AccountId, AssetId, Balance, OrderNumber, Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HistoryStore, RowStore, Window } from '#history/history-store.ts';
import {
  bigInteger,
  declareTable,
  integer,
  nullable,
  type RowOf,
  text,
  time,
  word,
} from '#history/tables/history-table.ts';
import { historyTables, type TradeRow } from '#history/tables/history-tables.ts';
import { MemoryHistoryStore } from './memory-history-store.ts';
import { packRows, unpackRows } from '#history/worker/packed-rows.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { WorkerHistoryStore } from '#history/worker-history-store.ts';

// The example of CONTRIBUTING.md, as it stands there.
const transfers = declareTable('transfers', {
  since: 2,
  columns: {
    account: integer<AccountId>(),
    at: time(),
    seq: integer<Seq>(),
    direction: word(['in', 'out']),
    asset: integer<AssetId>(),
    amount: bigInteger<Balance>(),
    address: text(),
    memo: nullable(text()),
  },
  key: ['account', 'at', 'seq'],
  indexes: [{ name: 'transfers_by_address', columns: ['address', 'at', 'seq'], isUnique: false }],
  retention: { keptMsMin: 1000 },
  position: 'seq',
});

/** Tables of the first schema but the example's namesake, so that the example is what comes next. */
const isBefore = ([name, { since }]: [string, { readonly since: number }]): boolean =>
  since === 1 && name !== 'transfers';
const before = Object.fromEntries(Object.entries(historyTables).filter(isBefore));
const tables = { ...before, transfers };
type Transfer = RowOf<typeof transfers>;
type Store = RowStore<Omit<typeof historyTables, 'transfers'> & { readonly transfers: typeof transfers }>;

const folder = mkdtempSync(join(tmpdir(), 'declared-table-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const freshFile = (): string => join(folder, `${(files += 1)}.db`);

const alice = as<AccountId>(7);
const start = 1_700_000_000_000;
const always: Window = { from: as(0), to: as(Number.MAX_SAFE_INTEGER) };
const transfer = (seq: number, fields: Partial<Transfer> = {}): Transfer => ({
  account: alice,
  at: as<TimestampMs>(start + seq),
  seq: as<Seq>(seq),
  direction: 'in',
  asset: as<AssetId>(2),
  amount: as<Balance>(5n),
  address: 'bc1q',
  memo: null,
  ...fields,
});
const extremes: readonly Transfer[] = [
  transfer(1, { amount: as<Balance>(2n ** 63n - 1n), address: 'two\nlines', memo: '' }),
  transfer(2, { amount: as<Balance>(-(2n ** 63n)), address: '', memo: null, direction: 'out' }),
  transfer(3, { amount: as<Balance>(2n ** 53n + 1n), address: "d'or \u{1f680}", memo: '"\t\\' }),
  transfer(4, { amount: as<Balance>(0n), seq: as<Seq>(Number.MAX_SAFE_INTEGER), memo: 'x'.repeat(5000) }),
];

/** The stores' types name the tables of today; what they do follows from the tables that they are given. */
const makers: Readonly<Record<string, () => HistoryStore>> = {
  memory: () => new MemoryHistoryStore(tables),
  SQLite: () => new SqliteHistoryStore(freshFile(), tables),
  'a worker': () => new WorkerHistoryStore(freshFile(), () => {}, tables),
};

test('a declared table is packed and unpacked without loss', () => {
  expect(unpackRows(transfers, packRows(transfers, extremes))).toEqual(extremes);
  expect(unpackRows(transfers, packRows(transfers, []))).toEqual([]);
});

test('what a column cannot hold is refused before anything is written', async () => {
  const store = makers['SQLite']!() as unknown as Store;
  for (const wrong of [{ amount: 2n ** 63n }, { amount: null }, { direction: 'sideways' }]) {
    const rows = { transfers: [transfer(1), transfer(2, wrong as never)] };
    await expect(store.write({ upTo: as<Seq>(1), rows })).rejects.toThrow(RangeError);
  }
  expect(await store.watermark()).toBe(0);
  expect(await store.rows('transfers', { account: alice }, always)).toEqual([]);
  await store.close();
});

describe.each(Object.keys(makers))('a declared table in %s', (name) => {
  test('gives its rows back: every text, every 64-bit amount', async () => {
    const store = makers[name]!() as unknown as Store;
    await store.write({ upTo: as<Seq>(9), rows: { transfers: extremes } });
    expect(await store.watermark()).toBe(9);
    expect(await store.rows('transfers', { account: alice }, always)).toEqual(extremes);
    await store.close();
  });

  test('answers by value, window and either end, and replaces rows by key', async () => {
    const store = makers[name]!() as unknown as Store;
    const rows = [9, 10, 100, 11].map((seq) => transfer(seq, { address: seq === 10 ? 'other' : 'same' }));
    const stranger = transfer(12, { account: as<AccountId>(8) });
    await store.write({ upTo: as<Seq>(1), rows: { transfers: [...rows, stranger] } });
    await store.write({ upTo: as<Seq>(2), rows: { transfers: [transfer(11, { memo: 'again', address: 'same' })] } });
    const seen = async (...args: [where: Partial<Transfer>, window: Window, limit?: number, fromStart?: boolean]) =>
      (await store.rows('transfers', { account: alice, ...(args[0] as object) }, args[1], args[2], args[3])).map(
        ({ seq, memo }) => `${seq}${memo ?? ''}`,
      );
    expect(await seen({}, always)).toEqual(['9', '10', '11again', '100']);
    expect(await seen({}, always, 2)).toEqual(['9', '10']);
    expect(await seen({}, always, 2, false)).toEqual(['11again', '100']);
    expect(await seen({}, { from: as(start + 10), to: as(start + 11) })).toEqual(['10', '11again']);
    expect(await seen({ address: 'same' }, always, 2, false)).toEqual(['11again', '100']);
    expect(await seen({ direction: 'out' }, always)).toEqual([]);
    await store.close();
  });

  test('lets old rows go, but none that its declaration keeps', async () => {
    const store = makers[name]!() as unknown as Store;
    const rows = [1, 500, 2000].map((seq) => transfer(seq));
    await store.write({ upTo: as<Seq>(1), rows: { transfers: [...rows, transfer(3, { account: as<AccountId>(8) })] } });
    expect(await store.prune(as(start + 1400), { transfers: null })).toBe(0);
    expect(await store.prune(as(start + 1400), { transfers: 0, orders: 0 })).toBe(2);
    expect(await store.rows('transfers', { account: alice }, always)).toEqual(rows.slice(1));
    await store.close();
  });
});

test('a database of before a table was declared gets it and keeps what it holds', async () => {
  const file = freshFile();
  const old = new SqliteHistoryStore(file, before);
  const plain = { symbol: 1, trade: 1, at: 1, price: 1, lots: 1, quoteAmount: 1, takerSide: 'buy', taker: 1 };
  const trade = plain as unknown as TradeRow;
  await old.write({ upTo: as<Seq>(1), rows: { trades: [trade] } });
  await old.close();
  const store = new SqliteHistoryStore(file, tables) as unknown as Store;
  await store.write({ upTo: as<Seq>(2), rows: { transfers: extremes } });
  expect(await store.rows('trades', { symbol: trade.symbol }, always)).toEqual([trade]);
  expect(await store.rows('transfers', { account: alice }, always)).toEqual(extremes);
  await store.close();
});

test('rows with a position go when history is taken back before them', async () => {
  const store = new SqliteHistoryStore(':memory:', tables);
  const rows = [1, 2, 3].map((seq) => transfer(seq, { seq: as<Seq>(seq) }));
  await (store as unknown as Store).write({ upTo: as<Seq>(3), rows: { transfers: rows } });
  const replaced = { deposits: [], subAccountDeposits: [], withdrawals: [] };
  const nothingElse = { lastOrder: as<OrderNumber>(0), openOrders: [], lastTrades: [], replaced };
  store.takeBack({ upTo: as<Seq>(2), at: as<TimestampMs>(start + 2), ...nothingElse });
  expect(await (store as unknown as Store).rows('transfers', { account: alice }, always)).toEqual(rows.slice(0, 2));
  expect(await store.watermark()).toBe(2);
  await store.close();
});

test('the guide for contributors shows the table that is tested here', () => {
  const guide = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const example = /To add a history table.*?```ts\n(?<code>.*?)```/s.exec(guide)?.groups?.['code'];
  expect(example).toContain('declareTable(');
  expect(readFileSync(new URL(import.meta.url), 'utf8')).toContain(example);
});
