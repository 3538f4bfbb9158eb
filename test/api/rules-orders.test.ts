import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { keys } from './gateway-harness.ts';
import { buy, sell, startTradingHarness, symbol, type TradingHarness } from './trading-harness.ts';

/* Matching, market orders, bands and holds as a client sees them; numbers are computed here from the rules. */

let harness: TradingHarness;
let gate: TradingHarness['gate'];
const place: TradingHarness['place'] = (terms, key) => harness.place(terms, key);
const order: TradingHarness['order'] = (orderId, key) => harness.order(orderId, key);
const placed: TradingHarness['placed'] = (terms, key) => harness.placed(terms, key);
const balances: TradingHarness['balances'] = (key) => harness.balances(key);

beforeAll(async () => {
  harness = await startTradingHarness();
  ({ gate } = harness);
});
afterAll(() => gate.close());
beforeEach(() => harness.emptyBook());

describe('matching as its answers tell it', () => {
  test('DEC-ORD-08: better prices first, equal ones in order of arrival, each trade at the resting price', async () => {
    const late = await placed({ ...sell, price: '101', quantity: '0.3' }, keys.bob);
    const first = await placed({ ...sell, price: '100.5', quantity: '0.2' }, keys.sub);
    const second = await placed({ ...sell, price: '100.5', quantity: '0.2' }, keys.bob);
    const taker = await placed({ ...buy, price: '101', quantity: '0.35' });
    // 0.2 × 100.5 + 0.15 × 100.5
    expect(taker).toMatchObject({ status: 'FILLED', executedQty: '0.35', cummulativeQuoteQty: '35.175', price: '101' });
    expect(await order(first.orderId, keys.sub)).toMatchObject({ status: 'FILLED', executedQty: '0.2' });
    expect(await order(second.orderId, keys.bob)).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: '0.15' });
    expect(await order(late.orderId, keys.bob)).toMatchObject({ status: 'NEW', executedQty: '0' });
  });

  test('DEC-ORD-06, DEC-ORD-07: every status and time in force over the life of an order', async () => {
    const rest = await placed({ ...sell, quantity: '0.5' }, keys.bob);
    expect(rest).toMatchObject({ status: 'NEW', timeInForce: 'GTC', isWorking: true, updateTime: rest.time });
    gate.exchange.clock.time += 500;
    const immediate = await placed({ ...buy, type: 'IMMEDIATE_OR_CANCEL', quantity: '0.1' });
    expect(immediate).toMatchObject({ status: 'FILLED', timeInForce: 'IOC', isWorking: false });
    expect(await order(rest.orderId, keys.bob)).toMatchObject({
      status: 'PARTIALLY_FILLED',
      isWorking: true,
      time: rest.time,
      updateTime: rest.time + 500,
    });
    const killed = await placed({ ...buy, type: 'FILL_OR_KILL', quantity: '0.41' });
    expect(killed).toMatchObject({ status: 'CANCELED', timeInForce: 'FOK', executedQty: '0', cancelReason: null });
    const whole = await placed({ ...buy, type: 'FILL_OR_KILL', quantity: '0.3' });
    expect(whole).toMatchObject({ status: 'FILLED', timeInForce: 'FOK', executedQty: '0.3' });
    const cut = await placed({ ...buy, type: 'IMMEDIATE_OR_CANCEL', quantity: '0.4' });
    expect(cut).toMatchObject({ status: 'PARTIALLY_CANCELED', executedQty: '0.1', origQty: '0.4', isWorking: false });
    expect(await order(rest.orderId, keys.bob)).toMatchObject({ status: 'FILLED', executedQty: '0.5' });
    const nothing = await placed({ ...buy, type: 'IMMEDIATE_OR_CANCEL', quantity: '0.4' });
    expect(nothing).toMatchObject({ status: 'CANCELED', executedQty: '0' });
    const maker = await placed({ ...buy, type: 'LIMIT_MAKER', price: '99' });
    expect(maker).toMatchObject({ status: 'NEW', timeInForce: 'GTC', type: 'LIMIT_MAKER' });
  });

  test('DEC-ORD-09: a maker-only order is refused at the opposing price, taken one tick from it', async () => {
    await placed({ ...sell, price: '100' }, keys.bob);
    const before = gate.digest();
    expectCode(await place({ ...buy, type: 'LIMIT_MAKER', price: '100' }), 30041);
    expectCode(await place({ ...buy, type: 'POST_ONLY', price: '100.01' }), 30041);
    expect(gate.digest()).toBe(before);
    expect((await placed({ ...buy, type: 'LIMIT_MAKER', price: '99.99' })).status).toBe('NEW');
  });
});

describe('market orders', () => {
  const market = { symbol, type: 'MARKET' } as const;

  test('SPEC-ORD-03, DEC-ORD-12: without any amount 44444; a buy with both goes by the quote amount', async () => {
    await placed({ ...sell, quantity: '5' }, keys.bob);
    for (const side of ['BUY', 'SELL']) expectCode(await place({ ...market, side }), 44444);
    const both = await placed({ ...market, side: 'BUY', quantity: '3', quoteOrderQty: '50' });
    expect(both).toMatchObject({
      status: 'FILLED',
      type: 'MARKET',
      timeInForce: 'IOC',
      executedQty: '0.5',
      origQty: '0.5',
      cummulativeQuoteQty: '50',
      origQuoteOrderQty: '50',
    });
  });

  test('SPEC-ORD-04, DEC-ORD-12: a sell with both goes by quantity, with quoteOrderQty alone by that', async () => {
    await placed({ ...buy, quantity: '5' }, keys.bob);
    const both = await placed({ ...market, side: 'SELL', quantity: '0.25', quoteOrderQty: '400' });
    expect(both).toMatchObject({ executedQty: '0.25', cummulativeQuoteQty: '25', origQty: '0.25', status: 'FILLED' });
    // 33.33335 / 100 = 0.3333335: seven decimals, of which the pair has six.
    const alone = await placed({ ...market, side: 'SELL', quoteOrderQty: '33.33335' });
    expect(alone).toMatchObject({ executedQty: '0.333333', cummulativeQuoteQty: '33.3333', status: 'FILLED' });
  });

  test('DEC-ORD-13: a buy by quote amount spends no more over several prices and gives the dust back', async () => {
    await placed({ ...sell, price: '100', quantity: '0.3' }, keys.bob);
    await placed({ ...sell, price: '103', quantity: '2' }, keys.bob);
    const before = await balances();
    // 0.3 × 100 = 30, then 20 / 103 = 0.194174… : 0.194174 × 103 = 19.999922
    const taken = await placed({ ...market, side: 'BUY', quoteOrderQty: '50' });
    expect(taken).toMatchObject({ executedQty: '0.494174', cummulativeQuoteQty: '49.999922', status: 'FILLED' });
    const after = await balances();
    const spent = Number(before['USDT']?.[0]) - Number(after['USDT']?.[0]);
    expect(spent).toBeCloseTo(49.999922, 6);
    expect(after['USDT']?.[1]).toBe('0');
  });

  test('DEC-ORD-11: it walks 5 % from the last price and not a tick further; that bound is its price', async () => {
    await placed({ ...sell, price: '104.99', quantity: '0.1' }, keys.bob);
    await placed({ ...sell, price: '105', quantity: '0.1' }, keys.bob);
    await placed({ ...sell, price: '105.01', quantity: '5' }, keys.bob);
    const up = await placed({ ...market, side: 'BUY', quantity: '0.5' });
    expect(up).toMatchObject({ price: '105', executedQty: '0.2', status: 'PARTIALLY_CANCELED', origQty: '0.5' });
    // The last price is 105 now: 5 % below is 99.75.
    await placed({ ...buy, price: '99.75', quantity: '0.1' }, keys.bob);
    await placed({ ...buy, price: '99.74', quantity: '5' }, keys.bob);
    const down = await placed({ ...market, side: 'SELL', quantity: '0.5' });
    expect(down).toMatchObject({ price: '99.75', executedQty: '0.1', status: 'PARTIALLY_CANCELED' });
  });

  test('DEC-ORD-10: without an opposing order 30025, and nothing is stored', async () => {
    await placed({ ...buy, quantity: '1' }, keys.bob);
    const before = gate.digest();
    expectCode(await place({ ...market, side: 'BUY', quantity: '0.1' }), 30025);
    expectCode(await place({ ...market, side: 'BUY', quoteOrderQty: '10' }), 30025);
    expect(gate.digest()).toBe(before);
  });

  test('DEC-ORD-18: the bounds of market orders are their own', async () => {
    await harness.configure({ minNotionalMarket: 5_000_000_000 as never, maxNotionalMarket: 100_000_000_000 as never });
    await placed({ ...sell, quantity: '5' }, keys.bob);
    const low = await place({ ...market, side: 'BUY', quoteOrderQty: '4.99' });
    expectCode(low, 30002);
    expect(low.body.msg).toContain('5USDT');
    expect((await placed({ ...market, side: 'BUY', quoteOrderQty: '5' })).executedQty).toBe('0.05');
    expectCode(await place({ ...market, side: 'BUY', quoteOrderQty: '100.01' }), 30003);
    expect((await placed({ ...market, side: 'BUY', quoteOrderQty: '100' })).executedQty).toBe('1');
    expectCode(await place({ ...market, side: 'BUY', quoteOrderQty: '10.0000000001' }), 33333);
  });
});

describe('DEC-ORD-14, SPEC-ORD-19: the price band', () => {
  test('is exact to the tick where the bound falls between two, for the types that are specified', async () => {
    await placed({ ...sell, price: '100.03', quantity: '0.1' }, keys.bob);
    await placed({ ...buy, price: '100.03', quantity: '0.1' });
    // 100.03 × 1.2 = 120.036 and 100.03 × 0.8 = 80.024
    for (const type of ['LIMIT', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL']) {
      expectCode(await place({ ...buy, type, price: '120.04' }), 30010);
      expect((await place({ ...buy, type, price: '120.03', quantity: '0.1' })).status).toBe(200);
      expectCode(await place({ ...sell, type, price: '80.02' }), 30010);
    }
    for (const key of [keys.alice, keys.bob]) await gate.signed('DELETE', '/api/v3/openOrders', { symbol }, { key });
    expect((await place({ ...buy, type: 'LIMIT_MAKER', price: '120.04' })).status).toBe(200);
    await gate.signed('DELETE', '/api/v3/openOrders', { symbol });
    expectCode(await place({ ...sell, type: 'LIMIT_MAKER', price: '80.02' }), 30010);
    expect((await place({ ...sell, price: '80.03' })).status).toBe(200);
  });
});

describe('DEC-ORD-17: what an order holds', () => {
  test('a buy holds its worst case; a better fill gives the rest back at once; a cancel gives all back', async () => {
    const start = Number((await balances())['USDT']?.[0]);
    const free = async () => start - Number((await balances())['USDT']?.[0]);
    const locked = async () => (await balances())['USDT']?.[1];
    const resting = await placed({ ...buy, price: '90.5', quantity: '2' });
    expect([await free(), await locked()]).toEqual([expect.closeTo(181, 6), '181']);
    await placed({ ...sell, price: '95', quantity: '0.5' }, keys.bob);
    // 0.5 bought at 95 instead of 98; the other 0.5 rests at 98.
    const taker = await placed({ ...buy, price: '98', quantity: '1' });
    expect(taker.status).toBe('PARTIALLY_FILLED');
    expect([await free(), await locked()]).toEqual([expect.closeTo(181 + 47.5 + 49, 6), '230']);
    await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: taker.orderId });
    expect([await free(), await locked()]).toEqual([expect.closeTo(181 + 47.5, 6), '181']);
    await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: resting.orderId });
    expect([await free(), await locked()]).toEqual([expect.closeTo(47.5, 6), '0']);
  });

  test('DEC-ORD-19: the last unit may be spent, one more may not; held money is not free', async () => {
    const [free] = (await balances(keys.sub))['BTC'] as [string, string];
    await placed({ ...sell, price: '110', quantity: free }, keys.sub);
    expect((await balances(keys.sub))['BTC']).toEqual(['0', free]);
    expectCode(await place({ ...sell, price: '110', quantity: '0.000001' }, keys.sub), 30005);
    await gate.signed('DELETE', '/api/v3/openOrders', { symbol }, { key: keys.sub });
    expect((await balances(keys.sub))['BTC']).toEqual([free, '0']);
    await harness.configure({ maxNotional: 4_000_000_000_000_000 as never });
    const [quote] = (await balances(keys.sub))['USDT'] as [string, string];
    const lots = Math.floor(Number(quote) / 50) + 1;
    expectCode(await place({ ...buy, price: '50', quantity: String(lots) }, keys.sub), 30004);
    expect((await place({ ...buy, price: '50', quantity: String(lots - 1) }, keys.sub)).status).toBe(200);
  });
});
