import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bitcoinBody } from './bitcoin-contract.ts';
import { type OperatorReply, startTestOperator, type TestOperator } from './operator-harness.ts';

let operator: TestOperator;
let account: string;
beforeAll(async () => {
  operator = await startTestOperator();
  account = `/v1/accounts/${operator.alice.uid}`;
});
afterAll(() => operator.close());

/** Status and code of a refusal, and the parts of the request that it names. */
const told = ({ status, body }: OperatorReply) => ({
  status,
  code: body.code,
  at: (body.errors ?? []).map((each: { pointer?: string; parameter?: string }) => each.pointer ?? each.parameter),
});
const invalid = (...at: readonly string[]) => ({ status: 400, code: 'invalidMember', at });
const unknownContract = { status: 404, code: 'unknownContract', at: [] };

const terms = {
  ...bitcoinBody,
  tiers: [{ maxLots: 4_500_000, maintenancePpm: 4000, initialPpm: 5000, maxLeverage: 200 }],
};
const given = { source: 'DESK', price: '65000.5', weight: 100 };
const order = { side: 'buy', kind: 'limit', price: '65000.5', lots: 10 };

describe('DEC-FUT-45: what a contract is listed with', () => {
  const [tier] = terms.tiers;

  test.each([
    ['a base that is not listed', { base: 'DOGE' }, '/base'],
    ['a settle asset that is not listed', { settle: 'EUR' }, '/settle'],
    ['a size of nothing', { size: '0' }, '/size'],
    ['a size that is a number', { size: 0.0001 }, '/size'],
    ['a size beyond what is exact', { size: '99999999.999999999999' }, '/size'],
    ['prices finer than an index', { priceDecimals: 9 }, '/priceDecimals'],
    ['a negative fee', { takerFeePpm: -1 }, '/takerFeePpm'],
    ['no tiers', { tiers: [] }, '/tiers'],
    ['a tier without leverage', { tiers: [{ ...tier, maxLeverage: undefined }] }, '/tiers/0/maxLeverage'],
    ['a tier of half a contract', { tiers: [{ ...tier, maxLots: 0.5 }] }, '/tiers/0/maxLots'],
    ['a settle asset that is the base', { settle: 'BTC' }, '/settle'],
    ['a size that is worth part of a unit at one tick', { size: '0.00000000001' }, '/size'],
    ['a size that is worth too much at one tick', { size: '99999999' }, '/size'],
    ['a cycle that is no part of a day', { fundingHours: 7 }, '/fundingHours'],
    ['a smallest order above the greatest', { minLots: 9, maxLots: 8 }, '/minLots'],
    ['funding bounds that cross', { minFundingPpm: 2, maxFundingPpm: 1 }, '/minFundingPpm'],
    ['tiers that do not rise', { tiers: [tier, tier] }, '/tiers/1/maxLots'],
    ['a tier without maintenance', { tiers: [{ ...tier, maintenancePpm: 0 }] }, '/tiers/0/maintenancePpm'],
    ['a tier that opens below maintenance', { tiers: [{ ...tier, initialPpm: 3999 }] }, '/tiers/0/initialPpm'],
    [
      'DEC-FUT-106, a leverage that leaves less than its initial margin',
      { tiers: [{ ...tier, maxLeverage: 201 }] },
      '/tiers/0/maxLeverage',
    ],
    [
      'a tier of more leverage than the one before',
      { tiers: [tier, { ...tier, maxLots: 4_500_001, maxLeverage: 201 }] },
      '/tiers/1/maxLeverage',
    ],
    ['a state, which has an endpoint of its own', { state: 'enabled' }, '/state'],
  ])('cannot be %s', async (_, change, pointer) => {
    const before = operator.digest();
    const reply = await operator.ask('PUT', '/v1/contracts/BTC_USDT', { ...terms, ...change });
    expect(told(reply)).toEqual(invalid(pointer));
    expect(operator.digest()).toBe(before);
  });

  test('is under a name of two tickers', async () => {
    for (const name of ['BTCUSDT', 'btc_usdt', 'BTC_', 'BTC_USDT_1']) {
      const reply = await operator.ask('PUT', `/v1/contracts/${name}`, terms);
      expect([name, told(reply)]).toEqual([name, invalid('contract')]);
    }
  });
});

test('an exchange without contracts lists none', async () => {
  expect((await operator.ask('GET', '/v1/contracts')).body).toEqual({ items: [], nextCursor: null });
  expect((await operator.ask('GET', `${account}/positions`)).body).toEqual({ items: [] });
});

test.each([
  ['GET', '/v1/contracts/XRP_USDT', undefined],
  ['PUT', '/v1/contracts/XRP_USDT/state', { state: 'paused' }],
  ['PUT', '/v1/contracts/XRP_USDT/risk-tiers', { tiers: terms.tiers }],
  ['POST', '/v1/contracts/XRP_USDT/insurance-fund', { amount: '1' }],
  ['GET', '/v1/contracts/XRP_USDT/index', undefined],
  ['POST', '/v1/contracts/XRP_USDT/index/prices', given],
  ['DELETE', '/v1/contracts/XRP_USDT/index/prices/DESK', undefined],
  ['GET', '/v1/contracts/XRP_USDT/positions', undefined],
])('DEC-FUT-45: %s %s answers 404 for a contract that is not listed', async (method, path, body) => {
  const before = operator.digest();
  expect(told(await operator.ask(method, path, body))).toEqual(unknownContract);
  expect(operator.digest()).toBe(before);
});

describe('DEC-FUT-45: of an account', () => {
  const endpoints = [
    ['GET', 'margin', undefined],
    ['PUT', 'leverage', { mode: 'cross', leverage: 20 }],
    ['GET', 'orders', undefined],
    ['POST', 'orders', order],
    ['DELETE', 'orders/1', undefined],
  ] as const;

  test.each(endpoints)('%s %s needs a listed contract', async (method, path, body) => {
    const reply = await operator.ask(method, `${account}/contracts/XRP_USDT/${path}`, body);
    expect(told(reply)).toEqual(unknownContract);
  });

  test.each(endpoints)('%s %s needs an account, which the house is not', async (method, path, body) => {
    for (const uid of [99_999_999, 1]) {
      const reply = await operator.ask(method, `/v1/accounts/${uid}/contracts/XRP_USDT/${path}`, body);
      expect(told(reply)).toEqual({ status: 404, code: 'unknownAccount', at: [] });
    }
  });
});

describe('DEC-FUT-45: members at fault are named', () => {
  test.each([
    ['PUT', '/v1/contracts/BTC_USDT/state', { state: 'closed' }, '/state'],
    ['PUT', '/v1/contracts/BTC_USDT/risk-tiers', {}, '/tiers'],
    ['POST', '/v1/contracts/BTC_USDT/insurance-fund', { amount: '-1' }, '/amount'],
    ['POST', '/v1/contracts/BTC_USDT/index/prices', { ...given, source: 'SPOT' }, '/source'],
    ['POST', '/v1/contracts/BTC_USDT/index/prices', { ...given, source: 'desk' }, '/source'],
    ['POST', '/v1/contracts/BTC_USDT/index/prices', { ...given, weight: 0 }, '/weight'],
    ['POST', '/v1/contracts/BTC_USDT/index/prices', { ...given, price: 65_000 }, '/price'],
    ['POST', '/v1/contracts/BTC_USDT/index/prices', { ...given, liveSeconds: 3601 }, '/liveSeconds'],
  ])('%s %s', async (method, path, body, pointer) => {
    expect([body, told(await operator.ask(method, path, body))]).toEqual([body, invalid(pointer)]);
  });

  test.each([
    ['leverage', 'PUT', { mode: 'portfolio', leverage: 20 }, '/mode'],
    ['leverage', 'PUT', { mode: 'cross', leverage: 0 }, '/leverage'],
    ['leverage', 'PUT', { mode: 'cross', leverage: 2.5 }, '/leverage'],
    ['orders', 'POST', { ...order, side: 'long' }, '/side'],
    ['orders', 'POST', { ...order, kind: 'stop' }, '/kind'],
    ['orders', 'POST', { ...order, lots: 0 }, '/lots'],
    ['orders', 'POST', { ...order, lots: '10' }, '/lots'],
    ['orders', 'POST', { ...order, price: 65_000 }, '/price'],
    ['orders', 'POST', { ...order, clientOrderId: 'a b' }, '/clientOrderId'],
  ])('%s: %s %o', async (path, method, body, pointer) => {
    expect(told(await operator.ask(method, `${account}/contracts/BTC_USDT/${path}`, body))).toEqual(invalid(pointer));
  });

  test('an order number in a path is a whole number', async () => {
    const reply = await operator.ask('DELETE', `${account}/contracts/BTC_USDT/orders/x`);
    expect(told(reply)).toEqual(invalid('order'));
  });
});
