import { afterAll, beforeAll, expect, test } from 'vitest';
import { listingOf } from '../permissive-listing.ts';
import { as } from '#model/units.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
let account: string;
beforeAll(async () => {
  operator = await startTestOperator();
  account = `/v1/accounts/${operator.alice.uid}`;
  const symbol = listingOf({ name: 'BTCUSDT', base: as(1), quote: as(0), priceDecimals: 2, quantityDecimals: 4 });
  await operator.exchange.submit({ kind: 'configureSymbol', symbol });
});
afterAll(() => operator.close());

const put = (body: object) => operator.ask('PUT', `${account}/switches`, { reason: 'A test.', ...body });
const on = { trade: true, withdraw: true, api: true };

test('DEC-OPR-167: an account is on as it is opened, is switched, and says so', async () => {
  expect((await operator.ask('GET', account)).body.switches).toEqual(on);
  const off = { trade: false, withdraw: false, api: true };
  expect((await put(off)).body.switches).toEqual(off);
  expect((await operator.ask('GET', account)).body.switches).toEqual(off);
  expect((await put(on)).body.switches).toEqual(on);
});

test('DEC-OPR-167: resting orders stay unless they are to be cancelled, however many there are', async () => {
  const terms = { account: operator.alice.account, makerFeePpm: null, takerFeePpm: null, openOrdersMax: 1000 };
  await operator.exchange.submit({ kind: 'setTradingRules', ...terms });
  const order = { symbol: as<never>(0 as never), side: 'buy', kind: 'limit', price: as<never>(100 as never) } as const;
  const rest = { quantity: as<never>(10 as never), budget: null, clientOrderId: null, stpMode: 'none' } as const;
  const orders = Array.from({ length: 20 }, () => ({ ...order, ...rest }));
  for (let placed = 0; placed < 600; placed += 20)
    await operator.exchange.submit({ kind: 'placeOrders', account: operator.alice.account, orders });
  const open = () => operator.exchange.engine.state.accounts.openCount(operator.alice.account);
  await put({ ...on, trade: false });
  expect(open()).toBe(600);
  await put({ ...on, trade: false, cancelOrders: true });
  expect(open()).toBe(0);
  await put(on);
});

test.each([
  [{ trade: false, withdraw: true }, '/api'],
  [{ ...on, trade: 'off' }, '/trade'],
  [{ ...on, cancelOrders: true }, '/cancelOrders'],
  [{ ...on, deposit: false }, '/deposit'],
  [{ ...on, reason: '' }, '/reason'],
  [{ ...on, reason: undefined }, '/reason'],
])('DEC-OPR-167: %j is refused by name', async (body, pointer) => {
  const before = operator.digest();
  const reply = await put(body);
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([400, pointer]);
  expect(operator.digest()).toBe(before);
});

test('DEC-OPR-167: an unknown account is 404, a stale edit 412', async () => {
  const path = '/v1/accounts/99999999/switches';
  const unknown = await operator.ask('PUT', path, { ...on, reason: 'x' });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'unknownAccount']);
  const headers = { 'if-match': '"old"' };
  const stale = await operator.ask('PUT', `${account}/switches`, { ...on, reason: 'x' }, { headers });
  expect([stale.status, stale.body.code]).toEqual([412, 'staleEdit']);
});
