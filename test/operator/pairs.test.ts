import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineLimits } from '#model/limits.ts';
import type { OrderRequest } from '#model/order.ts';
import { as } from '#model/units.ts';
import { bitcoinPair } from './bitcoin-pair.ts';
import { startTestOperator, type OperatorReply, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.close());

const path = '/v1/pairs/BTCUSDT';
const listed = { pair: 'BTCUSDT', status: 'paused', openAt: null, ...bitcoinPair };

/** Status and code of a refusal, and the parts of the request that it names. */
const told = ({ status, body }: OperatorReply) => ({
  status,
  code: body.code,
  at: (body.errors ?? []).map((each: { pointer?: string; parameter?: string }) => each.pointer ?? each.parameter),
});

/** What an order of one smallest quantity is told. */
async function buy(price: number, count = 1): Promise<string> {
  const order: OrderRequest = {
    symbol: as(0),
    side: 'buy',
    kind: 'limit',
    price: as(price * 100),
    quantity: as(100),
    budget: null,
    clientOrderId: null,
    stpMode: 'none',
  };
  const orders = Array.from({ length: count }, () => order);
  const { events } = await operator.exchange.submit({ kind: 'placeOrders', account: operator.alice.account, orders });
  const [first] = events;
  return first?.kind === 'orderRefused' ? first.reason : (first?.kind ?? 'nothing');
}
const openCount = () => operator.exchange.engine.state.accounts.openCount(operator.alice.account);

test('DEC-OPR-160: an exchange without pairs lists none, and knows none', async () => {
  expect((await operator.ask('GET', '/v1/pairs')).body).toEqual({ items: [], nextCursor: null });
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { status: 'online' }],
  ] as const)
    expect(told(await operator.ask(method, path, body))).toEqual({ status: 404, code: 'unknownPair', at: [] });
});

describe('DEC-OPR-160: what a pair is listed with', () => {
  test.each([
    [{ base: 'DOGE' }, 400, '/base'],
    [{ quote: 'EUR' }, 400, '/quote'],
    [{ quote: 'BTC' }, 422, '/quote'],
    [{ priceDecimals: 6 }, 422, '/priceDecimals'],
    [{ quantityDecimals: 9 }, 422, '/quantityDecimals'],
    [{ priceDecimals: 13 }, 400, '/priceDecimals'],
    [{ minQuantity: '0.00001' }, 400, '/minQuantity'],
    [{ minQuantity: '0' }, 400, '/minQuantity'],
    [{ minAmount: '0.0000000001' }, 400, '/minAmount'],
    [{ minAmount: '4000001' }, 422, '/minAmount'],
    [{ minAmountMarket: '1000001' }, 422, '/minAmountMarket'],
    [{ maxAmount: '99999999' }, 400, '/maxAmount'],
    [{ orderKinds: [] }, 400, '/orderKinds'],
    [{ orderKinds: ['limit', 'limit'] }, 422, '/orderKinds'],
    [{ orderKinds: ['stop'] }, 400, '/orderKinds/0'],
    [{ makerFeePpm: 1_000_001 }, 400, '/makerFeePpm'],
    [{ fullName: '' }, 400, '/fullName'],
    [{ status: 'online' }, 400, '/status'],
    [{ collarPpm: undefined }, 400, '/collarPpm'],
  ])('%j is refused by name', async (change, status, pointer) => {
    const before = operator.digest();
    const { code: _code, ...reply } = told(await operator.ask('PUT', path, { ...bitcoinPair, ...change }));
    expect(reply).toEqual({ status, at: [pointer] });
    expect(operator.digest()).toBe(before);
  });

  test('a name of capital letters and digits', async () => {
    for (const name of ['btcusdt', 'BTC_USDT', 'X'])
      expect(told(await operator.ask('PUT', `/v1/pairs/${name}`, bitcoinPair)).at).toEqual(['pair']);
  });
});

test('DEC-OPR-160: a pair is listed as paused, shown, opened, traded, and its rules change', async () => {
  const { status, body } = await operator.ask('PUT', path, bitcoinPair);
  expect({ status, body }).toEqual({ status: 200, body: listed });
  expect((await operator.ask('GET', path)).body).toEqual(listed);
  expect((await operator.ask('GET', '/v1/pairs')).body.items).toEqual([listed]);
  expect(await buy(100)).toBe('tradingSuspended');
  expect((await operator.ask('PATCH', path, { status: 'online' })).body).toEqual({ ...listed, status: 'online' });
  expect(await buy(100)).toBe('orderAccepted');
  const changed = { minAmount: '10', takerFeePpm: 700, orderKinds: ['limit'] };
  expect((await operator.ask('PATCH', path, changed)).body).toMatchObject({ ...changed, maxAmount: '4000000' });
  expect(await buy(100)).toBe('belowMinimumAmount');
  expect((await operator.ask('PUT', path, bitcoinPair)).body).toEqual({ ...listed, status: 'online' });
  expect(openCount()).toBe(1);
});

test('DEC-OPR-160: assets and decimals of a listed pair never change, and no two pairs have the same assets', async () => {
  const before = operator.digest();
  for (const change of [{ priceDecimals: 1 }, { quantityDecimals: 3 }]) {
    const [member] = Object.keys(change);
    const reply = await operator.ask('PUT', path, { ...bitcoinPair, ...change });
    expect(told(reply)).toEqual({ status: 422, code: 'invalidConfiguration', at: [`/${member}`] });
    expect(reply.body.detail).toBe(`/${member} cannot change once the pair is listed.`);
    expect(told(await operator.ask('PATCH', path, change)).at).toEqual([`/${member}`]);
  }
  expect(told(await operator.ask('PUT', '/v1/pairs/XBTUSDT', bitcoinPair)).at).toEqual(['/quote']);
  expect(told(await operator.ask('PATCH', path, {})).status).toBe(400);
  expect(operator.digest()).toBe(before);
});

test('DEC-OPR-161: a pair goes offline with more orders than one entry cancels: none is left at the answer', async () => {
  const count = engineLimits.openOrdersPerAccount;
  for (let placed = openCount(); placed < count; placed = openCount())
    await buy(100, Math.min(engineLimits.ordersPerBatch, count - placed));
  expect((await operator.ask('PATCH', path, { status: 'offline' })).body.status).toBe('offline');
  expect(openCount()).toBe(0);
  expect(await buy(100)).toBe('tradingSuspended');
  expect((await operator.ask('GET', path)).body.status).toBe('offline');
});

test('DEC-OPR-162: an opening is scheduled for a pair that is not online, and forgotten when it opens', async () => {
  const openAt = 4_000_000_000_000;
  expect(told(await operator.ask('PATCH', path, { status: 'online', openAt })).at).toEqual(['/openAt']);
  expect((await operator.ask('PATCH', path, { status: 'paused', openAt })).body.openAt).toBe(openAt);
  expect(await buy(100)).toBe('tradingSuspended');
  expect((await operator.ask('PATCH', path, { status: 'online' })).body).toMatchObject({
    status: 'online',
    openAt: null,
  });
  expect(told(await operator.ask('PATCH', path, { openAt: -1 })).at).toEqual(['/openAt']);
});

test('DEC-OPR-160: pairs are read and written with scopes of their own', async () => {
  const make = async (scopes: readonly string[]) =>
    (await operator.ask('POST', '/v1/tokens', { actor: 'olga', scopes, validHours: 1 })).body.token as string;
  const [reader, stranger] = [await make(['pairs:read']), await make(['assets:write'])];
  const status = async (token: string, method: string, body?: unknown) =>
    (await operator.ask(method, path, body, { token })).status;
  expect(await status(reader, 'GET')).toBe(200);
  expect(await status(reader, 'PATCH', { status: 'paused' })).toBe(403);
  expect(await status(stranger, 'GET')).toBe(403);
});

describe('DEC-OPR-164: the platform token', () => {
  const terms = { asset: 'BTC', valuedIn: 'USDT', discountPpm: 250_000 };
  const url = '/v1/platform-token';

  test('is none at first, chosen, shown, and changed', async () => {
    expect(told(await operator.ask('GET', url))).toEqual({ status: 404, code: 'noPlatformToken', at: [] });
    expect((await operator.ask('PUT', url, terms)).body).toEqual(terms);
    expect((await operator.ask('GET', url)).body).toEqual(terms);
    const cheaper = { ...terms, discountPpm: 1_000_000 };
    expect((await operator.ask('PUT', url, cheaper)).body).toEqual(cheaper);
    expect(operator.exchange.engine.state.feeToken.value).toMatchObject({ discountPpm: 1_000_000 });
  });

  test.each([
    [{ asset: 'DOGE' }, '/asset'],
    [{ valuedIn: 'EUR' }, '/valuedIn'],
    [{ valuedIn: 'BTC' }, '/valuedIn'],
    [{ discountPpm: 1_000_001 }, '/discountPpm'],
    [{ discountPpm: -1 }, '/discountPpm'],
  ])('%j is refused by name', async (change, pointer) => {
    const before = operator.digest();
    const reply = await operator.ask('PUT', url, { ...terms, ...change });
    expect(told(reply)).toEqual({ status: 400, code: 'invalidMember', at: [pointer] });
    expect(operator.digest()).toBe(before);
  });
});
