import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { futuresErrors } from '#http/errors.ts';
import { expectShape } from './answer-shape.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

/* Public data of contracts on an exchange that lists none: envelopes, errors, limits and what needs no contract. */

const prefix = '/api/v1/contract';
/** Every path about one contract. */
const pathsOf = (symbol: string): readonly string[] => [
  `detail?symbol=${symbol}`,
  `depth/${symbol}`,
  `depth_commits/${symbol}/10`,
  `index_price/${symbol}`,
  `fair_price/${symbol}`,
  `funding_rate/${symbol}`,
  `kline/${symbol}`,
  `kline/index_price/${symbol}`,
  `kline/fair_price/${symbol}`,
  `deals/${symbol}`,
  `ticker?symbol=${symbol}`,
  `risk_reverse/${symbol}`,
  `risk_reverse/history?symbol=${symbol}`,
  `funding_rate/history?symbol=${symbol}`,
];

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
});
afterAll(() => gate.close());

const ask = (path: string) => gate.send('GET', `${prefix}/${path}`);
const failure = (name: keyof typeof futuresErrors) => ({ success: false, code: futuresErrors[name].code });

describe('SPEC-FUT-06: support_currencies', () => {
  test('is empty before the wallet is set up', async () => {
    const reply = await ask('support_currencies');
    expectShape('futuresCurrencies', reply);
    expect(reply.body).toEqual({ success: true, code: 0, data: [] });
  });
});

describe('DEC-FUT-01, DEC-FUT-35: failures', () => {
  test.each(pathsOf('NOPE_USDT'))('%s of an unknown contract is 1001 with HTTP 200', async (path) => {
    const { status, body } = await ask(path);
    expect([status, body]).toEqual([200, { ...failure('unknownContract'), message: 'Contract does not exist.' }]);
  });

  test.each(pathsOf('BTCUSDT'))('%s, the name of a pair, is 1001 too', async (path) => {
    const { status, body } = await ask(path);
    expect([status, body]).toEqual([200, { ...failure('unknownContract'), message: 'Contract does not exist.' }]);
  });

  test.each([
    ['depth_commits/A_B/0', 'limit'],
    ['depth_commits/A_B/1001', 'limit'],
    ['depth_commits/A_B/x', 'limit'],
    ['deals/A_B?limit=101', 'limit'],
    ['deals/A_B?limit=0', 'limit'],
    ['kline/A_B?interval=1m', 'interval'],
    ['kline/index_price/A_B?interval=8h', 'interval'],
    ['kline/fair_price/A_B?interval=8h', 'interval'],
    ['kline/A_B?start=-1', 'start'],
    ['kline/A_B?start=1.5', 'start'],
    ['kline/index_price/A_B?end=x', 'end'],
    ['kline/fair_price/A_B?start=2&end=1', 'start'],
    ['risk_reverse/history?symbol=A_B&page_size=101', 'page_size'],
    ['risk_reverse/history?symbol=A_B&page_num=0', 'page_num'],
    ['funding_rate/history?symbol=A_B&page_size=1001', 'page_size'],
  ])('%s names its bad parameter', async (path, parameter) => {
    const { status, body } = await ask(path);
    const message = expect.stringContaining(`Parameter '${parameter}' is invalid: `);
    expect([status, body]).toEqual([200, { ...failure('badParameter'), message }]);
  });

  test.each(['funding_rate/history', 'risk_reverse/history'])('%s names its missing parameter', async (path) => {
    const message = "Parameter 'symbol' is required.";
    expect((await ask(path)).body).toEqual({ ...failure('badParameter'), message });
  });

  test('unknown paths are 404 and other methods 405, in the envelope', async () => {
    for (const path of ['depth', 'depth/', 'depth/A_B/', 'depth/A_B/5/6', 'depth_commits/A_B', 'depth_commits//5']) {
      const { status, body } = await ask(path);
      expect([path, status, body.success, body.code]).toEqual([path, 404, false, 404]);
    }
    const { status, body, headers } = await gate.send('POST', `${prefix}/depth/A_B`);
    expect([status, body.success, body.code, headers.get('allow')]).toEqual([405, false, 405, 'GET']);
  });
});

describe('DEC-FUT-35: parameters in the path', () => {
  test('may be anything', async () => {
    for (const broken of ['depth/%', 'depth/%ff', 'depth/__proto__', 'depth/%00'])
      expect([broken, (await ask(broken)).body.success]).toEqual([broken, false]);
  });

  test('a fixed path goes before one with a parameter', async () => {
    const { body } = await ask('risk_reverse/history');
    expect(body.message).toBe("Parameter 'symbol' is required.");
  });
});

test.each([
  ['detail', 'futuresContracts'],
  ['ticker', 'futuresTicker'],
  ['risk_reverse', 'futuresFunds'],
] as const)('DEC-FUT-05: %s of all contracts is an array, empty without any', async (path, id) => {
  const reply = await ask(path);
  expectShape(id, reply);
  expect(reply.body.data).toEqual([]);
});

test('DEC-REQ-49, DEC-REQ-50: pages of any origin may read every path, with its parameters', async () => {
  for (const path of [...pathsOf('A_B'), 'support_currencies', 'risk_reverse']) {
    const headers = { Origin: 'https://stranger.example' };
    const reply = await gate.send('GET', `${prefix}/${path}`, { headers });
    expect([path, reply.headers.get('access-control-allow-origin')]).toEqual([path, '*']);
    const preflight = await gate.send('OPTIONS', `${prefix}/${path}`, {
      headers: { ...headers, 'Access-Control-Request-Method': 'GET' },
    });
    expect([path, preflight.status]).toEqual([path, 204]);
  }
});
