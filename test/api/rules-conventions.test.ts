import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissions } from '#model/permission.ts';
import { expectCode } from './answer-shape.ts';
import { keys, now, sign, startTestGateway, type TestGateway } from './gateway-harness.ts';

/* The conventions that every endpoint shares, asked over HTTP. */

const symbol = 'BTCUSDT';
const limit = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '30000' };
const behindProxy = { trustedProxies: ['127.0.0.1'] };

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
});
afterAll(() => gate.close());

describe('where parameters stand', () => {
  test('SPEC-CNV-01, SPEC-CNV-26: spot paths without their version, or with another, are no paths', async () => {
    for (const path of ['/api/time', '/api/v2/time', '/api/v1/time', '/v3/time', '/api/v3/contract/ping']) {
      const { status, body } = await gate.send('GET', path);
      expect([path, status, body.code]).toEqual([path, 404, 404]);
    }
    expect((await gate.send('PUT', '/api/v3/order')).status).toBe(405);
  });

  test('DEC-REQ-46: under /api/v1 an unknown path or method is told in the envelope of futures', async () => {
    for (const path of ['/api/v1', '/api/v1/', '/api/v1/time', '/api/v1/contract/nothing?symbol=BTC_USDT']) {
      const { status, body } = await gate.send('GET', path);
      expect([path, status, body]).toEqual([path, 404, { success: false, code: 404, message: 'No such path.' }]);
    }
    const { status, body, headers } = await gate.send('POST', '/api/v1/contract/ping');
    const message = 'Method not allowed on this path.';
    expect([status, body, headers.get('allow')]).toEqual([405, { success: false, code: 405, message }, 'GET']);
    expect((await gate.send('GET', '/api/v10/time')).body).toEqual({ code: 404, msg: 'No such path.' });
  });

  test('SPEC-CNV-02: those of a GET in the query; a body is refused, not merged', async () => {
    const stamp = `symbol=${symbol}&timestamp=${gate.exchange.clock.time}`;
    const headers = { 'X-SVC-APIKEY': keys.alice };
    const good = await gate.send('GET', `/api/v3/openOrders?${stamp}&signature=${sign(stamp)}`, { headers });
    expect(good.body).toEqual([]);
    const bare = `timestamp=${gate.exchange.clock.time}`;
    const twin = await gate.send('GET', `/api/v3/tradeFee?${bare}&signature=${sign(bare)}`, { headers });
    expectCode(twin, 44444);
  });

  test('SPEC-CNV-03: split between query and body; where both name a parameter the query decides', async () => {
    const query = `symbol=${symbol}&side=BUY&price=30000&timestamp=${gate.exchange.clock.time}`;
    const body = 'type=LIMIT&quantity=0.002&price=1';
    const { body: answer } = await gate.send('POST', `/api/v3/order?${query}&signature=${sign(query + body)}`, {
      headers: { 'X-SVC-APIKEY': keys.alice, 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    });
    expect(answer).toMatchObject({ price: '30000', origQty: '0.002' });
  });
});

describe('SPEC-CNV-06, SPEC-CNV-07: what asks for a signature', () => {
  test('market data asks for none, and ignores one that is wrong', async () => {
    for (const path of ['ping', 'time', 'exchangeInfo', 'defaultSymbols', 'ticker/24hr']) {
      expect((await gate.get(`/api/v3/${path}`)).status).toBe(200);
      const headers = { 'X-SVC-APIKEY': 'wrong' };
      expect((await gate.send('GET', `/api/v3/${path}?signature=wrong&timestamp=1`, { headers })).status).toBe(200);
    }
  });

  test('what is private is refused without a key, without a time and without a signature, in this order', async () => {
    const stamp = `timestamp=${gate.exchange.clock.time}`;
    const uid = (query: string, key?: string) =>
      gate.send('GET', `/api/v3/uid?${query}`, { headers: key === undefined ? {} : { 'X-SVC-APIKEY': key } });
    expectCode(await uid(`${stamp}&signature=${sign(stamp)}`), 400);
    expectCode(await uid(`${stamp}&signature=${sign(stamp)}`, 'no key'), 700001);
    expectCode(await uid(`${stamp}&signature=${sign(stamp)}`, 'mx0nobodyNNNNNNNNN'), 10072);
    expectCode(await uid(`signature=${sign('')}`, keys.alice), 10073);
    expectCode(await uid(stamp, keys.alice), 602);
    expectCode(await uid(`${stamp}&signature=${sign(`${stamp}x`)}`, keys.alice), 700002);
    expect((await uid(`${stamp}&signature=${sign(stamp)}`, keys.alice)).status).toBe(200);
  });
});

test('SPEC-CNV-12: the window of time is open at its end and closed at its start', async () => {
  const uid = async (timestamp: number, recvWindow?: string) => {
    const parameters: Record<string, string> = recvWindow === undefined ? {} : { recvWindow };
    return (await gate.signed('GET', '/api/v3/uid', parameters, { timestamp })).body.code;
  };
  gate.exchange.clock.time = now;
  expect([await uid(now + 999), await uid(now + 1000)]).toEqual([undefined, 700003]);
  expect([await uid(now - 5000), await uid(now - 5001)]).toEqual([undefined, 700003]);
  expect([await uid(now - 59_999, '59999'), await uid(now, '60000')]).toEqual([undefined, 700005]);
  expect([await uid(now, '0'), await uid(now - 1, '0')]).toEqual([undefined, 700003]);
});

describe('SPEC-CNV-13, SPEC-CNV-14, DEC-REQ-28: permissions', () => {
  /** Of selfSymbols the short form SPOT_ACCOUNT_R is specified. */
  const needs = [
    ['GET', '/api/v3/selfSymbols', 'SPOT_ACCOUNT_READ'],
    ['GET', '/api/v3/account', 'SPOT_ACCOUNT_READ'],
    ['POST', '/api/v3/svcDeduct/enable', 'SPOT_DEAL_WRITE'],
    ['GET', '/api/v3/svcDeduct/enable', 'SPOT_DEAL_READ'],
    ['GET', '/api/v3/myTrades', 'SPOT_ACCOUNT_READ'],
    ['GET', '/api/v3/allOrders', 'SPOT_DEAL_READ'],
    ['GET', '/api/v3/capital/config/getall', 'SPOT_WITHDRAW_READ'],
  ] as const;
  test.each(needs)('%s %s needs %s', async (method, path, permission) => {
    const parameters = { symbol, svcDeductEnable: 'false' };
    const { bob } = gate.accounts;
    const index = needs.findIndex((entry) => entry[1] === path && entry[0] === method);
    const [only, without] = [`mx0ruleOnly000000${index}`, `mx0ruleWithout000${index}`];
    await gate.addKey(bob, only, [permission]);
    await gate.addKey(
      bob,
      without,
      permissions.filter((name) => name !== permission),
    );
    expect((await gate.signed(method, path, parameters, { key: only })).status).toBe(200);
    expectCode(await gate.signed(method, path, parameters, { key: without }), 700007);
  });

  test('DEC-STR-106: a READ permission makes a listen key, hardened too; the WRITE twin does not', async () => {
    for (const hardenedPermissions of [false, true]) {
      const own = await startTestGateway({ settings: { hardenedPermissions } });
      await own.addKey(own.accounts.bob, 'mx0reader000000001', ['SPOT_ACCOUNT_READ']);
      await own.addKey(own.accounts.bob, 'mx0writer000000001', ['SPOT_ACCOUNT_WRITE']);
      const ask = async (key: string) => (await own.signed('POST', '/api/v3/userDataStream', {}, { key })).body.code;
      expect([await ask('mx0reader000000001'), await ask('mx0writer000000001')]).toEqual([undefined, 700007]);
      const reads = await own.signed('GET', '/api/v3/uid', {}, { key: 'mx0reader000000001' });
      expect(reads.status).toBe(200);
      await own.close();
    }
  });
});

describe('SPEC-CNV-20, SPEC-CNV-21, DEC-REQ-03, DEC-REQ-04: whose budget a call spends', () => {
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const open = () => startTestGateway({ settings: behindProxy });
  const place = (own: TestGateway, key: string, address: string) =>
    own.signed('POST', '/api/v3/order', limit, { key, ...from(address) });

  test('an order spends that of its address and that of its account', async () => {
    const own = await open();
    for (let call = 0; call < 250; call += 1) {
      expect((await place(own, keys.alice, '198.51.100.1')).status).toBe(200);
      expect((await place(own, keys.bob, '198.51.100.1')).status).toBe(200);
    }
    expectCode(await place(own, keys.alice, '198.51.100.1'), 429, 429);
    expectCode(await place(own, keys.sub, '198.51.100.1'), 429, 429);
    // Refused at the address, it spent nothing of the account.
    for (let call = 0; call < 250; call += 1) {
      expect((await place(own, keys.bob, `198.51.100.${2 + (call % 3)}`)).status).toBe(200);
    }
    const spent = await place(own, keys.bob, '198.51.100.9');
    expectCode(spent, 429, 429);
    expect(Number(spent.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await place(own, keys.sub, '198.51.100.9')).status).toBe(200);
    expect((await own.signed('GET', '/api/v3/openOrders', { symbol }, { key: keys.bob })).status).toBe(200);
    await own.close();
  });

  test('a query spends that of its address alone', async () => {
    const own = await open();
    const ask = (address: string) => own.signed('GET', '/api/v3/allOrders', { symbol }, from(address));
    for (let call = 0; call < 50; call += 1) expect((await ask('198.51.100.1')).status).toBe(200);
    expectCode(await ask('198.51.100.1'), 429, 429);
    expect((await ask('198.51.100.2')).headers.get('x-svc-used-weight')).toBe('10');
    await own.close();
  });
});

describe('SPEC-CNV-16, DEC-REQ-19: how refusals look', () => {
  test('a business code is a 400, what is known to HTTP has its own status, and texts name the parameter', async () => {
    const named = await gate.get('/api/v3/depth');
    expect([named.status, named.body]).toEqual([400, { code: 44444, msg: expect.stringMatching(/'symbol'.*\.$/) }]);
    const foreign = await gate.signed('GET', '/api/v3/order', { symbol, orderId: 'C02__100000000000999999' });
    expect([foreign.status, foreign.body]).toEqual([400, { code: -2011, msg: expect.stringMatching(/\.$/) }]);
    for (const { headers } of [named, foreign]) {
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  test('SPEC-CNV-17: whatever fails after the hand-over is a 5XX, and the order may stand nevertheless', async () => {
    const failing = await startTestGateway({
      context: (context) => ({
        ...context,
        ingress: {
          ...context.ingress,
          submit: async (command) => {
            const outcome = await context.ingress.submit(command);
            if (command.kind === 'placeOrder') throw new Error('the answer was lost');
            return outcome;
          },
        },
      }),
    });
    const { status, body } = await failing.signed('POST', '/api/v3/order', { ...limit, newClientOrderId: 'unknown' });
    expect(status).toBeGreaterThanOrEqual(500);
    expect(body).toEqual({ code: status, msg: expect.stringMatching(/\.$/) });
    const stands = await failing.signed('GET', '/api/v3/order', { symbol, origClientOrderId: 'unknown' });
    expect(stands.body).toMatchObject({ status: 'NEW', origQty: '0.001' });
    await failing.close();
  });
});

describe('what a client library of this family also asks for', () => {
  test('DEC-CMP-05: the sandbox tells what the server signed, production does not', async () => {
    const query = `symbol=${symbol}&timestamp=${gate.exchange.clock.time}`;
    const wrong = (own: TestGateway) =>
      own.send('GET', `/api/v3/openOrders?${query}&signature=${sign('other')}`, {
        headers: { 'X-SVC-APIKEY': keys.alice },
      });
    const told = await wrong(gate);
    expectCode(told, 700002);
    expect([...told.headers.values()].map(decodeURIComponent)).toContain(query);
    const production = await startTestGateway({ settings: { profile: 'production' } });
    const silent = await wrong(production);
    expectCode(silent, 700002);
    expect([...silent.headers.values()].join()).not.toContain('timestamp');
    await production.close();
  });

  test('DEC-CMP-01, DEC-CMP-02, DEC-CMP-03: an alias has the permission and bounds of what it repeats', async () => {
    await gate.addKey(gate.accounts.sub, 'mx0aliasReader0001', ['SPOT_DEAL_READ']);
    const key = 'mx0aliasReader0001';
    expect((await gate.signed('GET', '/api/v3/mxDeduct/enable', {}, { key })).body.data).toEqual({
      mxDeductEnable: false,
    });
    expectCode(await gate.signed('POST', '/api/v3/mxDeduct/enable', { mxDeductEnable: 'true' }, { key }), 700007);
    expectCode(await gate.signed('POST', '/api/v3/mxDeduct/enable', { svcDeductEnable: 'true' }), 44444);
    expectCode(await gate.signed('DELETE', '/api/v3/order/all', { symbol }, { key }), 700007);
    const { body } = await gate.signed('POST', '/api/v3/order', limit, { key: keys.sub });
    const cancelled = await gate.signed('DELETE', '/api/v3/order/all', { symbol }, { key: keys.sub });
    expect(cancelled.body).toMatchObject([{ orderId: body.orderId, status: 'CANCELED', orderListId: -1 }]);
    expectCode(await gate.get('/api/v3/historicalTrades', { symbol, limit: '1001' }), 33333);
    expect((await gate.get('/api/v3/historicalTrades', { symbol })).body).toEqual([]);
  });

  test('SPEC-FUT-01, DEC-FUT-01: futures market data asks for no key and answers in its own envelope', async () => {
    const { body } = await gate.get('/api/v1/contract/ping');
    expect(body).toEqual({ success: true, code: 0, data: gate.exchange.clock.time });
    const failed = await gate.get('/api/v1/contract/detail', { symbol: 'NOPE_USDT' });
    expect([failed.status, Object.keys(failed.body).sort()]).toEqual([200, ['code', 'message', 'success']]);
  });
});
