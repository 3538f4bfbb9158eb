import { describe, expect, test } from 'vitest';
import { expectCode, expectShape } from './answer-shape.ts';
import { type btcUsdt, keys, sign } from './gateway-harness.ts';
import { bob, gate, limit, path, place, query, useOrderHarness } from './order-harness.ts';

useOrderHarness();

describe('POST /api/v3/order', () => {
  test('DEC-ORD-39, SPEC-ORD-01: a limit order is answered with its terms and stands in every query at once', async () => {
    const placed = await place({ ...limit, newClientOrderId: 'my-order_1' });
    expectShape('placeOrder', placed);
    expect(placed.body).toEqual({
      symbol: 'BTCUSDT',
      orderId: expect.stringMatching(/^C02__100\d{15}$/),
      orderListId: -1,
      price: '30000',
      origQty: '0.5',
      type: 'LIMIT',
      side: 'BUY',
      stpMode: '',
      transactTime: gate.exchange.clock.time,
    });
    const found = await query(placed.body.orderId);
    expectShape('order', found);
    expect(found.body).toMatchObject({
      clientOrderId: 'my-order_1',
      origQty: '0.5',
      Qty: '0.5',
      executedQty: '0',
      status: 'NEW',
      timeInForce: 'GTC',
      isWorking: true,
      origQuoteOrderQty: '15000',
      cancelReason: null,
      time: gate.exchange.clock.time,
    });
    const byClientId = await gate.signed('GET', path, { symbol: 'BTCUSDT', origClientOrderId: 'my-order_1' });
    expect(byClientId.body).toEqual(found.body);
  });

  test('DEC-ORD-39, DEC-ORD-49, SPEC-ORD-02: a market buy by quote amount tells what it bought', async () => {
    await bob({ side: 'SELL' });
    const placed = await place({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: '3000' });
    expectShape('placeOrder', placed);
    expect(placed.body).toMatchObject({ type: 'MARKET', origQty: '0.1', price: '31500' });
    const found = await query(placed.body.orderId);
    expect(found.body).toMatchObject({
      status: 'FILLED',
      executedQty: '0.1',
      origQty: '0.1',
      cummulativeQuoteQty: '3000',
      origQuoteOrderQty: '3000',
      timeInForce: 'IOC',
      isWorking: false,
    });
  });

  test.each([
    ['IMMEDIATE_OR_CANCEL', 'IMMEDIATE_OR_CANCEL', 'CANCELED', 'IOC'],
    ['FILL_OR_KILL', 'FILL_OR_KILL', 'CANCELED', 'FOK'],
    ['LIMIT_MAKER', 'LIMIT_MAKER', 'NEW', 'GTC'],
    ['LIMIT_ORDER', 'LIMIT', 'NEW', 'GTC'],
    ['POST_ONLY', 'LIMIT_MAKER', 'NEW', 'GTC'],
  ])('DEC-ORD-05, DEC-ORD-07: type %s is taken as %s', async (type, canonical, status, timeInForce) => {
    const placed = await place({ ...limit, type });
    expectShape('placeOrder', placed);
    expect(placed.body.type).toBe(canonical);
    expect((await query(placed.body.orderId)).body).toMatchObject({ type: canonical, status, timeInForce });
  });

  test('E08: the same client id with the same terms answers the first order, with others it is refused', async () => {
    const first = await place({ ...limit, newClientOrderId: 'once' });
    const again = await place({ ...limit, newClientOrderId: 'once', quantity: '0.500' });
    expect(again.body).toEqual(first.body);
    expectCode(await place({ ...limit, newClientOrderId: 'once', quantity: '0.6' }), 33333);
    const open = await gate.signed('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    expect(open.body).toHaveLength(1);
  });

  test('E10: an order that self-trade prevention closed says so', async () => {
    await gate.exchange.submit({ kind: 'createStpGroup', master: gate.accounts.alice, name: 'mine' });
    await place({ ...limit, side: 'SELL' });
    const taker = await place({ ...limit, stpMode: 'cancel_taker' });
    expect(taker.body.stpMode).toBe('cancel_taker');
    expect((await query(taker.body.orderId)).body).toMatchObject({
      status: 'CANCELED',
      cancelReason: 'stp_cancel',
      stpMode: 'cancel_taker',
    });
  });

  test('numbers of a JSON body keep their source digits and expand their exponents', async () => {
    const terms = '"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":5e-1,"price":30000.10';
    const text = `{${terms},"newClientOrderId":9588234,"timestamp":${gate.exchange.clock.time},"stpMode":null}`;
    const reply = await gate.send('POST', `${path}?signature=${sign(text)}`, {
      headers: { 'X-SVC-APIKEY': keys.alice, 'Content-Type': 'application/json' },
      body: text,
    });
    expect(reply.body).toMatchObject({ origQty: '0.5', price: '30000.1' });
    expect((await query(reply.body.orderId)).body.clientOrderId).toBe('9588234');
  });
});

describe('DEC-ORD-04, DEC-ORD-47: the order of refusals', () => {
  const bad = { symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', quantity: '1.12345678901' };
  test('each hides those that come after it, and none changes anything', async () => {
    expectCode(await place({ ...bad, symbol: 'NOPEUSDT' }), 30014);
    expectCode(await place({ ...bad, symbol: 'btcusdt' }), 30014);
    await gate.configure({
      status: 'paused',
      tradeSideType: 'buyOnly',
      orderKinds: ['limit'],
      apiTradingAllowed: false,
    });
    expectCode(await place(bad), 30000);
    await gate.configure({ tradeSideType: 'buyOnly', orderKinds: ['limit'], apiTradingAllowed: false });
    expectCode(await place(bad), 30016);
    await gate.configure({ tradeSideType: 'buyOnly', orderKinds: ['limit'] });
    expectCode(await place(bad), 30001);
    await gate.configure({ orderKinds: ['limit'] });
    expectCode(await place(bad), 30018);
    expectCode(await place({ ...bad, type: 'LIMIT_MAKER' }), 30041);
    await gate.configure({});
    const before = gate.digest();
    expectCode(await place({ ...bad, type: 'LIMIT' }), 44444);
    expectCode(await place(bad), 33333);
    expectCode(await place({ ...bad, quantity: '0' }), 30002);
    expectCode(await place({ ...bad, quantity: '1000' }), 30003);
    expectCode(await place({ ...bad, quantity: '1' }), 30025);
    expectCode(await place({ ...limit, quantity: '1000' }), 30003);
    expectCode(await place({ ...limit, quantity: '100' }), 30004);
    expectCode(await place({ ...limit, side: 'SELL', quantity: '100' }), 30005);
    expect(gate.digest()).toBe(before);
  });

  test('E01: what a type needs is missing', async () => {
    for (const name of ['symbol', 'side', 'type', 'quantity', 'price'] as const) {
      const { [name]: _left, ...terms } = limit;
      const reply = await place(terms);
      expectCode(reply, 44444);
      expect(reply.body.msg).toContain(`'${name}'`);
    }
    expectCode(await place({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET' }), 44444);
  });

  test('DEC-ORD-41, C04, C05, C08: numbers and words that are not what they should be', async () => {
    for (const value of [
      '+1',
      '-1',
      ' 1',
      '1 ',
      '01',
      '.5',
      '1.',
      '1,5',
      '0x10',
      'NaN',
      'Infinity',
      '1_000',
      '1e3',
      '١',
      '0.1234567',
    ]) {
      expectCode(await place({ ...limit, quantity: value }), 33333);
      expectCode(await place({ ...limit, price: value }), 33333);
    }
    expectCode(await place({ ...limit, price: '0' }), 33333);
    for (const terms of [
      { side: 'buy' },
      { type: 'limit' },
      { stpMode: 'CANCEL_TAKER' },
      { stpMode: 'cancel_taker ' },
      { side: '__proto__' },
    ]) {
      expectCode(await place({ ...limit, ...terms }), 33333);
    }
    expect((await place({ ...limit, quantity: '0.50000000', price: '30000.000' })).status).toBe(200);
  });

  test('C06: numbers beyond every bound are refused, not wrapped', async () => {
    const large = '9'.repeat(18);
    for (const terms of [{ quantity: large }, { price: large }, { quantity: large, price: large }]) {
      expect([30003, 33333]).toContain((await place({ ...limit, ...terms })).body.code);
    }
    expectCode(await place({ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quoteOrderQty: large }), 30003);
  });

  test('C09: client ids with characters that are none', async () => {
    for (const id of ['a'.repeat(33), 'a\nb', '😀', '<script>', '../', "'; DROP", 'a b']) {
      expectCode(await place({ ...limit, newClientOrderId: id }), 700008);
    }
  });

  test('DEC-ORD-18: minimums and maximums are named with amount and coin', async () => {
    const small = await place({ ...limit, quantity: '0.000001', price: '100' });
    expectCode(small, 30002);
    expect(small.body.msg).toMatch(/cannot be less than:0\.5USDT\.$/);
    await gate.configure({ minLots: 10 as typeof btcUsdt.minLots });
    const few = await place({ ...limit, quantity: '0.000001' });
    expectCode(few, 30002);
    expect(few.body.msg).toMatch(/cannot be less than:0\.00001BTC\.$/);
    const large = await place({ ...limit, quantity: '200' });
    expectCode(large, 30003);
    expect(large.body.msg).toMatch(/cannot be more than:4000000USDT\.$/);
  });

  test('E02, E13: a maker that would take, a price outside the band', async () => {
    await bob({ side: 'SELL', quantity: '0.1' });
    await place({ ...limit, quantity: '0.05' });
    expectCode(await place({ ...limit, type: 'LIMIT_MAKER' }), 30041);
    expectCode(await place({ ...limit, price: '36000.01' }), 30010);
    expect((await place({ ...limit, quantity: '0.01', price: '36000' })).status).toBe(200);
    expectCode(await place({ ...limit, side: 'SELL', price: '23999.99' }), 30010);
  });
});

describe('POST /api/v3/order/test', () => {
  test('SPEC-ORD-05, E23: judges as placing would, balance included, and changes nothing', async () => {
    const before = gate.digest();
    const test = (terms: Record<string, string>) => gate.signed('POST', '/api/v3/order/test', terms);
    const good = await test(limit);
    expectShape('testOrder', good);
    expect(good.body).toEqual({});
    expectCode(await test({ ...limit, symbol: 'NOPEUSDT' }), 30014);
    expectCode(await test({ ...limit, price: '' }), 44444);
    expectCode(await test({ ...limit, quantity: '0.0000001' }), 33333);
    expectCode(await test({ ...limit, quantity: '100' }), 30004);
    expect(gate.digest()).toBe(before);
  });

  test('DEC-ORD-40: an honest retry is judged as placing would answer it, other terms under its id are not', async () => {
    const test = (terms: Record<string, string>) => gate.signed('POST', '/api/v3/order/test', terms);
    const mine = { ...limit, newClientOrderId: 'retried' };
    expect((await place(mine)).status).toBe(200);
    expect((await test(mine)).body).toEqual({});
    expectCode(await test({ ...mine, price: '29000' }), 33333);
  });
});

describe('POST /api/v3/batchOrders', () => {
  const batch = (items: readonly unknown[]) =>
    gate.signed('POST', '/api/v3/batchOrders', { batchOrders: JSON.stringify(items) });

  test('DEC-ORD-43, SPEC-ORD-07: each order succeeds or fails on its own, in the order asked', async () => {
    const reply = await batch([
      { ...limit, type: 'LIMIT_ORDER', newClientOrderId: 'first' },
      { ...limit, quantity: 100, newClientOrderId: 'poor' },
      { ...limit, price: 'x' },
      { ...limit, quantity: 0.25, price: 29000 },
    ]);
    expectShape('placeOrders', reply);
    expect(reply.body).toEqual([
      { symbol: 'BTCUSDT', orderId: expect.stringMatching(/^C02__/), orderListId: -1, newClientOrderId: 'first' },
      { newClientOrderId: 'poor', msg: expect.stringMatching(/\.$/), code: 30004 },
      { newClientOrderId: null, msg: expect.stringMatching(/\.$/), code: 33333 },
      { symbol: 'BTCUSDT', orderId: expect.stringMatching(/^C02__/), orderListId: -1 },
    ]);
  });

  test('E09: a client id twice in a batch', async () => {
    const item = { ...limit, newClientOrderId: 'twice' };
    const reply = await batch([item, item, { ...item, price: '29000' }]);
    expect(reply.body[1].orderId).toBe(reply.body[0].orderId);
    expect(reply.body[2]).toMatchObject({ code: 33333, newClientOrderId: 'twice' });
  });

  test('a real array in a JSON body is taken too, with exact numbers', async () => {
    const stamp = `timestamp=${gate.exchange.clock.time}`;
    const text = '{"batchOrders":[{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","quantity":1e-1,"price":30000.50}]}';
    const reply = await gate.send('POST', `/api/v3/batchOrders?${stamp}&signature=${sign(stamp + text)}`, {
      headers: { 'X-SVC-APIKEY': keys.alice, 'Content-Type': 'application/json' },
      body: text,
    });
    expectShape('placeOrders', reply);
    expect((await query(reply.body[0].orderId)).body).toMatchObject({ origQty: '0.1', price: '30000.5' });
  });

  test('DEC-ORD-42, C22: 21 orders, none, two symbols and what is no list are refused as a whole', async () => {
    const before = gate.digest();
    expectCode(await batch(Array.from({ length: 21 }, () => limit)), 33333);
    expectCode(await batch([]), 33333);
    expectCode(await batch([limit, { ...limit, symbol: 'ETHUSDT' }]), 33333);
    for (const batchOrders of [
      '{}',
      'x',
      '[1]',
      '[[]]',
      '[{"symbol":"BTCUSDT","symbol":"BTCUSDT"}]',
      '[{"a":{}}]',
      `${'['.repeat(2000)}`,
    ]) {
      expectCode(await gate.signed('POST', '/api/v3/batchOrders', { batchOrders }), 33333);
    }
    expectCode(await gate.signed('POST', '/api/v3/batchOrders'), 44444);
    expect(gate.digest()).toBe(before);
  });
});
