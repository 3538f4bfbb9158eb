import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { keys, type Reply, startTestGateway, type TestGateway } from './gateway-harness.ts';

/* Order entry and cancels as a client sees them. Numbers are computed here from the printed rules. */

let gate: TestGateway;
const symbol = 'BTCUSDT';
type Terms = Record<string, string>;
const sell = { symbol, side: 'SELL', type: 'LIMIT', quantity: '1', price: '100' } as const;
const buy = { ...sell, side: 'BUY' } as const;

const place = (terms: Terms, key: string = keys.alice): Promise<Reply> =>
  gate.signed('POST', '/api/v3/order', terms, { key });
const order = async (orderId: string, key: string = keys.alice) =>
  (await gate.signed('GET', '/api/v3/order', { symbol, orderId }, { key })).body;
/** Places an order that must be taken; answers its state afterwards. */
async function placed(terms: Terms, key: string = keys.alice) {
  const { status, body } = await place(terms, key);
  expect([status, body]).toEqual([200, body]);
  return order(body.orderId, key);
}
const batch = (items: readonly unknown[], key: string = keys.alice): Promise<Reply> =>
  gate.signed('POST', '/api/v3/batchOrders', { batchOrders: JSON.stringify(items) }, { key });
/** Free and held amounts by asset. */
async function balances(key: string = keys.alice): Promise<Record<string, [string, string]>> {
  const { body } = await gate.signed('GET', '/api/v3/account', {}, { key });
  return Object.fromEntries(
    body.balances.map((balance: { asset: string; free: string; locked: string }) => [
      balance.asset,
      [balance.free, balance.locked],
    ]),
  );
}

beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
});
afterAll(() => gate.close());
/** Every story starts on an empty book whose last price is 100, an hour after the one before. */
beforeEach(async () => {
  gate.exchange.clock.time += 3_600_000;
  await gate.configure({ minNotional: 1 as never, minNotionalMarket: 1 as never, bidMultiplierUpPpm: null });
  for (const key of Object.values(keys)) await gate.signed('DELETE', '/api/v3/openOrders', { symbol }, { key });
  await gate.configure({ minNotional: 1 as never, minNotionalMarket: 1 as never, ...noBand });
  await placed({ ...sell, quantity: '0.01' }, keys.broker);
  await placed({ ...buy, quantity: '0.01' }, keys.broker);
  await gate.configure({ minNotional: 1 as never, minNotionalMarket: 1 as never });
});
const noBand = { bidMultiplierUpPpm: null, askMultiplierDownPpm: null };

describe('matching as its answers tell it', () => {
  test('DEC-ORD-08: better prices first, equal prices in order of arrival, each trade at the price that rested', async () => {
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

  test('DEC-ORD-06, DEC-ORD-07: every status and time in force, from the order’s first moment to its last', async () => {
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

  test('SPEC-ORD-04, DEC-ORD-12: a sell with both goes by the quantity, with the quote amount alone by that', async () => {
    await placed({ ...buy, quantity: '5' }, keys.bob);
    const both = await placed({ ...market, side: 'SELL', quantity: '0.25', quoteOrderQty: '400' });
    expect(both).toMatchObject({ executedQty: '0.25', cummulativeQuoteQty: '25', origQty: '0.25', status: 'FILLED' });
    // 33.33335 / 100 = 0.3333335: seven decimals, of which the pair has six.
    const alone = await placed({ ...market, side: 'SELL', quoteOrderQty: '33.33335' });
    expect(alone).toMatchObject({ executedQty: '0.333333', cummulativeQuoteQty: '33.3333', status: 'FILLED' });
  });

  test('DEC-ORD-13: a buy by quote amount spends no more than it, over several prices, and gives the dust back', async () => {
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
    await gate.configure({ minNotionalMarket: 5_000_000_000 as never, maxNotionalMarket: 100_000_000_000 as never });
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
  test('is exact to the tick where the bound falls between two, for the types that are printed', async () => {
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
    await gate.configure({ maxNotional: 4_000_000_000_000_000 as never });
    const [quote] = (await balances(keys.sub))['USDT'] as [string, string];
    const lots = Math.floor(Number(quote) / 50) + 1;
    expectCode(await place({ ...buy, price: '50', quantity: String(lots) }, keys.sub), 30004);
    expect((await place({ ...buy, price: '50', quantity: String(lots - 1) }, keys.sub)).status).toBe(200);
  });
});

describe('fees', () => {
  const lastTrade = async (key: string) =>
    (await gate.signed('GET', '/api/v3/myTrades', { symbol, limit: '1' }, { key })).body[0];

  test('DEC-ORD-15: in the asset received, rounded up at its scale, each side at its own rate', async () => {
    await gate.configure({ makerFeePpm: 200, minNotional: 1 as never });
    await placed({ ...sell, price: '99.99', quantity: '0.000021' }, keys.bob);
    const before = { alice: await balances(), bob: await balances(keys.bob) };
    await placed({ ...buy, price: '99.99', quantity: '0.000021' });
    // Taker: 0.000021 × 0.0005 = 0.0000000105 BTC, up at 8 decimals; maker: 0.00209979 × 0.0002, up at 9 decimals.
    expect(await lastTrade(keys.alice)).toMatchObject({ commission: '0.00000002', commissionAsset: 'BTC' });
    expect(await lastTrade(keys.bob)).toMatchObject({ commission: '0.00000042', commissionAsset: 'USDT' });
    const after = { alice: await balances(), bob: await balances(keys.bob) };
    const gained = (key: 'alice' | 'bob', asset: string) =>
      Number(after[key][asset]?.[0]) - Number(before[key][asset]?.[0]);
    expect(gained('alice', 'BTC')).toBeCloseTo(0.000021 - 0.00000002, 9);
    expect(gained('bob', 'USDT')).toBeCloseTo(0.00209979 - 0.00000042, 8);
  });

  test('DEC-ORD-16: in the platform token at 20 % off while there is a price and enough of it, else as received', async () => {
    await gate.exchange.submit({
      kind: 'configureFeeToken',
      token: 2 as never,
      valuedIn: 0 as never,
      discountPpm: 200_000,
    });
    await gate.configure({ base: 2 as never, priceDecimals: 3, quantityDecimals: 6 }, 'SVCUSDT');
    const { alice, broker } = gate.accounts;
    for (const account of [alice, broker]) {
      const amount = account === alice ? 2_000_000n : 100_000_000_000n;
      await gate.exchange.submit({ kind: 'creditFunds', account, asset: 2 as never, amount: amount as never });
    }
    await gate.signed('POST', '/api/v3/svcDeduct/enable', { svcDeductEnable: 'true' });
    const trade = async () => {
      await placed({ ...sell, quantity: '1' }, keys.bob);
      await placed({ ...buy, quantity: '1' });
      return lastTrade(keys.alice);
    };
    // No price of the token yet.
    expect(await trade()).toMatchObject({ commission: '0.0005', commissionAsset: 'BTC' });
    const token = { symbol: 'SVCUSDT', type: 'LIMIT', quantity: '1', price: '3.2' };
    expect((await place({ ...token, side: 'SELL' }, keys.broker)).status).toBe(200);
    expect((await place({ ...token, side: 'BUY' }, keys.broker)).status).toBe(200);
    // 0.0005 BTC × 100 × 0.8 / 3.2 = 0.0125 of the token; there are 0.02.
    expect(await trade()).toMatchObject({ commission: '0.0125', commissionAsset: 'SVC' });
    expect((await balances())['SVC']).toEqual(['0.0075', '0']);
    expect(await trade()).toMatchObject({ commission: '0.0005', commissionAsset: 'BTC' });
    expect((await balances())['SVC']).toEqual(['0.0075', '0']);
    await gate.signed('POST', '/api/v3/svcDeduct/enable', { svcDeductEnable: 'false' });
  });
});

describe('batchOrders', () => {
  test('SPEC-ORD-06, SPEC-ORD-08: twenty are placed in their order; an entry has the printed members', async () => {
    const items = Array.from({ length: 20 }, (_, index) => ({ ...sell, quantity: '0.01', price: `${101 + index}` }));
    const { status, body } = await batch(items);
    expect(status).toBe(200);
    expect(body).toHaveLength(20);
    for (const entry of body) expect(Object.keys(entry)).toEqual(['symbol', 'orderId', 'orderListId']);
    const { body: open } = await gate.signed('GET', '/api/v3/openOrders', { symbol });
    const prices = new Map(open.map((row: { orderId: string; price: string }) => [row.orderId, row.price]));
    expect(body.map((entry: { orderId: string }) => prices.get(entry.orderId))).toEqual(
      items.map(({ price }) => price),
    );
    const failed = await batch([{ ...sell, price: '1000000000' }]);
    expect(Object.keys(failed.body[0])).toEqual(['newClientOrderId', 'msg', 'code']);
  });

  test('an item meets those before it, and a failed one leaves the others alone', async () => {
    const { body } = await batch([
      { ...sell, price: '100', quantity: '0.2', newClientOrderId: 'a' },
      { ...buy, price: '100', type: 'LIMIT_MAKER', newClientOrderId: 'b' },
      { ...buy, price: '130', newClientOrderId: 'c' },
      { ...buy, side: 'HOLD', newClientOrderId: 'd' },
      { ...buy, price: '100.001', newClientOrderId: 'e' },
      { symbol, side: 'SELL', type: 'MARKET_ORDER', newClientOrderId: 'f' },
      { ...buy, price: '100', quantity: '0.1', type: 'IMMEDIATE_OR_CANCEL', newClientOrderId: 'g' },
    ]);
    expect(body.map((entry: { code?: number }) => entry.code)).toEqual([
      undefined,
      30041,
      30010,
      33333,
      33333,
      44444,
      undefined,
    ]);
    expect(body.map((entry: { newClientOrderId?: string }) => entry.newClientOrderId).join('')).toBe('abcdefg');
    expect(await order(body[0].orderId)).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: '0.1' });
  });
});

describe('self-trade prevention', () => {
  test('SPEC-STP-01, DEC-ORD-20: a mode does nothing without a group, and what it says with one', async () => {
    const own = () => placed({ ...sell, quantity: '0.3' }, keys.alice);
    const take = (stpMode: string, quantity = '0.2') => placed({ ...buy, quantity, stpMode });
    const first = await own();
    expect(await take('cancel_both')).toMatchObject({ status: 'FILLED', stpMode: 'cancel_both', cancelReason: null });
    expect((await order(first.orderId)).status).toBe('PARTIALLY_FILLED');
    await gate.exchange.submit({ kind: 'createStpGroup', master: gate.accounts.alice, name: 'mine' });
    expect(await take('cancel_taker')).toMatchObject({ status: 'CANCELED', cancelReason: 'stp_cancel' });
    expect((await order(first.orderId)).status).toBe('PARTIALLY_FILLED');
    expect(await take('cancel_maker')).toMatchObject({ status: 'NEW', executedQty: '0' });
    expect(await order(first.orderId)).toMatchObject({ status: 'PARTIALLY_CANCELED', cancelReason: 'stp_cancel' });
    await gate.signed('DELETE', '/api/v3/openOrders', { symbol });
    const second = await own();
    expect(await take('cancel_both')).toMatchObject({ status: 'CANCELED', cancelReason: 'stp_cancel' });
    expect(await order(second.orderId)).toMatchObject({ status: 'CANCELED', cancelReason: 'stp_cancel' });
    const third = await own();
    expect(await take('')).toMatchObject({ status: 'FILLED', stpMode: '', cancelReason: null });
    expect((await order(third.orderId)).executedQty).toBe('0.2');
    for (const stpMode of ['none', 'CANCEL_MAKER', 'cancel']) expectCode(await place({ ...buy, stpMode }), 33333);
  });
});

describe('cancels', () => {
  test('SPEC-ORD-10, DEC-ORD-29: by either id; the answer has the printed members and no more', async () => {
    const plain = await placed(sell);
    const { body } = await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: plain.orderId });
    expect(body).toEqual({
      symbol,
      origClientOrderId: null,
      orderId: plain.orderId,
      clientOrderId: null,
      price: '100',
      origQty: '1',
      executedQty: '0',
      cummulativeQuoteQty: '0',
      status: 'CANCELED',
      timeInForce: 'GTC',
      type: 'LIMIT',
      side: 'SELL',
    });
    const named = await placed({ ...sell, newClientOrderId: 'by-name' });
    const byName = await gate.signed('DELETE', '/api/v3/order', { symbol, origClientOrderId: 'by-name' });
    expect(byName.body).toMatchObject({
      orderId: named.orderId,
      clientOrderId: 'by-name',
      origClientOrderId: 'by-name',
      status: 'CANCELED',
    });
    expectCode(await gate.signed('DELETE', '/api/v3/order', { symbol, origClientOrderId: 'by-name' }), -2011);
  });

  test('SPEC-ORD-11, DEC-ORD-30: cancel-all takes the named symbols of this account, and only those', async () => {
    await gate.configure({}, 'BTCUSDC');
    await gate.configure({}, 'BTCEUR');
    const other = (name: string, key: string = keys.alice) => place({ ...sell, symbol: name }, key);
    const mine = [await place(sell), await other('BTCUSDC')];
    const left = await other('BTCEUR');
    const foreign = await other('BTCUSDC', keys.bob);
    const { body } = await gate.signed('DELETE', '/api/v3/openOrders', { symbol: `${symbol},BTCUSDC` });
    console.log(
      body,
      mine.map((m) => m.body),
    );
    expect(body.map((entry: { orderId: string; symbol: string; orderListId: number }) => entry)).toMatchObject([
      { symbol, orderId: mine[0]?.body.orderId, orderListId: -1, status: 'CANCELED' },
      { symbol: 'BTCUSDC', orderId: mine[1]?.body.orderId, orderListId: -1, status: 'CANCELED' },
    ]);
    const open = async (key: string) =>
      (await gate.signed('GET', '/api/v3/openOrders', {}, { key })).body.map(
        ({ orderId }: { orderId: string }) => orderId,
      );
    expect(await open(keys.alice)).toEqual([left.body.orderId]);
    expect(await open(keys.bob)).toEqual([foreign.body.orderId]);
    expectCode(await gate.signed('GET', '/api/v3/order', { symbol: 'BTCEUR', orderId: foreign.body.orderId }), -2011);
    expectCode(await gate.signed('GET', '/api/v3/order', { symbol, orderId: left.body.orderId }), -2011);
    await gate.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCEUR' });
  });
});

test('DEC-LIM-06: the cap on open orders is 30029, counts resting orders only and is free again after a cancel', async () => {
  const { bob: account } = gate.accounts;
  const cap = (openOrdersMax: number) =>
    gate.exchange.submit({ kind: 'setAccountTerms', account, makerFeePpm: null, takerFeePpm: null, openOrdersMax });
  await cap(2);
  const first = await placed({ ...sell, price: '101' }, keys.bob);
  await placed({ ...sell, price: '102' }, keys.bob);
  expectCode(await place({ ...sell, price: '103' }, keys.bob), 30029);
  expect((await place({ ...sell, type: 'IMMEDIATE_OR_CANCEL' }, keys.bob)).status).toBe(200);
  await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: first.orderId }, { key: keys.bob });
  expect((await place({ ...sell, price: '103' }, keys.bob)).status).toBe(200);
  await cap(500);
});

test('DEC-REQ-26, DEC-REQ-25: a client id is free again 60 s after its order closed; the newest order bears it', async () => {
  const id = 'A-z_0123456789012345678901234567';
  const terms = { ...sell, newClientOrderId: id };
  const first = await placed(terms);
  await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: first.orderId });
  gate.exchange.clock.time += 59_999;
  expect((await place(terms)).body.orderId).toBe(first.orderId);
  expectCode(await place({ ...terms, price: '101' }), 33333);
  gate.exchange.clock.time += 2;
  const second = await placed({ ...terms, price: '101' });
  expect(second.orderId).not.toBe(first.orderId);
  const named = () => gate.signed('GET', '/api/v3/order', { symbol, origClientOrderId: id });
  expect((await named()).body.orderId).toBe(second.orderId);
  await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: second.orderId });
  gate.exchange.clock.time += 3_600_000;
  await gate.exchange.submit({ kind: 'advanceClock' });
  expect((await named()).body).toMatchObject({ orderId: second.orderId, price: '101', status: 'CANCELED' });
});
