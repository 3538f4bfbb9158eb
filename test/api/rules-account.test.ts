import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectCode } from './answer-shape.ts';
import { keys } from './gateway-harness.ts';
import { buy, sell, startTradingHarness, symbol, type Terms, type TradingHarness } from './trading-harness.ts';

/* Account, fees and what an account may look back on; numbers are computed here from the rules. */

let harness: TradingHarness;
let gate: TradingHarness['gate'];
const place: TradingHarness['place'] = (terms, key) => harness.place(terms, key);
const placed: TradingHarness['placed'] = (terms, key) => harness.placed(terms, key);
const balances: TradingHarness['balances'] = (key) => harness.balances(key);
const read = async (path: string, terms: Terms = {}, key: string = keys.alice) =>
  (await gate.signed('GET', `/api/v3/${path}`, terms, { key })).body;

beforeAll(async () => {
  harness = await startTradingHarness();
  ({ gate } = harness);
});
afterAll(() => gate.close());
beforeEach(() => harness.emptyBook());

describe('fees', () => {
  const lastTrade = async (key: string) =>
    (await gate.signed('GET', '/api/v3/myTrades', { symbol, limit: '1' }, { key })).body[0];

  test('DEC-ORD-15: in the asset received, rounded up at its scale, each side at its own rate', async () => {
    await harness.configure({ makerFeePpm: 200 });
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

  test('DEC-ORD-16, DEC-WAL-146, DEC-WEB-18: in the platform token at 20 % off with a price and enough of it, else as received', async () => {
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
    const told = async () => (await read('svcDeduct/enable', {}, keys.alice)).data.token;
    // No price of the token yet.
    expect(await told()).toEqual({ asset: 'SVC', precision: 8, discount: 0.2, valuedIn: 'USDT', price: null });
    expect(await trade()).toMatchObject({ commission: '0.0005', commissionAsset: 'BTC' });
    const token = { symbol: 'SVCUSDT', type: 'LIMIT', quantity: '1', price: '3.2' };
    expect((await place({ ...token, side: 'SELL' }, keys.broker)).status).toBe(200);
    expect((await place({ ...token, side: 'BUY' }, keys.broker)).status).toBe(200);
    // One trade makes no price that counts: an operator sets one, and the lower of both counts.
    expect(await trade()).toMatchObject({ commission: '0.0005', commissionAsset: 'BTC' });
    await gate.exchange.submit({
      kind: 'setReferencePrice',
      asset: 2 as never,
      digits: 4n as never,
      decimals: 0,
      validMs: 86_400_000,
      reason: 'test',
    });
    expect(await told()).toMatchObject({ price: '3.2' });
    // 0.0005 BTC × 100 × 0.8 / 3.2 = 0.0125 of the token; there are 0.02.
    expect(await trade()).toMatchObject({ commission: '0.0125', commissionAsset: 'SVC' });
    expect((await balances())['SVC']).toEqual(['0.0075', '0']);
    expect(await trade()).toMatchObject({ commission: '0.0005', commissionAsset: 'BTC' });
    expect((await balances())['SVC']).toEqual(['0.0075', '0']);
    await gate.signed('POST', '/api/v3/svcDeduct/enable', { svcDeductEnable: 'false' });
  });
});

test('SPEC-ACC-01: each level of identification has its number, as text', async () => {
  for (const kycLevel of [1, 2, 3, 4]) {
    const account = (gate.accounts.broker + kycLevel) as never;
    const uid = (7000 + kycLevel) as never;
    const rest = { master: null, class: 'user', simulated: false } as const;
    await gate.exchange.submit({ kind: 'openAccount', uid, name: `level${kycLevel}xx`, kycLevel, ...rest });
    const key = `mx0level${kycLevel}AAAAAAAAA`;
    await gate.addKey(account, key, ['SPOT_ACCOUNT_READ']);
    expect(await read('kyc/status', {}, key)).toEqual({ status: String(kycLevel) });
    expect(await read('uid', {}, key)).toEqual({ uid: String(uid) });
    expect((await read('account', {}, key)).balances).toEqual([]);
  }
});

test('SPEC-ACC-04: an account has every specified member; free and locked are what is owned', async () => {
  const before = await read('account', {}, keys.sub);
  expect(Object.keys(before).sort()).toEqual(
    [
      ...['canTrade', 'canWithdraw', 'canDeposit', 'updateTime', 'accountType', 'permissions', 'balances'],
      ...['makerCommission', 'takerCommission', 'buyerCommission', 'sellerCommission'],
    ].sort(),
  );
  const { free } = before.balances.find(({ asset }: { asset: string }) => asset === 'BTC');
  await placed({ ...sell, price: '110.5', quantity: '0.000007' }, keys.sub);
  const after = await read('account', {}, keys.sub);
  expect(after.balances.find(({ asset }: { asset: string }) => asset === 'BTC')).toEqual({
    asset: 'BTC',
    free: (Number(free) - 0.000007).toFixed(6),
    locked: '0.000007',
    available: (Number(free) - 0.000007).toFixed(6),
  });
});

test('SPEC-ACC-06: the switch is of one account; anything but true and false is refused', async () => {
  const path = '/api/v3/svcDeduct/enable';
  const { body } = await gate.signed('POST', path, { svcDeductEnable: 'true' }, { key: keys.bob });
  expect(body).toEqual({
    data: { svcDeductEnable: true },
    code: 0,
    msg: expect.any(String),
    timestamp: gate.exchange.clock.time,
  });
  expect((await read('svcDeduct/enable', {}, keys.bob)).data.svcDeductEnable).toBe(true);
  expect((await read('svcDeduct/enable', {}, keys.alice)).data.svcDeductEnable).toBe(false);
  for (const svcDeductEnable of ['1', 'TRUE', 'on']) {
    expectCode(await gate.signed('POST', path, { svcDeductEnable }, { key: keys.bob }), 33333);
  }
  expect((await read('svcDeduct/enable', {}, keys.bob)).data.svcDeductEnable).toBe(true);
});

test('SPEC-ACC-08: what tradeFee tells is what the next trade costs', async () => {
  await harness.configure({ makerFeePpm: 1000, takerFeePpm: 2500 });
  const told = (await read('tradeFee', { symbol })).data;
  expect(told).toEqual({ makerCommission: 0.001, takerCommission: 0.0025 });
  await placed({ ...sell, quantity: '0.8' }, keys.bob);
  await placed({ ...buy, quantity: '0.8' });
  const commission = async (key: string) => (await read('myTrades', { symbol, limit: '1' }, key))[0].commission;
  expect(await commission(keys.alice)).toBe('0.002');
  expect(await commission(keys.bob)).toBe('0.08');
});

describe('allOrders', () => {
  const hour = 3_600_000;
  const day = 24 * hour;
  const quantities = async (terms: Terms = {}, key: string = keys.sub): Promise<string[]> =>
    (await read('allOrders', { symbol, ...terms }, key)).map(({ origQty }: { origQty: string }) => origQty);

  test('SPEC-ORD-16: 24 hours unless asked, 7 days at most, both ends of a window included', async () => {
    gate.exchange.clock.time += 30 * day;
    const start = gate.exchange.clock.time;
    await placed({ ...sell, quantity: '0.1' }, keys.sub);
    gate.exchange.clock.time = start + 1;
    const second = await placed({ ...sell, quantity: '0.2' }, keys.sub);
    await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: second.orderId }, { key: keys.sub });
    gate.exchange.clock.time = start + day;
    expect(await quantities()).toEqual(['0.1', '0.2']);
    expect(await quantities({ endTime: String(start) })).toEqual(['0.1']);
    expect(await quantities({ startTime: String(start + 1) })).toEqual(['0.2']);
    expect(await quantities({ startTime: String(start), endTime: String(start) })).toEqual(['0.1']);
    expect(await quantities({ startTime: String(start + 2) })).toEqual([]);
    gate.exchange.clock.time = start + day + 1;
    expect(await quantities()).toEqual(['0.2']);
    gate.exchange.clock.time = start + 7 * day;
    expect(await quantities({ startTime: '0' })).toEqual(['0.1', '0.2']);
    gate.exchange.clock.time = start + 7 * day + 1;
    expect(await quantities({ startTime: '0' })).toEqual(['0.2']);
    expect(await quantities({ startTime: String(start), endTime: String(start) })).toEqual([]);
  });

  test('SPEC-ORD-15, DEC-ORD-27: 500 rows unless asked, 1000 at most, open and closed by age', async () => {
    gate.exchange.clock.time += 30 * day;
    const start = gate.exchange.clock.time;
    for (let lots = 1; lots <= 1001; lots += 1) {
      gate.exchange.clock.time += 1;
      const kind = lots % 100 === 0 ? 'limit' : 'immediateOrCancel';
      const terms = { side: 'buy', kind, price: 9000 as never, quantity: lots as never } as const;
      await gate.exchange.place(gate.accounts.sub, terms);
    }
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => ((from + index) / 1e6).toFixed(6).replace(/0+$/, ''));
    expect(await quantities()).toEqual(rows(502, 1001));
    expect(await quantities({ limit: '1000' })).toEqual(rows(2, 1001));
    expect(await quantities({ startTime: String(start) })).toEqual(rows(1, 500));
    expect(await quantities({ startTime: String(start + 99), limit: '3' })).toEqual(rows(99, 101));
    expect(await quantities({ endTime: String(start + 101), limit: '3' })).toEqual(rows(99, 101));
  });
});

describe('myTrades', () => {
  const day = 86_400_000;
  const trades = (terms: Terms = {}, key: string = keys.alice) => read('myTrades', { symbol, ...terms }, key);

  test('SPEC-ORD-17, DEC-ORD-22: a taker’s fills are numbered from 1; the other side has the same ids', async () => {
    gate.exchange.clock.time += 31 * day;
    await harness.emptyBook();
    const makers = [
      await placed({ ...sell, price: '100.1', quantity: '0.1' }, keys.bob),
      await placed({ ...sell, price: '100.1', quantity: '0.2', newClientOrderId: 'second' }, keys.bob),
      await placed({ ...sell, price: '100.2', quantity: '0.3' }, keys.sub),
    ];
    gate.exchange.clock.time += 250;
    const taker = await placed({ ...buy, price: '101', quantity: '0.5', newClientOrderId: 'sweep' });
    const mine = await trades();
    const number = taker.orderId.replace('C02__', '');
    expect(mine.map(({ id, price, qty, quoteQty }: Terms) => [id, price, qty, quoteQty])).toEqual([
      [`${number}X1`, '100.1', '0.1', '10.01'],
      [`${number}X2`, '100.1', '0.2', '20.02'],
      [`${number}X3`, '100.2', '0.2', '20.04'],
    ]);
    for (const trade of mine) {
      expect(trade).toMatchObject({ orderId: taker.orderId, clientOrderId: 'sweep', isBuyer: true, isMaker: false });
      expect(trade).toMatchObject({ isSelfTrade: false, isBestMatch: true, time: gate.exchange.clock.time });
    }
    const others = [...(await trades({}, keys.bob)), ...(await trades({}, keys.sub))];
    expect(others.map(({ id, orderId, clientOrderId }: Terms) => [id, orderId, clientOrderId])).toEqual([
      [`${number}X1`, makers[0].orderId, null],
      [`${number}X2`, makers[1].orderId, 'second'],
      [`${number}X3`, makers[2].orderId, null],
    ]);
    expect(await trades({ orderId: makers[1].orderId }, keys.bob)).toEqual([others[1]]);
    expect(await trades({ orderId: makers[1].orderId })).toEqual([]);
  });

  test('DEC-ORD-48, SPEC-ORD-18: a month back and no further, both ends of a window included', async () => {
    gate.exchange.clock.time += 31 * day;
    await harness.emptyBook();
    await placed(sell, keys.bob);
    const at = gate.exchange.clock.time;
    await placed({ ...buy, quantity: '0.25' });
    gate.exchange.clock.time = at + 30 * day;
    expect(await trades()).toMatchObject([{ qty: '0.25', time: at }]);
    expect(await trades({ startTime: '0' })).toHaveLength(1);
    expect(await trades({ startTime: String(at), endTime: String(at) })).toHaveLength(1);
    expect(await trades({ startTime: String(at + 1) })).toEqual([]);
    expect(await trades({ endTime: String(at - 1) })).toEqual([]);
    gate.exchange.clock.time = at + 30 * day + 1;
    expect(await trades()).toEqual([]);
    expect(await trades({ startTime: String(at), endTime: String(at) })).toEqual([]);
  });

  test('SPEC-ORD-17: 100 rows unless asked and at most', async () => {
    gate.exchange.clock.time += 31 * day;
    await harness.emptyBook();
    await placed({ ...sell, quantity: '10' }, keys.bob);
    const start = gate.exchange.clock.time;
    for (let lots = 1; lots <= 103; lots += 1) {
      gate.exchange.clock.time += 1;
      const terms = { side: 'buy', kind: 'limit', price: 10_000 as never, quantity: (1000 + lots) as never } as const;
      await gate.exchange.place(gate.accounts.alice, terms);
    }
    const last = (rows: readonly { qty: string }[]) => [rows.length, rows[0]?.qty, rows.at(-1)?.qty];
    expect(last(await trades())).toEqual([100, '0.001004', '0.001103']);
    expect(last(await trades({ limit: '100', startTime: String(start) }))).toEqual([100, '0.001001', '0.0011']);
    expect(last(await trades({ limit: '2' }))).toEqual([2, '0.001102', '0.001103']);
    expectCode(await gate.signed('GET', '/api/v3/myTrades', { symbol, limit: '101' }), 33333);
    expect(await trades({}, keys.sub)).toEqual([]);
  });
});

test('DEC-ORD-45, SPEC-ORD-13, DEC-ORD-24, DEC-MKT-09: an order has every specified member; lists alone lack Qty', async () => {
  const { time: created } = await placed({ ...sell, price: '100.10', quantity: '0.50', newClientOrderId: 'whole' });
  gate.exchange.clock.time += 40;
  await placed({ ...buy, price: '100.1', quantity: '0.200000' }, keys.bob);
  const { body: open } = await gate.signed('GET', '/api/v3/openOrders');
  const [listed] = open;
  expect(open).toEqual([
    {
      symbol,
      orderId: expect.stringMatching(/^C02__100\d{15}$/),
      orderListId: -1,
      clientOrderId: 'whole',
      origClientOrderId: 'whole',
      price: '100.1',
      origQty: '0.5',
      executedQty: '0.2',
      cummulativeQuoteQty: '20.02',
      status: 'PARTIALLY_FILLED',
      timeInForce: 'GTC',
      type: 'LIMIT',
      side: 'SELL',
      stopPrice: null,
      icebergQty: null,
      time: created,
      updateTime: created + 40,
      isWorking: true,
      stpMode: '',
      cancelReason: null,
      origQuoteOrderQty: '50.05',
    },
  ]);
  expect(await read('order', { symbol, orderId: listed.orderId })).toEqual({ ...listed, Qty: '0.5' });
  expect((await read('allOrders', { symbol })).at(-1)).toEqual(listed);
  gate.exchange.clock.time += 3;
  await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: listed.orderId });
  const closed = { status: 'PARTIALLY_CANCELED', isWorking: false, updateTime: created + 43 };
  expect((await read('allOrders', { symbol })).at(-1)).toEqual({ ...listed, ...closed });
});

test('SPEC-ORD-12: an order is answered by either id long after its end, and never to another account', async () => {
  const mine = await placed({ ...sell, newClientOrderId: 'long-ago' });
  await gate.signed('DELETE', '/api/v3/order', { symbol, orderId: mine.orderId });
  gate.exchange.clock.time += 86_400_000 * 8;
  await gate.exchange.submit({ kind: 'advanceClock' });
  const byId = await read('order', { symbol, orderId: mine.orderId });
  expect(byId).toMatchObject({ status: 'CANCELED', time: mine.time, updateTime: mine.time });
  expect(await read('order', { symbol, origClientOrderId: 'long-ago' })).toEqual(byId);
  expect((await read('order', { symbol, orderId: mine.orderId }, keys.bob)).code).toBe(-2011);
  expect((await read('order', { symbol, origClientOrderId: 'long-ago' }, keys.bob)).code).toBe(-2011);
});
