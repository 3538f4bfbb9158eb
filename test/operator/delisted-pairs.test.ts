import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderRequest } from '#model/order.ts';
import { as } from '#model/units.ts';
import { bitcoinPair } from './bitcoin-pair.ts';
import { startTestOperator, type OperatorReply, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  await operator.ask('PUT', path, bitcoinPair);
  await operator.ask('PATCH', path, { status: 'online' });
  const { account } = operator.alice;
  const order: OrderRequest = {
    symbol: as(0),
    side: 'buy',
    kind: 'limit',
    price: as(10_000),
    quantity: as(100),
    budget: null,
    clientOrderId: null,
    stpMode: 'none',
  };
  await operator.exchange.submit({ kind: 'creditFunds', account, asset: as(1), amount: as(10n ** 9n) });
  for (const side of ['sell', 'buy'] as const)
    await operator.exchange.submit({ kind: 'placeOrder', account, order: { ...order, side } });
});
afterAll(() => operator.close());

const path = '/v1/pairs/BTCUSDT';
const told = ({ status, body }: OperatorReply) => [status, body.code];

test('DEC-OPR-169: a pair that is not offline, or not there, is not delisted, and nothing changes', async () => {
  expect(told(await operator.ask('DELETE', '/v1/pairs/NEVERWAS'))).toEqual([404, 'unknownPair']);
  for (const status of ['online', 'paused', 'cancelOnly']) {
    const { body } = await operator.ask('PATCH', path, { status });
    expect(told(await operator.ask('DELETE', path))).toEqual([409, 'pairNotOffline']);
    expect((await operator.ask('GET', path)).body).toEqual(body);
  }
  await operator.ask('PATCH', path, { status: 'offline' });
  const terms = { asset: 'BTC', valuedIn: 'USDT', discountPpm: 0 };
  await operator.ask('PUT', '/v1/platform-token', terms);
  expect(told(await operator.ask('DELETE', path))).toEqual([409, 'pairValuesCommission']);
  await operator.ask('PUT', '/v1/platform-token', { ...terms, asset: 'USDT', valuedIn: 'BTC' });
});

test('DEC-OPR-169: delisting needs the scope, and the tag that was read', async () => {
  const make = async (scopes: readonly string[]) =>
    (await operator.ask('POST', '/v1/tokens', { actor: 'olga', scopes, validHours: 1 })).body.token as string;
  const reader = await make(['pairs:read']);
  expect(told(await operator.ask('DELETE', path, undefined, { token: reader }))).toEqual([403, 'insufficientScope']);
  const tag = (await operator.ask('GET', path)).headers.get('etag')!;
  await operator.ask('PATCH', path, { takerFeePpm: 600 });
  const stale = await operator.ask('DELETE', path, undefined, { headers: { 'If-Match': tag } });
  expect(told(stale)).toEqual([412, 'staleEdit']);
  expect((await operator.ask('GET', path)).body.status).toBe('offline');
});

test('DEC-OPR-169: a delisted pair can be read, and nothing of it changes any more', async () => {
  const before = (await operator.ask('GET', path)).body;
  const url = `${path}?reason=Nobody%20trades%20it.`;
  const headers = { 'Idempotency-Key': 'delist-1' };
  const delisted = { ...before, status: 'delisted' };
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await operator.ask('DELETE', url, undefined, { headers });
    expect({ status, body }).toEqual({ status: 200, body: delisted });
  }
  expect((await operator.ask('GET', path)).body).toEqual(delisted);
  expect((await operator.ask('GET', '/v1/pairs')).body.items).toEqual([delisted]);
  const digest = operator.exchange.engine.state.books[0]!.rules;
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PATCH', { status: 'online' }],
    ['PATCH', { status: 'delisted' }],
    ['PUT', bitcoinPair],
    ['PUT', { ...bitcoinPair, priceDecimals: 1 }],
  ] as const) {
    const [status, code] = told(await operator.ask(method, path, body));
    expect([status, code]).toEqual(
      body !== undefined && 'status' in body && body.status === 'delisted'
        ? [400, 'invalidMember']
        : [409, 'pairDelisted'],
    );
  }
  expect(operator.exchange.engine.state.books[0]!.rules).toEqual(digest);
});

test('DEC-OPR-169: the act of delisting tells the pair, its states and the reason', async () => {
  const { items } = (await operator.ask('GET', '/v1/acts?command=delistSymbol')).body;
  const done = items.find((each: { refusal: unknown }) => each.refusal === null);
  expect(done).toMatchObject({ target: { type: 'pair', id: 'BTCUSDT' }, reason: 'Nobody trades it.' });
});

test('DEC-OPR-170: history of a delisted pair does not mix with that of a new pair of the same assets', async () => {
  const ordersOf = async (pair: string) =>
    (await operator.ask('GET', `/v1/accounts/${operator.alice.uid}/orders?state=closed&pair=${pair}`)).body.items;
  expect(await ordersOf('BTCUSDT')).toHaveLength(2);
  const { status } = await operator.ask('PUT', '/v1/pairs/BTCUSDT2', { ...bitcoinPair, priceDecimals: 1 });
  expect([status, await ordersOf('BTCUSDT2'), (await ordersOf('BTCUSDT')).length]).toEqual([200, [], 2]);
});
