import { describe, expect, test } from 'vitest';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys, now } from './gateway-harness.ts';
import { bob, gate, limit, path, place, query, useOrderHarness } from './order-harness.ts';

useOrderHarness();

describe('cancels', () => {
  test('DEC-ORD-46, SPEC-ORD-09: a cancel answers the state after it', async () => {
    const placed = await place({ ...limit, newClientOrderId: 'doomed' });
    await bob({ side: 'SELL', quantity: '0.2' });
    const reply = await gate.signed('DELETE', path, {
      symbol: 'BTCUSDT',
      orderId: placed.body.orderId,
      newClientOrderId: 'cancel-1',
    });
    expectShape('cancelOrder', reply);
    expect(reply.body).toEqual({
      symbol: 'BTCUSDT',
      origClientOrderId: 'doomed',
      orderId: placed.body.orderId,
      clientOrderId: 'cancel-1',
      price: '30000',
      origQty: '0.5',
      executedQty: '0.2',
      cummulativeQuoteQty: '6000',
      status: 'PARTIALLY_CANCELED',
      timeInForce: 'GTC',
      type: 'LIMIT',
      side: 'BUY',
    });
  });

  test('E25, D03: no id, a finished, unknown or foreign order, and two ids of different orders', async () => {
    const first = await place({ ...limit, newClientOrderId: 'one' });
    await place({ ...limit, newClientOrderId: 'two' });
    const cancel = (parameters: Record<string, string>, key: string = keys.alice) =>
      gate.signed('DELETE', path, { symbol: 'BTCUSDT', ...parameters }, { key });
    expectCode(await cancel({}), 700004);
    expectCode(await cancel({ orderId: first.body.orderId }, keys.bob), -2011);
    expectCode(await query(first.body.orderId, keys.bob), -2011);
    expectCode(await cancel({ orderId: 'C02__100000000000999999' }), -2011);
    expectCode(await cancel({ orderId: 'nonsense' }), -2011);
    expectCode(await cancel({ origClientOrderId: 'three' }), -2011);
    expectCode(await cancel({ orderId: first.body.orderId, origClientOrderId: 'two' }), 33333);
    expectCode(await gate.signed('DELETE', path, { symbol: 'NOPEUSDT', orderId: first.body.orderId }), 10007);
    expect((await cancel({ orderId: first.body.orderId, origClientOrderId: 'one' })).body.status).toBe('CANCELED');
    expectCode(await cancel({ orderId: first.body.orderId }), -2011);
  });

  test('SPEC-ORD-11: cancel-all answers one entry per order, none if there are none; its alias alike', async () => {
    for (const quantity of ['0.1', '0.2']) await place({ ...limit, quantity });
    const cancelAll = (at: string, symbol = 'BTCUSDT') => gate.signed('DELETE', at, { symbol });
    const reply = await cancelAll('/api/v3/openOrders');
    expectShape('cancelOpenOrders', reply);
    expect(reply.body.map((order: { origQty: string; status: string }) => [order.origQty, order.status])).toEqual([
      ['0.1', 'CANCELED'],
      ['0.2', 'CANCELED'],
    ]);
    const alias = await cancelAll('/api/v3/order/all', 'BTCUSDT, BTCUSDT');
    expectShape('cancelAllOrders', alias);
    expect(alias.body).toEqual([]);
    expectCode(await cancelAll('/api/v3/openOrders', 'BTCUSDT,NOPE'), 10007);
    expectCode(await cancelAll('/api/v3/openOrders', 'A1,A2,A3,A4,A5,A6'), 33333);
    expectCode(await cancelAll('/api/v3/openOrders', ''), 44444);
  });

  test('E16: cancels work while trading is suspended', async () => {
    const placed = await place(limit);
    await gate.configure({ status: 'paused' });
    expect((await gate.signed('DELETE', path, { symbol: 'BTCUSDT', orderId: placed.body.orderId })).body.status).toBe(
      'CANCELED',
    );
  });
});

describe('queries', () => {
  test('DEC-ORD-44, SPEC-ORD-14: open orders of one pair, of several and of all', async () => {
    const placed = await place(limit);
    for (const parameters of [{}, { symbol: 'BTCUSDT' }, { symbol: 'BTCUSDT,BTCUSDT' }] as Record<string, string>[]) {
      const reply = await gate.signed('GET', '/api/v3/openOrders', parameters);
      expectShape('openOrders', reply);
      expect(reply.body.map((order: { orderId: string }) => order.orderId)).toEqual([placed.body.orderId]);
    }
    expect((await gate.signed('GET', '/api/v3/openOrders', {}, { key: keys.bob })).body).toEqual([]);
    expectCode(await gate.signed('GET', '/api/v3/openOrders', { symbol: 'NOPEUSDT' }), 10007);
    expectCode(await gate.signed('GET', '/api/v3/openOrders', { symbol: 'A1,A2,A3,A4,A5,A6' }), 33333);
  });

  test('SPEC-ORD-15: all orders, open and finished, oldest first, within their window', async () => {
    const all = (parameters: Record<string, string> = {}) =>
      gate.signed('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT', ...parameters });
    const start = gate.exchange.clock.time;
    const placed: string[] = [];
    for (const quantity of ['0.1', '0.2', '0.3']) {
      gate.exchange.clock.time += 1000;
      placed.push((await place({ ...limit, quantity })).body.orderId);
    }
    await gate.signed('DELETE', path, { symbol: 'BTCUSDT', orderId: placed[1]! });
    const reply = await all({ startTime: String(start) });
    expectShape('allOrders', reply);
    const quantities = (body: { origQty: string; status: string }[]) =>
      body.map((order) => `${order.origQty} ${order.status}`);
    expect(quantities(reply.body)).toEqual(['0.1 NEW', '0.2 CANCELED', '0.3 NEW']);
    expect(quantities((await all({ limit: '2' })).body)).toEqual(['0.2 CANCELED', '0.3 NEW']);
    expect(quantities((await all({ limit: '2', startTime: String(start) })).body)).toEqual(['0.1 NEW', '0.2 CANCELED']);
    expect(quantities((await all({ startTime: String(start), endTime: String(start + 1000) })).body)).toEqual([
      '0.1 NEW',
    ]);
    expect((await all({ startTime: '0' })).status).toBe(200);
    expectCode(await all({ startTime: '2', endTime: '1' }), 33333);
    for (const value of ['0', '-1', '1001', '1.5', 'abc']) expectCode(await all({ limit: value }), 33333);
    gate.exchange.clock.time += 25 * 3_600_000;
    expect((await all()).body).toEqual([]);
    expect((await all({ startTime: String(start) })).body).toHaveLength(3);
    gate.exchange.clock.time += 7 * 24 * 3_600_000;
    expect((await all({ startTime: String(start) })).body).toEqual([]);
  });

  test('a finished order is answered long after its close', async () => {
    const placed = await place(limit);
    await gate.signed('DELETE', path, { symbol: 'BTCUSDT', orderId: placed.body.orderId });
    gate.exchange.clock.time += 86_400_000;
    await gate.exchange.submit({ kind: 'advanceClock' });
    expect((await query(placed.body.orderId)).body).toMatchObject({ status: 'CANCELED', origQty: '0.5' });
  });

  test('SPEC-ORD-17: trades of the account, each side with its own fee', async () => {
    const start = gate.exchange.clock.time;
    const sold = await bob({ side: 'SELL', newClientOrderId: 'ask-1' });
    const bought = await place({ ...limit, quantity: '0.2' });
    const trades = (key: string, parameters: Record<string, string> = {}) =>
      gate.signed('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', startTime: String(start), ...parameters }, { key });
    const mine = await trades(keys.alice);
    expectShape('myTrades', mine);
    const id = `${bought.body.orderId.slice(5)}X1`;
    expect(mine.body).toEqual([
      {
        symbol: 'BTCUSDT',
        id,
        orderId: bought.body.orderId,
        orderListId: -1,
        price: '30000',
        qty: '0.2',
        quoteQty: '6000',
        commission: '0.0001',
        commissionAsset: 'BTC',
        time: start,
        isBuyer: true,
        isMaker: false,
        isBestMatch: true,
        isSelfTrade: false,
        clientOrderId: null,
      },
    ]);
    expect((await trades(keys.bob)).body).toMatchObject([
      { id, orderId: sold.body.orderId, commission: '0', isBuyer: false, isMaker: true, clientOrderId: 'ask-1' },
    ]);
    expect((await trades(keys.alice, { orderId: bought.body.orderId })).body).toHaveLength(1);
    expect((await trades(keys.alice, { orderId: sold.body.orderId })).body).toEqual([]);
    expectCode(await trades(keys.alice, { limit: '101' }), 33333);
    expect(now).toBeLessThan(start);
  });
});
