import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { keys } from './gateway-harness.ts';
import { startTradingHarness, symbol, type Terms, type TradingHarness } from './trading-harness.ts';

/* Numbers at the ends of what pairs and balances may hold: texts stay plain decimals, sums stay exact. */

let harness: TradingHarness;
let gate: TradingHarness['gate'];
const rich = 123_456_789_123_456_789n;
beforeAll(async () => {
  harness = await startTradingHarness();
  ({ gate } = harness);
  for (const account of Object.values(gate.accounts)) {
    for (const asset of [0, 1, 2]) {
      await gate.exchange.submit({ kind: 'creditFunds', account, asset: asset as never, amount: rich as never });
    }
  }
  const open = { ...unbounded, base: 2 as never };
  await gate.configure({ ...open, priceDecimals: 9, quantityDecimals: 0 }, 'SVCUSDT');
  await gate.configure({ ...open, quote: 1 as never, priceDecimals: 0, quantityDecimals: 8 }, 'SVCBTC');
});
afterAll(() => gate.close());

const most = 9_000_000_000_000_000;
const unbounded = {
  minNotional: 1 as never,
  minNotionalMarket: 1 as never,
  maxNotional: most as never,
  maxNotionalMarket: most as never,
  bidMultiplierUpPpm: null,
  askMultiplierDownPpm: null,
};
const ask = async (path: string, terms: Terms) => (await gate.get(`/api/v3/${path}`, terms)).body;

/** Bob sells this much to Alice at this price; answers what Alice is told of it. */
async function deal(pair: string, price: string, quantity: string) {
  const terms = { symbol: pair, type: 'LIMIT', price, quantity };
  expect((await harness.place({ ...terms, side: 'SELL' }, keys.bob)).body).toMatchObject({ price, origQty: quantity });
  const { orderId } = (await harness.place({ ...terms, side: 'BUY' })).body;
  const { body } = await gate.signed('GET', '/api/v3/order', { symbol: pair, orderId });
  const { body: trades } = await gate.signed('GET', '/api/v3/myTrades', { symbol: pair, orderId });
  return { order: body, trade: trades[0] };
}

describe('DEC-ORD-02, DEC-MKT-09, SPEC-MKT-24: pairs at both ends of the scales', () => {
  test.each([
    ['SVCUSDT', '0.000000001', '1', '0.000000001'],
    ['SVCUSDT', '0.000000009', '1000000', '0.009'],
    ['SVCBTC', '1', '0.00000001', '0.00000001'],
    ['SVCBTC', '3', '0.0000001', '0.0000003'],
  ])('%s: %s × %s is %s, never an exponent', async (pair, price, quantity, amount) => {
    const { order, trade } = await deal(pair, price, quantity);
    expect(order).toMatchObject({ executedQty: quantity, cummulativeQuoteQty: amount, origQuoteOrderQty: amount });
    expect(trade).toMatchObject({ price, qty: quantity, quoteQty: amount });
    expect((await ask('trades', { symbol: pair, limit: '1' }))[0]).toMatchObject({ price, qty: quantity });
    expect(await ask('ticker/price', { symbol: pair })).toEqual({ symbol: pair, price });
    expect((await ask('klines', { symbol: pair, interval: '1m', limit: '1' }))[0][4]).toBe(price);
  });

  test('one decimal more than the pair has is refused, trailing zeros are not', async () => {
    const terms = { symbol: 'SVCUSDT', side: 'BUY', type: 'LIMIT' };
    expectCode(await harness.place({ ...terms, price: '0.0000000011', quantity: '1' }), 33333);
    expectCode(await harness.place({ ...terms, price: '0.000000001', quantity: '1.5' }), 33333);
    const { body } = await harness.place({ ...terms, price: '0.0000000010', quantity: '1.0' });
    expect(body).toMatchObject({ price: '0.000000001', origQty: '1' });
  });
});

describe('DEC-ORD-38: 30003 names the bound that was exceeded', () => {
  const terms = { symbol: 'SVCUSDT', side: 'BUY', type: 'LIMIT', price: '0.000000001' };
  const maxQuantity = async () => (await ask('exchangeInfo', { symbol: 'SVCUSDT' })).symbols[0].maxQuantity;

  test.each(['90071993', '90071992547410', '99999999999999999'])(
    'quantity %s is beyond the one that exchangeInfo shows, however small its amount is',
    async (quantity) => {
      const refused = await harness.place({ ...terms, quantity });
      expectCode(refused, 30003);
      expect(refused.body.msg).toContain(`the quantity cannot be more than:${await maxQuantity()}SVC`);
      const batchOrders = JSON.stringify([{ ...terms, quantity }]);
      const { body } = await gate.signed('POST', '/api/v3/batchOrders', { batchOrders });
      expect(body[0]).toMatchObject({ code: 30003, msg: refused.body.msg });
    },
  );

  test('the greatest quantity itself is taken', async () => {
    const { body } = await harness.place({ ...terms, quantity: await maxQuantity() });
    expect(body).toMatchObject({ origQty: '90071992' });
    await gate.signed('DELETE', '/api/v3/order', { symbol: 'SVCUSDT', orderId: body.orderId });
  });

  test.each([
    ['10000000', '1'],
    ['9999999999999', '1'],
  ])('price %s for %s is beyond the amount', async (price, quantity) => {
    const refused = await harness.place({ ...terms, price, quantity });
    expectCode(refused, 30003);
    expect(refused.body.msg).toContain('the amount cannot be more than:9000000USDT');
  });
});

describe('amounts beyond 2^53 units', () => {
  test('SPEC-ACC-04: a balance is told to its last unit, before and after an order', async () => {
    const usdt = async () => (await harness.balances(keys.sub))['USDT'];
    // 1,000,000 from the start and 123,456,789.123456789 more.
    expect(await usdt()).toEqual(['124456789.123456789', '0']);
    await harness.configure(unbounded);
    const resting = { symbol, side: 'BUY', type: 'LIMIT', price: '100.01', quantity: '0.000007' };
    const { body } = await harness.place(resting, keys.sub);
    expect(await usdt()).toEqual(['124456789.122756719', '0.00070007']);
    await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: body.orderId }, { key: keys.sub });
    expect(await usdt()).toEqual(['124456789.123456789', '0']);
  });

  test('SPEC-MKT-17, DEC-MKT-05: sums of a day are exact', async () => {
    await harness.configure(unbounded);
    // Four trades of 8,000,000.1 and one of the smallest quantity: together 3.2 × 10^16 units.
    for (let round = 0; round < 4; round += 1) await deal(symbol, '100000', '80.000001');
    await deal(symbol, '100000.01', '0.000001');
    // 100000 × 80.000001 × 4 + 0.10000001
    const quoteVolume = '32000000.50000001';
    expect(await ask('ticker/24hr', { symbol })).toMatchObject({ volume: '320.000005', quoteVolume, count: 5 });
    const [candle] = await ask('klines', { symbol, interval: '1d', limit: '1' });
    expect([candle[5], candle[7]]).toEqual(['320.000005', quoteVolume]);
    expect(await ask('avgPrice', { symbol })).toEqual({ mins: 5, price: '100000' });
  });

  test('DEC-ORD-18, C06: an amount that no order may have is 30003, whatever its digits', async () => {
    for (const [price, quantity] of [
      ['999999999999999999', '0.000001'],
      ['0.01', '999999999999999999'],
      ['999999999999999999', '999999999999999999'],
      ['90071992.54', '100.000001'],
    ] as const) {
      const terms = { symbol, side: 'BUY', type: 'LIMIT', price, quantity };
      const before = gate.digest();
      expectCode(await harness.place(terms), 30003);
      expect(gate.digest()).toBe(before);
    }
  });
});
