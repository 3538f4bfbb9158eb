import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { catalogue } from '#operator-api/catalogue.ts';
import { ConfigurationRefused } from '#main/configuration/config.ts';
import { operatorDeclarations } from '#testing/operator-declarations.ts';
import { OperatorProblem, startBourse, type TestExchange, type TestExchangeOptions } from '#testing/testing.ts';
import { runProcess } from '../guides/run-process.ts';
import { newFolder, removeFolder } from './world.ts';

const open: TestExchange[] = [];
/** Temporary directories stand here meanwhile: exchanges of other test files, which run beside, are not looked at. */
let folder: string;
beforeEach(() => {
  folder = newFolder();
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  for (const exchange of open.splice(0)) await exchange.close();
  vi.unstubAllEnvs();
  removeFolder(folder);
});

const started = async (options?: TestExchangeOptions): Promise<TestExchange> => {
  const exchange = await startBourse(options);
  open.push(exchange);
  return exchange;
};

const directories = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('bourse-test-'));

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
async function placed({ baseUrl, accounts: { alice } }: TestExchange, timestamp: number): Promise<number> {
  const query = `${new URLSearchParams({ ...order, timestamp: String(timestamp) })}`;
  const signature = createHmac('sha256', alice.secretKey).update(query).digest('hex');
  const url = `${baseUrl}/api/v3/order?${query}&signature=${signature}`;
  return (await fetch(url, { method: 'POST', headers: { 'X-SVC-APIKEY': alice.apiKey } })).status;
}

const begin = Date.parse('2026-01-01T00:00:00Z');
const fixed = { seed: '7', now: '2026-01-01T00:00:00Z' };

test('DEC-KIT-80: exchanges start and close side by side, and leave nothing behind', async () => {
  const before = directories();
  const signals = process.listenerCount('SIGTERM');
  const first = await started(fixed);
  const second = await started({ seed: fixed.seed });
  expect(new Set([first.baseUrl, first.operatorUrl, second.baseUrl, second.operatorUrl]).size).toBe(4);
  // The same seed gives the same keys.
  expect(second.accounts).toEqual(first.accounts);
  expect(await placed(first, begin)).toBe(200);
  expect(await placed(second, Date.now())).toBe(200);
  expect(process.listenerCount('SIGTERM')).toBe(signals);

  await Promise.all([first.close(), first.close()]);
  await expect(fetch(`${first.baseUrl}/api/v3/time`)).rejects.toThrow();
  expect((await fetch(`${second.baseUrl}/api/v3/time`)).status).toBe(200);
  await second[Symbol.asyncDispose]();
  expect(directories().filter((name) => !before.includes(name))).toEqual([]);
}, 60_000);

test('DEC-KIT-81: an option that cannot be used is refused by name, and nothing is left', async () => {
  const before = directories();
  const refused: [TestExchangeOptions, RegExp][] = [
    [{ sed: '7' } as TestExchangeOptions, /no option sed/],
    [{ settings: { data: '/' } }, /data is no member of settings/],
    [{ settings: { rateLimit: false } }, /no setting "rateLimit"/],
    [{ settings: { connectionsMax: 0 } }, /connections-max/],
    [{ now: 'yesterday' }, /now/],
    [{ clock: 'manual' }, /add --now/],
  ];
  for (const [options, message] of refused) await expect(startBourse(options)).rejects.toThrow(message);
  await expect(startBourse({ now: 'yesterday' })).rejects.toBeInstanceOf(ConfigurationRefused);
  expect(directories()).toEqual(before);
});

test('DEC-KIT-38: it has no thread beside, and its journal, history and states are whole', async () => {
  const threads = vi.spyOn(Worker.prototype, 'postMessage');
  try {
    const exchange = await started(fixed);
    const [alice, bob] = [exchange.client('alice'), exchange.client('bob')];
    const terms = { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '0.01', price: '50000' } as const;
    const trade = async () => {
      await alice.placeOrder({ ...terms, side: 'BUY' });
      await bob.placeOrder({ ...terms, side: 'SELL' });
    };
    const trades = () => alice.myTrades({ symbol: 'BTCUSDT' });
    await trade();
    const once = await trades();
    expect(once).toHaveLength(1);
    await exchange.operator.saveState({ name: 'traded' });
    await trade();
    const twice = await trades();
    expect(twice).toHaveLength(2);
    await exchange.restart();
    expect(await trades()).toEqual(twice);
    await exchange.operator.restoreState({ name: 'traded' });
    expect(await trades()).toEqual(once);
    expect(threads).not.toHaveBeenCalled();
  } finally {
    threads.mockRestore();
  }
}, 60_000);

test('DEC-KIT-37: one that has a thread is the same, and what it refuses has the same words', async () => {
  const before = directories();
  const exchange = await started({ ...fixed, thread: true });
  expect(await placed(exchange, begin)).toBe(200);
  expect(await exchange.operator.advanceClock({ ms: 1000 })).toMatchObject({ now: begin + 1000 });
  await Promise.all([exchange.close(), exchange.close()]);
  await expect(fetch(exchange.baseUrl)).rejects.toThrow();
  const unknown = await startBourse({ thread: true, sed: '7' } as TestExchangeOptions).catch((error: unknown) => error);
  expect(unknown).toBeInstanceOf(TypeError);
  expect(unknown).toHaveProperty('message', 'startBourse: there is no option sed');
  const problem = await startBourse({ thread: true, now: 'yesterday' }).catch((error: unknown) => error);
  expect(problem).toMatchObject({ name: 'ConfigurationRefused', message: expect.stringContaining('now') });
  expect(directories()).toEqual(before);
}, 60_000);

test('DEC-KIT-82: endpoints of the operator API are methods, and what they refuse is thrown', async () => {
  const { operator, accounts, ...exchange } = await started(fixed);
  expect(await operator.advanceClock({ ms: 60_000, reason: 'a minute later' })).toMatchObject({ now: begin + 60_000 });
  // A part of the path, of the query, and of the body.
  await operator.saveState({ name: 'saved' });
  expect(await operator.restoreState({ name: 'saved', sameIds: true })).toMatchObject({ exchangeTime: begin + 60_000 });
  expect((await operator.states()).states).toMatchObject([{ name: 'saved' }]);
  expect((await operator.listRequests({ path: '/api/v3/time', limit: 1 })).items).toEqual([]);
  const statement = await operator.getStatement({ uid: accounts.alice.uid, from: begin, to: begin + 60_000 });
  expect(statement[0]).toBeTypeOf('object');

  const problem = await operator.advanceClock({ ms: 0 }).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(OperatorProblem);
  expect(problem).toMatchObject({ status: 400, code: 'invalidMember', pointer: '/ms' });
  await expect(operator.states({ name: 'x' } as object)).rejects.toThrow('states: it takes no name');
  await expect(operator.states({ constructor: 1 } as object)).rejects.toThrow('it takes no constructor');
  await expect(operator.deleteFork({} as { id: string })).rejects.toThrow('deleteFork: id must be text');
  expect(await placed({ ...exchange, operator, accounts }, begin + 60_000)).toBe(200);
});

test('DEC-KIT-80: the example of the guide runs with the package as it is built', async () => {
  expect(await runProcess(process.execPath, join('examples', 'test-in-process.mjs'))).toEqual({
    code: 0,
    lines: [
      'placed at 50000',
      'the clock shows 2026-01-01T00:01:00.000Z',
      'UnknownOutcome',
      '2 orders are open',
      '404 unknownState',
    ],
  });
});

test('DEC-KIT-83: declarations of the operator API are TypeScript, with every endpoint once', () => {
  const file = ts.createSourceFile('calls.d.ts', operatorDeclarations(), ts.ScriptTarget.ES2023);
  const faults = (file as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics;
  expect(faults).toEqual([]);
  const [calls] = file.statements;
  const methods = (calls as ts.InterfaceDeclaration).members;
  const textOf = new Map(methods.map((each) => [(each.name as ts.Identifier).text, each.getText(file)]));
  expect([...textOf.keys()]).toEqual(Object.keys(catalogue));
  const flat = (id: string): string =>
    textOf
      .get(id)!
      .replaceAll(/\/\*\*.*?\*\/\n/g, '')
      .replaceAll('\n', ' ');
  expect(flat('deleteFork')).toMatch(
    /^deleteFork\(members: \{ id: string; reason\?: string; \}\): Promise<\{ forks: Array<\{ id/,
  );
  expect(flat('states')).toMatch(/^states\(\): Promise<\{ states: Array<\{ name: string; savedAt: number;/);
  expect(flat('setRequestSettings')).toContain('isOn');
});
