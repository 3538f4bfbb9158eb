import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { clientsOf, newFolder, openWorld, removeFolder, type World } from './world.ts';

let folder: string;
let world: World;
beforeAll(async () => {
  folder = newFolder();
  world = await openWorld(join(folder, 'world'));
});
afterEach(() => expect(world.failures).toEqual([]));
afterAll(async () => {
  await world.close();
  removeFolder(folder);
});

/** An order of alice, far from the market where it rests. */
const place = async (price = '90000', side = 'BUY', name = 'alice'): Promise<string> => {
  const order = { symbol: 'BTCUSDT', side, type: 'LIMIT', quantity: '0.01', price };
  const { status, body } = await world.signed(name, 'POST', '/api/v3/order', order);
  expect([status, body]).toEqual([200, expect.objectContaining({ orderId: expect.any(String) })]);
  return body.orderId as string;
};
/** What alice sees of the exchange. */
const seen = async () => ({
  account: (await world.signed('alice', 'GET', '/api/v3/account')).body,
  orders: (await world.signed('alice', 'GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })).body,
  trades: (await world.signed('alice', 'GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })).body,
  time: (await (await fetch(`${world.demo.base_url}/api/v3/time`)).json()) as object,
  candles: await (await fetch(`${world.demo.base_url}/api/v3/klines?symbol=BTCUSDT&interval=1m`)).json(),
});
const moment = () => world.operate('GET', '/v1/states').then(({ body }) => body.states);
const save = (name: string) => world.operate('POST', '/v1/states', { name });
const restore = (name: string, body = {}) => world.operate('POST', `/v1/states/${name}/restore`, body);
const advance = (ms: number) => world.operate('POST', '/v1/clock/advance', { ms });

describe('states', () => {
  test('DEC-KIT-10, DEC-KIT-11, DEC-KIT-12: one that is restored is all that it was, on the same ports', async () => {
    await place();
    await place('90000', 'SELL', 'bob');
    await advance(61_000);
    // Less than what makes an entry.
    await advance(1);
    const before = await seen();
    const saved = await save('before');
    expect(saved).toEqual({
      status: 201,
      body: {
        name: 'before',
        savedAt: expect.any(Number),
        exchangeTime: expect.any(Number),
        lastEntry: expect.any(Number),
        bytes: expect.any(Number),
      },
    });
    expect(await moment()).toEqual([saved.body]);
    expect(await seen()).toEqual(before);
    await place('91000');
    await place('91000', 'SELL', 'bob');
    await advance(61_000);
    expect(await seen()).not.toEqual(before);
    const socket = new WebSocket(world.demo.ws_url);
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', (code, reason) => resolve([code, `${reason}`])));
    expect((await restore('before', { sameIds: true })).body).toEqual({
      exchangeTime: saved.body.exchangeTime,
      lastEntry: saved.body.lastEntry,
    });
    expect(await closed).toEqual([1001, 'server is going away']);
    expect(await seen()).toEqual(before);
  }, 30_000);

  test('DEC-KIT-13: ids are never given twice, unless they are to be the same', async () => {
    await save('ids');
    const first = await place();
    const { body: opened } = await world.operate('POST', '/v1/accounts', { name: 'one', class: 'user', kycLevel: 1 });
    await restore('ids', { sameIds: true });
    expect(await place()).toBe(first);
    await restore('ids');
    const second = await place();
    expect(second).not.toBe(first);
    await restore('ids');
    const third = await place();
    expect(new Set([first, second, third]).size).toBe(3);
    const again = await world.operate('POST', '/v1/accounts', { name: 'one', class: 'user', kycLevel: 1 });
    expect([again.status, again.body.uid === opened.uid]).toEqual([201, false]);
  }, 30_000);

  test('DEC-KIT-13: with the same ids the same commands write the same journal', async () => {
    await save('script');
    const played = async () => {
      expect((await restore('script', { sameIds: true })).status).toBe(200);
      const answers = [await place(), await place('90000', 'SELL', 'bob'), await advance(1000), await place('89000')];
      return { answers, journal: await world.journal(), seen: await seen() };
    };
    const first = await played();
    expect(await played()).toEqual(first);
  }, 30_000);

  test('DEC-KIT-14: a reset begins anew from the seed', async () => {
    await world.operate('POST', '/v1/accounts', { name: 'late', class: 'user', kycLevel: 1 });
    expect((await world.operate('POST', '/v1/reset', {})).status).toBe(200);
    const { account, orders, time } = await seen();
    expect([orders, time]).toEqual([[], { serverTime: Date.UTC(2026, 0, 1) }]);
    expect(account.balances.length).toBeGreaterThan(0);
    expect((await world.operate('GET', '/v1/states')).body.states.map(({ name }: { name: string }) => name)).toEqual([
      'before',
      'ids',
      'script',
    ]);
  }, 30_000);

  test('DEC-KIT-16: what cannot be is refused by name, and nothing changes', async () => {
    const before = await seen();
    const refused = async (method: string, path: string, body?: object) => {
      const answer = await world.operate(method, path, body);
      return [answer.status, answer.body.code, answer.body.detail];
    };
    expect(await refused('POST', '/v1/states', { name: 'ids' })).toEqual([
      409,
      'stateExists',
      'There is a state ids already.',
    ]);
    expect(await refused('POST', '/v1/states', { name: 'start' })).toEqual([409, 'stateReserved', expect.any(String)]);
    expect(await refused('POST', '/v1/states', { name: '../x' })).toEqual([400, 'invalidMember', expect.anything()]);
    for (const [method, path] of [
      ['POST', '/v1/states/never/restore'],
      ['POST', '/v1/states/never/fork'],
      ['DELETE', '/v1/states/never'],
    ] as const)
      expect(await refused(method, path, method === 'POST' && path.endsWith('restore') ? {} : undefined)).toEqual([
        404,
        'unknownState',
        'There is no state of this name; GET /v1/states lists them.',
      ]);
    expect(await refused('DELETE', '/v1/forks/fork-9')).toEqual([404, 'unknownFork', 'There is no fork fork-9.']);
    const file = join(world.data, 'states', 'ids', 'state.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('1.2.3', '1.2.2'));
    expect(await refused('POST', '/v1/states/ids/restore', {})).toEqual([
      409,
      'stateOfOtherVersion',
      'The state ids was saved by Bourse 1.2.2; this is 1.2.3.',
    ]);
    writeFileSync(file, text);
    expect(await seen()).toEqual(before);
  }, 30_000);

  test('DEC-KIT-17: a fork is an exchange of its own, and its files end with it', async () => {
    expect((await restore('before')).status).toBe(200);
    const before = await seen();
    const { status, body } = await world.operate('POST', '/v1/states/before/fork');
    expect([status, body]).toEqual([201, expect.objectContaining({ id: expect.any(String), state: 'before' })]);
    const fork = clientsOf({ ...world.demo, base_url: body.baseUrl, operator_url: body.operatorUrl });
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '80000' };
    expect((await fork.signed('alice', 'POST', '/api/v3/order', order)).status).toBe(200);
    expect((await fork.signed('alice', 'GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })).body).toHaveLength(1);
    expect(await seen()).toEqual(before);
    const nested = await fork.operate('POST', '/v1/states', { name: 'own' });
    expect(nested.status).toBe(201);
    expect((await fork.operate('POST', '/v1/states/own/fork')).body.code).toBe('forkOfFork');
    expect((await world.operate('GET', '/v1/forks')).body).toEqual({ forks: [body] });
    expect((await world.operate('DELETE', `/v1/forks/${body.id}`)).body).toEqual({ forks: [] });
    await expect(fetch(body.baseUrl)).rejects.toThrow();
    expect(await seen()).toEqual(before);
  }, 30_000);
});
