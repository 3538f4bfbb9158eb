import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { faultTargets } from '#main/composition/sandbox-interception.ts';
import { createFaults, type Faults } from '#sandbox/faults/fault-controls.ts';
import type { Fault, FaultMatch, FaultRule } from '#sandbox/faults/fault-rule.ts';
import { TestTimers } from '../streams/test-timers.ts';
import { encode, keys, type Reply, sign, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
let faults: Faults;
const timers = new TestTimers();

beforeAll(async () => {
  gate = await startTestGateway({
    settings: { rateLimits: false },
    context: (context) => {
      const targets = faultTargets(context.queries);
      faults = createFaults({ clock: context.clock, setTimer: timers.setTimer, targets });
      return { ...context, requestInterceptor: faults.requests };
    },
  });
});
afterEach(async () => {
  faults.clear();
  await gate.signed('DELETE', '/api/v3/openOrders', { symbol });
});
afterAll(() => gate.close());

const symbol = 'BTCUSDT';
const orderPath = '/api/v3/order';
const terms = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '30000' };

const rule = (fault: Fault, match: FaultMatch = {}, rest: Partial<FaultRule> = {}): FaultRule => ({
  ...{ match, fault, count: null, forMs: null },
  ...rest,
});
const refuse = (status: number, retryAfterSeconds: number | null = null): Fault => ({
  ...{ kind: 'refuse', status, code: null, message: 'Made to fail.', retryAfterSeconds },
});
const delay = (rest: object): Fault => ({
  ...{ kind: 'delay', at: 'answer', ms: 0, spreadMs: 0, perByteUs: 0 },
  ...rest,
});
const place = (): Promise<Reply> => gate.signed('POST', orderPath, terms);
const open = async (): Promise<number> =>
  (await gate.signed('GET', '/api/v3/openOrders', { symbol }, { key: keys.alice })).body.length;
const ofPlacing = { path: orderPath, method: 'POST' } as const;

describe('DEC-KIT-21, DEC-KIT-24: faults of requests', () => {
  test('a refusal takes the place of the command, and nothing happens', async () => {
    await faults.add(rule(refuse(503), ofPlacing));
    const before = gate.digest();
    const { status, body, headers } = await place();
    expect([status, body]).toEqual([503, { code: 503, msg: 'Made to fail.' }]);
    expect([headers.get('x-bourse-fault'), headers.get('retry-after')]).toEqual(['f1', null]);
    expect(gate.digest()).toBe(before);
  });

  test.each([429, 418])('%s tells when to come back', async (status) => {
    await faults.add(rule(refuse(status, 7), ofPlacing));
    const reply = await place();
    expect([reply.status, reply.headers.get('retry-after'), reply.body.code]).toEqual([status, '7', status]);
  });

  test('a command whose answer fails afterwards has taken effect', async () => {
    await faults.add(rule({ ...(refuse(504) as object), kind: 'failAfter', code: -1 } as Fault, ofPlacing));
    const { status, body } = await place();
    expect([status, body.code, await open()]).toEqual([504, -1, 1]);
  });

  test('a connection that is cut before the command leaves nothing, one after it the order', async () => {
    await faults.replace([rule({ kind: 'drop', at: 'request' }, ofPlacing)]);
    await expect(place()).rejects.toThrow();
    expect(await open()).toBe(0);
    await faults.replace([rule({ kind: 'drop', at: 'answer' }, ofPlacing)]);
    await expect(place()).rejects.toThrow();
    expect(await open()).toBe(1);
  });

  test('a body that is cut short announces more than it has', async () => {
    for (const bytes of [null, 0, 5, 1_000_000]) {
      await faults.replace([rule({ kind: 'truncate', bytes }, { path: '/api/v3/exchangeInfo' })]);
      const response = await fetch(`${gate.url}/api/v3/exchangeInfo`);
      expect(response.status).toBe(200);
      expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
      await expect(response.text()).rejects.toThrow();
    }
  });

  test('a body that is malformed is whole and no JSON', async () => {
    await faults.add(rule({ kind: 'malform' }, { path: '/api/v3/time' }));
    const { status, text, headers } = await gate.get('/api/v3/time');
    expect([status, headers.get('content-length')]).toEqual([200, String(text.length)]);
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  test('an answer is delayed, its command not', async () => {
    await faults.add(rule(delay({ ms: 500 }), ofPlacing));
    const placing = place();
    while (timers.waiting === 0) await pause(1);
    expect(await open()).toBe(1);
    timers.advance(499);
    expect(timers.waiting).toBe(1);
    timers.advance(1);
    expect((await placing).status).toBe(200);
  });

  test('a command is delayed', async () => {
    await faults.add(rule(delay({ at: 'request', ms: 500 }), ofPlacing));
    const placing = place();
    while (timers.waiting === 0) await pause(1);
    expect(await open()).toBe(0);
    timers.advance(500);
    expect((await placing).status).toBe(200);
    expect(await open()).toBe(1);
  });

  test('a command that is delayed beyond its recvWindow is refused', async () => {
    await faults.add(rule(delay({ at: 'request', ms: 500 }), ofPlacing));
    const placing = place();
    while (timers.waiting === 0) await pause(1);
    gate.exchange.clock.time += 5001;
    timers.advance(500);
    expect((await placing).body.code).toBe(700003);
    expect(await open()).toBe(0);
  });

  test('a client that leaves while it is held back harms nobody', async () => {
    for (const fault of [delay({ ms: 500 }), delay({ at: 'request', ms: 500 })]) {
      await faults.replace([rule(fault, { path: '/api/v3/time' })]);
      const stop = new AbortController();
      const asking = fetch(`${gate.url}/api/v3/time`, { signal: stop.signal });
      while (timers.waiting === 0) await pause(1);
      stop.abort();
      await expect(asking).rejects.toThrow();
      await pause(5);
      timers.advance(500);
      await faults.replace([]);
      expect((await gate.get('/api/v3/time')).status).toBe(200);
    }
  });

  test('a delay grows with the bytes of the answer', async () => {
    await faults.add(rule(delay({ perByteUs: 10_000 }), { path: '/api/v3/time' }));
    const getting = gate.get('/api/v3/time');
    while (timers.waiting === 0) await pause(1);
    timers.advance(20);
    expect(timers.waiting).toBe(1);
    timers.advance(10 * 200);
    expect((await getting).status).toBe(200);
  });

  test('what a rule holds back goes on when the rule is taken away', async () => {
    const { id } = await faults.add(rule(delay({ ms: 60_000 }), ofPlacing));
    const placing = place();
    while (timers.waiting === 0) await pause(1);
    expect(faults.remove(id)?.hits).toBe(1);
    expect([(await placing).status, timers.waiting]).toEqual([200, 0]);
  });

  test('a failure has the form of its endpoint', async () => {
    await faults.add(rule(refuse(503), { path: '/api/v1/*' }));
    expect((await gate.get('/api/v1/contract/ping')).body).toEqual({
      ...{ success: false, code: 503, message: 'Made to fail.' },
    });
  });
});

describe('DEC-KIT-25: stale reads', () => {
  const depth = async (): Promise<number> => (await gate.get('/api/v3/depth', { symbol })).body.bids.length;

  test('an answer is as old as it is asked to be', async () => {
    await faults.add(rule({ kind: 'stale', ms: 1000 }, { path: '/api/v3/depth' }));
    expect(await depth()).toBe(0);
    gate.exchange.clock.time += 400;
    await place();
    expect(await depth()).toBe(0);
    gate.exchange.clock.time += 999;
    expect(await depth()).toBe(0);
    gate.exchange.clock.time += 1;
    expect(await depth()).toBe(1);
  });

  test('who is refused now does not read what was true before', async () => {
    await faults.add(rule({ kind: 'stale', ms: 1000 }, { path: '/api/v3/openOrders' }));
    const ask = (by: string) =>
      gate.signed('GET', '/api/v3/openOrders', { symbol }, { key: keys.alice, ...(by === '' ? {} : { secret: by }) });
    expect((await ask('')).status).toBe(200);
    const refused = await ask('wrong');
    expect([refused.status, refused.body.code]).toEqual([400, 700002]);
    expect((await ask('')).status).toBe(200);
  });

  test('what one key is answered is not told to another one', async () => {
    await faults.add(rule({ kind: 'stale', ms: 1000 }, { path: '/api/v3/openOrders' }));
    await place();
    const ordersOf = async (key: string) => (await gate.signed('GET', '/api/v3/openOrders', { symbol }, { key })).body;
    expect(await ordersOf(keys.alice)).toHaveLength(1);
    expect(await ordersOf(keys.bob)).toHaveLength(0);
    // Time stands, but each request may be signed for another moment.
    await place();
    const timestamp = gate.exchange.clock.time - 1;
    const again = await gate.signed('GET', '/api/v3/openOrders', { symbol }, { key: keys.alice, timestamp });
    expect(again.body).toHaveLength(1);
  });
});

describe('DEC-KIT-22: what a rule is about', () => {
  const touched = async (replying: Promise<Reply>): Promise<boolean> =>
    (await replying).headers.get('x-bourse-fault') !== null;
  const send = (body: string, contentType: string): Promise<Reply> => {
    const text = encode({ timestamp: String(gate.exchange.clock.time) });
    const headers = { 'X-SVC-APIKEY': keys.alice, 'content-type': contentType };
    const signature = sign(text + body);
    return gate.send('POST', `/api/v3/order/test?${text}&signature=${signature}`, { headers, body });
  };

  test('path and method', async () => {
    await faults.add(rule(refuse(503), { path: '/api/v3/*', method: 'GET' }));
    expect(await touched(gate.get('/api/v3/time'))).toBe(true);
    expect(await touched(gate.signed('GET', orderPath, { symbol, orderId: '1' }))).toBe(true);
    expect(await touched(place())).toBe(false);
    expect(await touched(gate.get('/api/v1/contract/ping'))).toBe(false);
  });

  test('a part of a path', async () => {
    await faults.add(rule(refuse(503), { path: '/api/*/order/*' }));
    expect(await touched(gate.signed('POST', '/api/v3/order/test', terms))).toBe(true);
    expect(await touched(place())).toBe(false);
  });

  test('a key, and an account by its uid', async () => {
    await faults.replace([rule(refuse(503), { key: keys.bob })]);
    expect(await touched(place())).toBe(false);
    expect(await touched(gate.signed('GET', '/api/v3/account', {}, { key: keys.bob }))).toBe(true);
    await faults.replace([rule(refuse(503), { account: 1001 })]);
    expect(await touched(place())).toBe(true);
    expect(await touched(gate.signed('GET', '/api/v3/account', {}, { key: keys.bob }))).toBe(false);
    expect(await touched(gate.get('/api/v3/time'))).toBe(false);
  });

  test.each([
    ['in a query', () => place()],
    ['in a form', () => send(encode(terms), 'application/x-www-form-urlencoded')],
    ['in JSON', () => send(JSON.stringify(terms), 'application/json')],
    ['in a batch', () => gate.signed('POST', '/api/v3/batchOrders', { batchOrders: JSON.stringify([terms]) })],
    ['among several', () => gate.signed('DELETE', '/api/v3/openOrders', { symbol: `ETHUSDT,${symbol}` })],
    ['of a public question', () => gate.get('/api/v3/depth', { symbol })],
  ])('a pair %s', async (_where, ask) => {
    await faults.add(rule(refuse(503), { pair: symbol }));
    expect(await touched(ask())).toBe(true);
  });

  test('no other pair, and no name that stands elsewhere', async () => {
    await faults.add(rule(refuse(503), { pair: symbol }));
    expect(await touched(gate.get('/api/v3/depth', { symbol: 'ETHUSDT' }))).toBe(false);
    const named = { ...terms, symbol: 'ETHUSDT', newClientOrderId: symbol };
    expect(await touched(gate.signed('POST', '/api/v3/order/test', named))).toBe(false);
    expect(await touched(send(JSON.stringify(named), 'application/json'))).toBe(false);
  });

  test('a wrong signature is not asked for before a fault', async () => {
    await faults.add(rule(refuse(503), ofPlacing));
    expect((await gate.signed('POST', orderPath, terms, { secret: 'wrong' })).status).toBe(503);
  });

  test('what is refused before a path and a key are known is not touched', async () => {
    await faults.add(rule(refuse(503), { path: '/api/v3/*' }));
    expect(await touched(gate.get('/api/v3/nothing'))).toBe(false);
    expect(await touched(gate.signed('GET', '/api/v3/account', {}, { key: 'mx0nobodyNNNNNNNNN' }))).toBe(false);
  });
});

describe('DEC-KIT-20, DEC-KIT-23: which rule strikes, and how often', () => {
  const ofTime = { path: '/api/v3/time' };
  const statuses = async (count: number): Promise<number[]> => {
    const found: number[] = [];
    for (let at = 0; at < count; at += 1) found.push((await gate.get('/api/v3/time')).status);
    return found;
  };

  test('the first rule that strikes is the only one', async () => {
    await faults.replace([
      rule(refuse(500), ofTime, { count: 1 }),
      rule(refuse(502), { ...ofTime, every: 2 }),
      rule(refuse(503), ofTime, { id: 'last' }),
    ]);
    expect(await statuses(5)).toEqual([500, 503, 502, 503, 502]);
    const counted = faults.list().map(({ id, seen, hits, isOver }) => [id, seen, hits, isOver]);
    expect(counted.map(([, ...rest]) => rest)).toEqual([
      [1, 1, true],
      [4, 2, false],
      [2, 2, false],
    ]);
    expect(counted.at(-1)?.[0]).toBe('last');
  });

  test('the nth alone', async () => {
    await faults.add(rule(refuse(503), { ...ofTime, nth: 3 }));
    expect(await statuses(5)).toEqual([200, 200, 503, 200, 200]);
    expect(faults.list()[0]).toMatchObject({ seen: 3, hits: 1, isOver: true });
  });

  test('the same seed strikes the same ones, another seed others', async () => {
    const struck = async (seed: number): Promise<number[]> => {
      await faults.replace([rule(refuse(503), { ...ofTime, probabilityPpm: 500_000, seed })]);
      return statuses(24);
    };
    const first = await struck(7);
    expect(first).toContain(200);
    expect(first).toContain(503);
    expect(await struck(7)).toEqual(first);
    expect(await struck(8)).not.toEqual(first);
  });

  test('a rule is over when its time is, on the exchange’s clock', async () => {
    await faults.add(rule(refuse(503), ofTime, { forMs: 1000 }));
    gate.exchange.clock.time += 999;
    expect(await statuses(1)).toEqual([503]);
    gate.exchange.clock.time += 1;
    expect(await statuses(1)).toEqual([200]);
    expect(faults.list()[0]).toMatchObject({ hits: 1, isOver: true });
  });

  test('without rules no request is shown to faults', async () => {
    expect(faults.requests.isArmed).toBe(false);
    await faults.add(rule(refuse(503)));
    expect(faults.requests.isArmed).toBe(true);
    expect([faults.clear(), faults.requests.isArmed]).toEqual([1, false]);
    expect(await statuses(1)).toEqual([200]);
  });
});
