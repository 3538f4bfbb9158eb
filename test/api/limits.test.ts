import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { futuresErrors } from '#http/errors.ts';
import { expectCode } from './answer-shape.ts';
import { keys, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
const behindProxy = { trustedProxies: ['127.0.0.1'] };
beforeEach(async () => {
  gate = await startTestGateway({ settings: behindProxy });
});
afterEach(() => gate.close());

/** Asks as another address, through the trusted proxy that the test is. */
const from = (address: string, path = '/api/v3/time', method = 'GET') =>
  gate.send(method, path, { headers: { 'X-Forwarded-For': address } });
async function spend(address: string, calls: number, path: string): Promise<void> {
  for (let call = 0; call < calls; call += 1) expect((await from(address, path)).status).toBe(200);
}

describe('weights of addresses', () => {
  test('SPEC-CNV-21, SPEC-CNV-23, DEC-LIM-01, G07: 500 in ten seconds, then 429 with the rest of them', async () => {
    await spend('198.51.100.1', 50, '/api/v3/exchangeInfo');
    gate.monotonic.time = 3500;
    const refused = await from('198.51.100.1', '/api/v3/exchangeInfo');
    expectCode(refused, 429, 429);
    expect(refused.headers.get('retry-after')).toBe('7');
    expect(refused.headers.get('x-svc-used-weight')).toBe('500');
    expect((await from('198.51.100.1')).headers.get('x-svc-used-weight')).toBe('1');
    expect((await from('198.51.100.2', '/api/v3/exchangeInfo')).headers.get('x-svc-used-weight')).toBe('10');
    gate.monotonic.time = 10_000;
    expect((await from('198.51.100.1', '/api/v3/exchangeInfo')).status).toBe(200);
  });

  test('SPEC-MKT-20, G11: the weight of a ticker depends on its symbol', async () => {
    await spend('198.51.100.1', 12, '/api/v3/ticker/24hr');
    expectCode(await from('198.51.100.1', '/api/v3/ticker/24hr'), 429, 429);
    expect((await from('198.51.100.1', '/api/v3/ticker/24hr?symbol=BTCUSDT')).headers.get('x-svc-used-weight')).toBe(
      '481',
    );
    expectCode(await from('198.51.100.1', '/api/v3/ticker/24hr?symbol='), 429, 429);
  });

  test('DEC-MKT-11: several tickers weigh what is answered, at most what all of them weigh', async () => {
    const used = async (path: string, address: string) =>
      (await from(address, `/api/v3/ticker/${path}`)).headers.get('x-svc-used-weight');
    expect(await used('24hr?symbols=BTCUSDT%2CNOPEUSDT', '198.51.100.1')).toBe('2');
    expect(await used('24hr?symbols=%5B%22BTCUSDT%22,%22NOPEUSDT%22%5D', '198.51.100.1')).toBe('4');
    expect(await used('24hr?symbols=', '198.51.100.1')).toBe('44');
    const many = Array.from({ length: 60 }, (_, index) => `P${index}USDT`).join(',');
    expect(await used(`24hr?symbols=${many}`, '198.51.100.2')).toBe('40');
    expect(await used(`price?symbols=${many}`, '198.51.100.2')).toBe('2');
    expect(await used(`bookTicker?symbols=${many}`, '198.51.100.2')).toBe('1');
  });

  test('DEC-REQ-29, G12: addresses of one IPv6 /64 share a budget, others have their own', async () => {
    await spend('2001:db8::1', 25, '/api/v3/exchangeInfo');
    await spend('2001:db8::ffff:2', 25, '/api/v3/exchangeInfo');
    expectCode(await from('2001:db8::3', '/api/v3/exchangeInfo'), 429, 429);
    expect((await from('2001:db8:0:1::1', '/api/v3/exchangeInfo')).status).toBe(200);
    expect((await from('::ffff:198.51.100.9')).headers.get('x-svc-used-weight')).toBe('1');
    expect((await from('198.51.100.9')).headers.get('x-svc-used-weight')).toBe('2');
  });

  test('DEC-LIM-07, DEC-FUT-06: futures endpoints allow twenty calls in two seconds and then fail in the words of the reference', async () => {
    await spend('198.51.100.1', 20, '/api/v1/contract/ping');
    const refused = await from('198.51.100.1', '/api/v1/contract/ping');
    const { code, message } = futuresErrors.tooManyRequests;
    expect([refused.status, refused.body]).toEqual([429, { success: false, code, message }]);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await from('198.51.100.1', '/api/v1/contract/detail')).status).toBe(200);
    for (let call = 0; call < 500; call += 1) gate.gateway.limits.addressBudget.spend('unrouted 198.51.100.1', 1, 0);
    const lost = await from('198.51.100.1', '/api/v1/nothing');
    expect([lost.status, lost.body]).toEqual([429, { success: false, code, message }]);
  });
});

describe('bans', () => {
  const path = '/api/v3/ticker/24hr';
  const provoke = async (): Promise<number[]> => {
    const statuses: number[] = [];
    for (let call = 0; call < 6; call += 1) statuses.push((await from('198.51.100.1', path)).status);
    return statuses;
  };

  test('SPEC-CNV-22, DEC-LIM-02, G08: whoever goes on after 429 is banned, longer each time', async () => {
    await spend('198.51.100.1', 12, path);
    expect(await provoke()).toEqual([429, 429, 429, 429, 429, 418]);
    const banned = await from('198.51.100.1');
    expectCode(banned, 418, 418);
    expect(banned.headers.get('retry-after')).toBe('120');
    expect((await from('198.51.100.1', '/healthz')).status).toBe(200);
    expect((await from('198.51.100.2')).status).toBe(200);
    gate.wall.time += 120_000;
    gate.monotonic.time += 120_000;
    await spend('198.51.100.1', 12, path);
    expect((await provoke()).at(-1)).toBe(418);
    expect((await from('198.51.100.1')).headers.get('retry-after')).toBe('240');
    // A ban is in force at once, and in the journal soon.
    await expect
      .poll(() => gate.exchange.queries.access.bans())
      .toMatchObject([{ address: '198.51.100.1', times: 2, until: gate.wall.time + 240_000 }]);
  });

  test('a ban made elsewhere counts, one lifted does not any more', async () => {
    const ban = (until: number) =>
      gate.exchange.submit({ kind: 'banAddress', address: '198.51.100.7', until: until as never, times: 1 });
    await ban(gate.wall.time + 5000);
    expectCode(await from('198.51.100.7'), 418, 418);
    await ban(0);
    expect((await from('198.51.100.7')).status).toBe(200);
  });

  test('waiting as told earns no ban, and loopback is not banned in a sandbox', async () => {
    for (let round = 0; round < 8; round += 1) {
      await spend('198.51.100.1', 12, path);
      expectCode(await from('198.51.100.1', path), 429, 429);
      gate.monotonic.time += 10_000;
    }
    for (let call = 0; call < 40; call += 1) expect((await gate.send('GET', path)).status).not.toBe(418);
  });
});

describe('the firewall', () => {
  test('SPEC-CNV-24, DEC-LIM-04: over 100 malformed or unrouted requests in ten seconds: 403', async () => {
    for (let call = 0; call < 101; call += 1) expect((await from('198.51.100.1', '/nowhere')).status).toBe(404);
    expectCode(await from('198.51.100.1'), 403, 403);
    expect((await from('198.51.100.2')).status).toBe(200);
    gate.monotonic.time = 10_000;
    expect((await from('198.51.100.1')).status).toBe(200);
  });

  test("the operator's list is answered 403", async () => {
    const strict = await startTestGateway({
      settings: { ...behindProxy, deniedAddresses: ['203.0.113.0/24', '2001:db8::/32'] },
    });
    const ask = (address: string) => strict.send('GET', '/api/v3/time', { headers: { 'X-Forwarded-For': address } });
    expectCode(await ask('203.0.113.200'), 403, 403);
    expectCode(await ask('2001:db8:9::1'), 403, 403);
    expect((await ask('203.0.114.1')).status).toBe(200);
    await strict.close();
  });
});

describe('limits of accounts', () => {
  const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '30000' };
  const order = (address: string, secret?: string) =>
    gate.signed('POST', '/api/v3/order', limit, {
      headers: { 'X-Forwarded-For': address },
      ...(secret === undefined ? {} : { secret }),
    });

  test('DEC-LIM-05, SPEC-ORD-07, SPEC-ACC-05, G10: two calls a second of account and batchOrders', async () => {
    for (const [method, path, parameters] of [
      ['GET', '/api/v3/account', {}],
      ['POST', '/api/v3/batchOrders', { batchOrders: JSON.stringify([limit]) }],
    ] as const) {
      const ask = () => gate.signed(method, path, parameters);
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
      const refused = await ask();
      expectCode(refused, 429, 429);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await gate.signed(method, path, parameters, { key: keys.bob })).status).toBe(200);
      gate.monotonic.time += 1000;
      expect((await ask()).status).toBe(200);
    }
  });

  test('an account has its own budget over all its addresses, and never gets an address banned', async () => {
    for (let call = 0; call < 500; call += 1) expect((await order(`198.51.100.${call % 2}`)).status).toBe(200);
    for (let call = 0; call < 12; call += 1) expectCode(await order('198.51.100.9'), 429, 429);
    expect((await from('198.51.100.9')).status).toBe(200);
  });

  test('DEC-REQ-03: a wrong signature spends nothing of the account', async () => {
    for (let call = 0; call < 20; call += 1) expectCode(await order('198.51.100.1', 'wrong'), 700002);
    expect((await order('198.51.100.2')).headers.get('x-svc-used-weight')).toBe('1');
  });
});

test('lifted limits lift everything', async () => {
  const free = await startTestGateway({ settings: { rateLimits: false } });
  for (let call = 0; call < 120; call += 1) await free.send('GET', '/nowhere');
  for (let call = 0; call < 20; call += 1) expect((await free.send('GET', '/api/v3/ticker/24hr')).status).toBe(200);
  for (let call = 0; call < 4; call += 1) expect((await free.signed('GET', '/api/v3/account')).status).toBe(200);
  await free.close();
});
