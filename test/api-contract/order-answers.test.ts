import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys, startTestGateway, type TestGateway } from '../api/gateway-harness.ts';

/* What orders say of themselves over their lives, on one exchange with two traders. */

let gate: TestGateway;
beforeAll(async () => {
  gate = await startTestGateway();
});
afterAll(() => gate.close());

const limit = { symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', quantity: '0.4', price: '30000' } as const;
type Terms = Record<string, string>;
const call = (method: string, path: string, terms: Terms, key: string = keys.alice) => {
  gate.monotonic.time += 10_000;
  gate.exchange.clock.time += 1000;
  return gate.signed(method, `/api/v3/${path}`, terms, { key });
};
const place = async (terms: Terms, key: string = keys.alice): Promise<string> => {
  const { body } = await call('POST', 'order', { ...limit, ...terms }, key);
  expect(body).toHaveProperty('orderId');
  return body.orderId;
};
const told = async (orderId: string, key: string = keys.alice) =>
  (await call('GET', 'order', { symbol: 'BTCUSDT', orderId }, key)).body;

describe('DEC-ORD-24: GET order tells both names of the quantity and whether the order is on the book', () => {
  test('while it rests', async () => {
    const orderId = await place({ newClientOrderId: 'resting', price: '31000' });
    expect(await told(orderId)).toMatchObject({
      orderId,
      orderListId: -1,
      clientOrderId: 'resting',
      origClientOrderId: 'resting',
      origQty: '0.4',
      Qty: '0.4',
      executedQty: '0',
      cummulativeQuoteQty: '0',
      status: 'NEW',
      timeInForce: 'GTC',
      isWorking: true,
      cancelReason: null,
      origQuoteOrderQty: '12400',
      stpMode: '',
    });
  });

  test('after it is filled and gone', async () => {
    const maker = await place({});
    const taker = await place({ side: 'BUY', type: 'IMMEDIATE_OR_CANCEL', price: '30500' }, keys.bob);
    expect(await told(maker)).toMatchObject({ status: 'FILLED', isWorking: false, executedQty: '0.4' });
    expect(await told(taker, keys.bob)).toMatchObject({
      status: 'FILLED',
      isWorking: false,
      price: '30500',
      cummulativeQuoteQty: '12000',
      timeInForce: 'IOC',
    });
    gate.exchange.clock.time += 3_600_000;
    expect(await told(maker)).toMatchObject({ orderId: maker, status: 'FILLED', Qty: '0.4', origQty: '0.4' });
  });
});

describe('DEC-ORD-29: a cancel answers the state after it, and only its owner and its open order know it', () => {
  test('of an order without fills, then with some', async () => {
    const untouched = await place({ newClientOrderId: 'untouched', price: '33000' });
    const first = await call('DELETE', 'order', {
      symbol: 'BTCUSDT',
      orderId: untouched,
      newClientOrderId: 'cancel-1',
    });
    expect(first.body).toMatchObject({
      orderId: untouched,
      origClientOrderId: 'untouched',
      clientOrderId: 'cancel-1',
      status: 'CANCELED',
      executedQty: '0',
    });
    const filled = await place({ price: '30100' });
    await place({ side: 'BUY', type: 'IMMEDIATE_OR_CANCEL', quantity: '0.1', price: '30100' }, keys.bob);
    const second = await call('DELETE', 'order', { symbol: 'BTCUSDT', orderId: filled });
    expect(second.body).toMatchObject({
      status: 'PARTIALLY_CANCELED',
      executedQty: '0.1',
      cummulativeQuoteQty: '3010',
    });
  });

  test('D03: a finished or foreign order is unknown', async () => {
    const orderId = await place({ price: '34000' });
    const before = gate.digest();
    const foreign = await call('DELETE', 'order', { symbol: 'BTCUSDT', orderId }, keys.bob);
    expect([foreign.status, foreign.body]).toEqual([400, { code: -2011, msg: 'Unknown order sent.' }]);
    expect(gate.digest()).toBe(before);
    expect((await call('GET', 'order', { symbol: 'BTCUSDT', orderId }, keys.bob)).body.code).toBe(-2011);
    expect((await call('DELETE', 'order', { symbol: 'BTCUSDT', orderId })).status).toBe(200);
    expect((await call('DELETE', 'order', { symbol: 'BTCUSDT', orderId })).body.code).toBe(-2011);
  });

  test('E25: two ids of different orders are 33333', async () => {
    const orderId = await place({ newClientOrderId: 'one', price: '35000' });
    await place({ newClientOrderId: 'other', price: '35000' });
    const both = { symbol: 'BTCUSDT', orderId, origClientOrderId: 'other' };
    expect((await call('GET', 'order', both)).body.code).toBe(33333);
    expect((await call('DELETE', 'order', both)).body.code).toBe(33333);
    expect((await call('DELETE', 'order', { ...both, origClientOrderId: 'one' })).body.status).toBe('CANCELED');
  });
});

test('DEC-ORD-21, DEC-ORD-22: a self trade executes, carries isSelfTrade and one id on both sides', async () => {
  await place({ side: 'SELL', quantity: '0.2', price: '28000' }, keys.broker);
  await place({ side: 'BUY', quantity: '0.2', price: '28000' }, keys.broker);
  const { body } = await call('GET', 'myTrades', { symbol: 'BTCUSDT' }, keys.broker);
  expect(body.map(({ isSelfTrade }: { isSelfTrade: boolean }) => isSelfTrade)).toEqual([true, true]);
  expect(body.map(({ isBuyer, isMaker }: Record<string, boolean>) => [isBuyer, isMaker]).sort()).toEqual([
    [false, true],
    [true, false],
  ]);
  expect(body[0].id).toBe(body[1].id);
  expect(body[0].id).toMatch(/^\d{18}X1$/);
});

describe('DEC-ORD-27: allOrders and myTrades print oldest first', () => {
  const numbers = (rows: readonly { orderId: string }[]): readonly string[] => rows.map(({ orderId }) => orderId);

  test('without a start the newest rows, with one the first from it', async () => {
    const placed: string[] = [];
    const from = gate.exchange.clock.time + 1;
    for (let index = 0; index < 4; index += 1) placed.push(await place({ price: `${36_000 + index}` }, keys.sub));
    const newest = await call('GET', 'allOrders', { symbol: 'BTCUSDT', limit: '2' }, keys.sub);
    expect(numbers(newest.body)).toEqual(placed.slice(2));
    const first = await call('GET', 'allOrders', { symbol: 'BTCUSDT', limit: '2', startTime: `${from}` }, keys.sub);
    expect(numbers(first.body)).toEqual(placed.slice(0, 2));
  });

  test('of trades alike', async () => {
    const { body } = await call('GET', 'myTrades', { symbol: 'BTCUSDT' });
    const times = body.map(({ time }: { time: number }) => time);
    expect(times).toEqual([...times].sort((first, second) => first - second));
    expect(times.length).toBeGreaterThan(1);
    const last = await call('GET', 'myTrades', { symbol: 'BTCUSDT', limit: '1' });
    expect(last.body).toEqual(body.slice(-1));
    const first = await call('GET', 'myTrades', { symbol: 'BTCUSDT', limit: '1', startTime: '0' });
    expect(first.body).toEqual(body.slice(0, 1));
  });
});

describe('DEC-ORD-28: order/test validates everything, balance included, and changes nothing (E23)', () => {
  test.each([
    ['a good order', {}, null],
    ['too little quote', { side: 'BUY', quantity: '100', price: '30000' }, 30004],
    ['too little base', { quantity: '100' }, 30005],
    ['a price outside the band', { price: '10' }, 30010],
    ['too many decimals', { price: '30000.001' }, 33333],
    ['too small', { quantity: '0.000001' }, 30002],
    ['an unknown pair', { symbol: 'NOSUCH' }, 30014],
  ])('%s', async (_title, terms, code) => {
    const before = gate.digest();
    const { status, body } = await call('POST', 'order/test', { ...limit, ...terms });
    expect([status, code === null ? body : body.code]).toEqual(code === null ? [200, {}] : [400, code]);
    expect(gate.digest()).toBe(before);
  });
});

test('DEC-MKT-15, DEC-MKT-08, SPEC-MKT-09: exchangeInfo states UTC, the limits of this server and the price filter', async () => {
  const { body } = await gate.get('/api/v3/exchangeInfo');
  expect(body.timezone).toBe('UTC');
  expect(body.rateLimits).toContainEqual({
    rateLimitType: 'REQUEST_WEIGHT',
    interval: 'SECOND',
    intervalNum: 10,
    limit: 500,
  });
  expect(body.exchangeFilters).toEqual([{ filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 500 }]);
  expect(body.symbols[0].filters).toEqual([
    { filterType: 'PERCENT_PRICE_BY_SIDE', bidMultiplierUp: '1.2', askMultiplierDown: '0.8' },
  ]);
});

test('DEC-MKT-10: limits that are lifted are not listed', async () => {
  const lifted = await startTestGateway({ settings: { rateLimits: false } });
  const { body } = await lifted.get('/api/v3/exchangeInfo');
  expect(body.rateLimits).toEqual([]);
  expect(body.exchangeFilters).toHaveLength(1);
  await lifted.close();
});

test('DEC-FUT-01, DEC-FUT-05: the futures side answers and fails in its own envelope', async () => {
  const detail = (parameters: Terms) => gate.get('/api/v1/contract/detail', parameters);
  expect((await detail({})).body).toEqual({ success: true, code: 0, data: [] });
  const unknown = await detail({ symbol: 'BTC_USDT' });
  expect([unknown.status, unknown.body]).toEqual([200, { success: false, code: 1001, message: expect.any(String) }]);
  const malformed = await gate.get('/api/v1/contract/kline/BTC_USDT', { interval: '1m' });
  expect([malformed.status, malformed.body.success, malformed.body.code]).toEqual([200, false, 600]);
});

test('DEC-ORD-31: where it is set, a cancel answers the status that the order had before', async () => {
  const habitual = await startTestGateway({ settings: { cancelAnswersStatusBefore: true } });
  const { body } = await habitual.signed('POST', '/api/v3/order', limit);
  const named = { symbol: 'BTCUSDT', orderId: body.orderId };
  expect((await habitual.signed('DELETE', '/api/v3/order', named)).body.status).toBe('NEW');
  expect((await habitual.signed('GET', '/api/v3/order', named)).body.status).toBe('CANCELED');
  await habitual.close();
});
