import { randomBytes } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { HistoryDamaged, type HistoryStore } from '#history/history-store.ts';
import { SqliteHistoryStore } from '#history/sqlite/sqlite-history-store.ts';
import { WorkerHistoryStore } from '#history/worker-history-store.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { damageOf, HistoryLost, isDamageNoted, noteDamage, setHistoryAside } from '#main/storage/damaged-history.ts';
import { batchFrom, smallSegment } from './journal-script.ts';
import { startServer } from './server-process.ts';
import { TradingClient } from './trading-client.ts';

const roots: string[] = [];
const newRoot = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'torn-'));
  roots.push(root);
  return root;
};
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});
const pageSize = 4096;

/** Random bytes in place of a file's, from a position on; the file keeps its size. */
function spoil(path: string, from: number): void {
  const size = readFileSync(path).length;
  const file = openSync(path, 'r+');
  writeSync(file, randomBytes(size - from), 0, size - from, from);
  closeSync(file);
}

const open = async (data: string) => {
  const server = await startServer(data);
  const client = new TradingClient(server.demo, 'alice');
  const paths = ['/api/v3/allOrders', '/api/v3/myTrades'];
  return {
    server,
    client,
    ask: () => Promise.all(paths.map(async (path) => (await client.call('GET', path, { symbol: 'BTCUSDT' }))?.body)),
    stop: async (): Promise<void> => {
      client.close();
      server.process.kill('SIGTERM');
      await server.ended;
    },
  };
};

describe('a data directory whose history is damaged', () => {
  /** A stopped exchange with one trade, and what alice was told of it. */
  let traded: string;
  let before: readonly unknown[];
  beforeAll(async () => {
    traded = mkdtempSync(join(tmpdir(), 'damaged-history-'));
    const first = await open(traded);
    const bob = new TradingClient(first.server.demo, 'bob');
    const terms = { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '0.01', price: '1000' };
    await first.client.call('POST', '/api/v3/order', { ...terms, side: 'BUY' });
    await bob.call('POST', '/api/v3/order', { ...terms, side: 'SELL' });
    bob.close();
    before = await first.ask();
    expect(before[1]).toHaveLength(1);
    await first.stop();
  });
  afterAll(() => rmSync(traded, { recursive: true, force: true }));

  test.each([
    ['random bytes', (path: string): void => writeFileSync(path, randomBytes(50_000))],
    ['a torn database', (path: string): void => spoil(path, pageSize)],
    ['one that ends in the middle', (path: string): void => writeFileSync(path, readFileSync(path).subarray(0, 6000))],
    ['damage that an earlier run came across', (path: string): void => noteDamage(path)],
  ])('a start that finds %s in place of history moves it aside and makes history anew', async (_name, damage) => {
    const data = newRoot();
    cpSync(traded, data, { recursive: true, preserveTimestamps: true });
    const history = join(data, 'history.db');
    damage(history);
    const after = await open(data);
    expect(await after.ask()).toEqual(before);
    await after.stop();
    expect(after.server.output()).toContain(`${history} is damaged (`);
    expect(after.server.output()).toContain('history is made anew from the journal');
    const names = readdirSync(data).filter((name) => name.startsWith('history.db.'));
    expect(names).toEqual([expect.stringMatching(/^history\.db\.damaged-[0-9TZ.-]+$/)]);
  });
});

describe('where the journal does not reach back', () => {
  test('a damaged history stays where it is, and the message says what to do', async () => {
    const root = newRoot();
    const directory = { history: join(root, 'history.db'), journal: join(root, 'journal') };
    const journal = await FileJournal.open({
      files: nodeFileOperations,
      directory: directory.journal,
      segmentSize: smallSegment,
      notice: () => {},
    });
    for (let last = 0; last < 400; last += 10) await journal.append(as(last), batchFrom(last + 1, 10));
    await journal.release(as(200));
    const first = journal.first();
    await journal.close();
    writeFileSync(directory.history, 'garbage');
    const told: string[] = [];
    const parts = { files: nodeFileOperations, wall: { now: () => 0 }, tell: (text: string) => told.push(text) };
    const failure = await setHistoryAside(directory, 'torn', parts).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HistoryLost);
    expect(String(failure)).toContain(`the journal begins at entry ${first}`);
    expect(String(failure)).toContain('Put back history.db from a backup');
    expect(readFileSync(directory.history, 'utf8')).toBe('garbage');
    expect(told).toEqual([]);
  });
});

test('damage that is found while the database is in use is told as such', async () => {
  const path = join(newRoot(), 'history.db');
  const filled = new SqliteHistoryStore(path);
  const trade = { symbol: 0, at: 0, price: 1, lots: 1, quoteAmount: 1, takerSide: 'buy', taker: 1 } as const;
  const trades = Array.from({ length: 20_000 }, (_, index) => ({ ...trade, trade: index + 1, at: index }));
  await filled.write({ upTo: 1, rows: { trades } } as unknown as Parameters<HistoryStore['write']>[0]);
  await filled.close();
  const heard: HistoryDamaged[] = [];
  const store = new WorkerHistoryStore(path, (damage) => heard.push(damage));
  expect(await store.watermark()).toBe(1);
  spoil(path, 4 * pageSize);
  const window = { from: as<never>(0 as never), to: as<never>(19_999 as never) };
  const failure = await store.seconds(as<never>(0 as never), window).catch((error: unknown) => error);
  expect(damageOf(new Error('outer', { cause: failure }))).toBe(failure);
  expect(failure).toBeInstanceOf(HistoryDamaged);
  expect(heard).toEqual([failure]);
  await store.close().catch(() => undefined);
  expect([isDamageNoted(path), existsSync(path)]).toEqual([false, true]);
});
