import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { keys, type Reply } from './gateway-harness.ts';
import { buy, sell, startTradingHarness, symbol, type TradingHarness } from './trading-harness.ts';

/* Batches, self-trade prevention, cancels, caps and client ids as a client sees them. */

let harness: TradingHarness;
let gate: TradingHarness['gate'];
const place: TradingHarness['place'] = (terms, key) => harness.place(terms, key);
const order: TradingHarness['order'] = (orderId, key) => harness.order(orderId, key);
const placed: TradingHarness['placed'] = (terms, key) => harness.placed(terms, key);
const batch = (items: readonly unknown[], key: string = keys.alice): Promise<Reply> =>
  gate.signed('POST', '/api/v3/batchOrders', { batchOrders: JSON.stringify(items) }, { key });

beforeAll(async () => {
  harness = await startTradingHarness();
  ({ gate } = harness);
});
afterAll(() => gate.close());
beforeEach(() => harness.emptyBook());

describe('batchOrders', () => {
  test('SPEC-ORD-06, SPEC-ORD-08: twenty are placed in their order; an entry has the specified members', async () => {
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
      { ...buy, symbol: undefined, newClientOrderId: 'h' },
      { ...buy, symbol: '', newClientOrderId: 'i' },
    ]);
    expect(body.map((entry: { code?: number }) => entry.code)).toEqual([
      undefined,
      30041,
      30010,
      33333,
      33333,
      44444,
      undefined,
      44444,
      44444,
    ]);
    expect(body.map((entry: { newClientOrderId?: string }) => entry.newClientOrderId).join('')).toBe('abcdefghi');
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
  test('SPEC-ORD-10, DEC-ORD-29: by either id; the answer has the specified members and no more', async () => {
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
    await gate.configure({ base: 2 as never }, 'SVCUSDT');
    await gate.configure({ base: 2 as never, quote: 1 as never, minNotional: 1 as never }, 'SVCBTC');
    const other = (name: string, key: string = keys.alice) => place({ ...buy, symbol: name, price: '0.5' }, key);
    const mine = [await place(sell), await other('SVCUSDT')];
    const left = await other('SVCBTC');
    const foreign = await other('SVCUSDT', keys.bob);
    const { body } = await gate.signed('DELETE', '/api/v3/openOrders', { symbol: `${symbol},SVCUSDT` });
    expect(body).toMatchObject([
      { symbol, orderId: mine[0]?.body.orderId, orderListId: -1, status: 'CANCELED' },
      { symbol: 'SVCUSDT', orderId: mine[1]?.body.orderId, orderListId: -1, status: 'CANCELED' },
    ]);
    const open = async (key: string) =>
      (await gate.signed('GET', '/api/v3/openOrders', {}, { key })).body.map(
        ({ orderId }: { orderId: string }) => orderId,
      );
    expect(await open(keys.alice)).toEqual([left.body.orderId]);
    expect(await open(keys.bob)).toEqual([foreign.body.orderId]);
    expectCode(await gate.signed('GET', '/api/v3/order', { symbol: 'SVCBTC', orderId: foreign.body.orderId }), -2011);
    expectCode(await gate.signed('GET', '/api/v3/order', { symbol, orderId: left.body.orderId }), -2011);
    await gate.signed('DELETE', '/api/v3/openOrders', { symbol: 'SVCBTC' });
    await gate.signed('DELETE', '/api/v3/openOrders', { symbol: 'SVCUSDT' }, { key: keys.bob });
  });
});

test('DEC-LIM-06: the cap on open orders is 30029 and counts what rests only', async () => {
  const { bob: account } = gate.accounts;
  const cap = (openOrdersMax: number) =>
    gate.exchange.submit({ kind: 'setTradingRules', account, makerFeePpm: null, takerFeePpm: null, openOrdersMax });
  await cap(2);
  const first = await placed({ ...sell, price: '101' }, keys.bob);
  await placed({ ...sell, price: '102' }, keys.bob);
  expectCode(await place({ ...sell, price: '103' }, keys.bob), 30029);
  expect((await place({ ...sell, type: 'IMMEDIATE_OR_CANCEL' }, keys.bob)).status).toBe(200);
  await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: first.orderId }, { key: keys.bob });
  expect((await place({ ...sell, price: '103' }, keys.bob)).status).toBe(200);
  await cap(500);
});

test('DEC-REQ-25, DEC-REQ-26: a client id is free again 60 s after its order closed; the newest bears it', async () => {
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
