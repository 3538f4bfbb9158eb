import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as, type TimestampMs } from '#model/units.ts';
import { expectCode, expectShape } from './answer-shape.ts';
import { type BrokerHarness, type Customer, startBrokerHarness } from './broker-harness.ts';
import { keys } from './gateway-harness.ts';

const day = 86_400_000;
let desk: BrokerHarness;
let carl: Customer;
let dora: Customer;
beforeAll(async () => {
  desk = await startBrokerHarness();
  carl = await desk.open('customerCarl');
  dora = await desk.open('customerDora');
});
afterAll(() => desk.close());

const path = 'sub-account/universalTransfer';
const spot = { fromAccountType: 'SPOT', toAccountType: 'SPOT', asset: 'USDT', amount: '10' } as const;
const history = async (parameters: Record<string, string> = {}) =>
  (await desk.get(path, { fromAccountType: 'SPOT', toAccountType: 'SPOT', ...parameters })).body;

describe('POST sub-account/universalTransfer', () => {
  test('SPEC-BRK-09: money moves from the broker, to it, and among its sub-accounts', async () => {
    const [own] = await desk.balance('USDT');
    const given = await desk.post(path, { ...spot, toAccount: carl.name, amount: '30' });
    expectShape('brokerTransfer', given);
    expect(given.body.tranId).toMatch(/^[0-9a-f]{32}$/);
    await desk.post(path, { ...spot, fromAccount: carl.name, toAccount: dora.name, amount: '20' });
    await desk.post(path, { ...spot, fromAccount: dora.name, amount: '5' });
    expect(await desk.balance('USDT', { by: carl })).toEqual(['10', '0']);
    expect(await desk.balance('USDT', { by: dora })).toEqual(['15', '0']);
    expect(await desk.balance('USDT')).toEqual([String(Number(own) - 25), '0']);
    const rows = await history();
    const reply = await desk.get(path, { fromAccountType: 'SPOT', toAccountType: 'SPOT' });
    expectShape('brokerTransfers', reply);
    const names = rows.map((row: Record<string, string>) => [row['fromAccount'], row['toAccount'], row['amount']]);
    expect(names).toEqual([
      [dora.name, '3003', '5'],
      [carl.name, dora.name, '20'],
      ['3003', carl.name, '30'],
    ]);
    expect(rows[2]).toEqual({
      tranId: given.body.tranId,
      fromAccount: '3003',
      toAccount: carl.name,
      clientTranId: null,
      asset: 'USDT',
      amount: '30',
      fromAccountType: 'SPOT',
      toAccountType: 'SPOT',
      fromSymbol: null,
      toSymbol: null,
      status: 'SUCCESS',
      timestamp: desk.gate.exchange.clock.time,
    });
  });

  test('DEC-SUB-54, DEC-REQ-27: the same clientTranId moves money once', async () => {
    const terms = { ...spot, toAccount: dora.name, amount: '1', clientTranId: 'a1'.repeat(16) };
    const [before] = await desk.balance('USDT', { by: dora });
    const first = await desk.post(path, terms);
    expect((await desk.post(path, terms)).body).toEqual(first.body);
    expect((await desk.balance('USDT', { by: dora }))[0]).toBe(String(Number(before) + 1));
    const other = await desk.post(path, { ...terms, amount: '2' });
    expectCode(other, 33333);
    expect(other.body.msg).toContain("'clientTranId'");
    expect((await history({ toAccount: dora.name }))[0]).toMatchObject({ clientTranId: terms.clientTranId });
  });

  test('DEC-SUB-17: a futures wallet takes money once futures are enabled: before, 10099', async () => {
    await desk.fund(carl, 'USDT', '10');
    const inside = { ...spot, fromAccount: carl.name, toAccount: carl.name, toAccountType: 'FUTURES', amount: '4' };
    expectCode(await desk.post(path, inside), 10099);
    expectCode(await desk.post(path, { ...inside, fromAccount: undefined }), 10099);
    await desk.post('sub-account/futures', { subAccount: carl.name });
    expect((await desk.post(path, inside)).status).toBe(200);
    const back = { ...inside, fromAccountType: 'FUTURES', toAccountType: 'SPOT' };
    expectCode(await desk.post(path, { ...back, amount: '4.000000001' }), 10101);
    expect((await desk.post(path, back)).status).toBe(200);
    expect((await history({ fromAccountType: 'FUTURES' })).length).toBe(1);
  });

  test.each([
    ['an unknown sub-account that gives', { fromAccount: 'nobody0001' }, 140001],
    ["another master's sub-account", { toAccount: 'subAccountA1' }, 140001],
    ["another account's uid", { toAccount: '1001' }, 140001],
    ['no kind of wallet', { toAccountType: undefined, toAccount: 'customerCarl' }, 44444],
    ['an unknown kind of wallet', { toAccountType: 'MARGIN', toAccount: 'customerCarl' }, 33333],
    ['no asset', { asset: '', toAccount: 'customerCarl' }, 10222],
    ['an unknown asset', { asset: 'NOSUCH', toAccount: 'customerCarl' }, 10232],
    ['no amount', { amount: '', toAccount: 'customerCarl' }, 10095],
    ['nothing', { amount: '0', toAccount: 'customerCarl' }, 10102],
    ['too many decimals', { amount: '0.0000000001', toAccount: 'customerCarl' }, 10096],
    ['more than there is', { amount: '2000000', toAccount: 'customerCarl' }, 10101],
    ['DEC-SUB-11: a wallet to itself', {}, 10103],
    ['DEC-SUB-11: a sub-account to itself', { fromAccount: 'customerCarl', toAccount: 'customerCarl' }, 10103],
    ['an asset that does not go to futures', { asset: 'BTC', toAccountType: 'FUTURES' }, 10100],
    ['DEC-SUB-11: a clientTranId of 31', { toAccount: 'customerCarl', clientTranId: 'a'.repeat(31) }, 33333],
    ['DEC-SUB-11: a clientTranId with a sign', { toAccount: 'customerCarl', clientTranId: '-'.repeat(32) }, 33333],
  ])('%s is refused', async (_title, change, code) => {
    const before = desk.gate.digest();
    expectCode(await desk.post(path, { ...spot, ...change }), code);
    expect(desk.gate.digest()).toBe(before);
  });

  test('a frozen sub-account neither gives nor gets: 140002', async () => {
    const cold = await desk.open('customerCold');
    await desk.fund(cold, 'USDT', '10');
    await desk.wallet.run({ kind: 'setAccountStatus', account: cold.account, status: 'frozen' });
    expectCode(await desk.post(path, { ...spot, fromAccount: cold.name }), 140002);
    expectCode(await desk.post(path, { ...spot, toAccount: cold.name }), 140002);
    expect((await history({ toAccount: cold.name })).length).toBe(1);
  });

  test('the last unit of a sub-account moves once, also at the same moment', async () => {
    const poor = await desk.open('customerPoor');
    await desk.fund(poor, 'USDT', '0.000000001');
    const all = { ...spot, fromAccount: poor.name, amount: '0.000000001' };
    const replies = await Promise.all([1, 2, 3, 4].map(() => desk.post(path, all)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    expect(await desk.balance('USDT', { by: poor })).toEqual(['0', '0']);
    expect(desk.gate.exchange.faults()).toEqual([]);
  });
});

describe('GET sub-account/universalTransfer', () => {
  test('SPEC-BRK-09, DEC-SUB-02: a bare array by sides, times and pages', async () => {
    const eve = await desk.open('customerEvee');
    const { clock } = desk.gate.exchange;
    const start = clock.time;
    for (let each = 1; each <= 3; each += 1) {
      clock.time = start + each;
      await desk.fund(eve, 'USDT', `${each}`);
    }
    const amounts = async (parameters: Record<string, string>) =>
      (await history({ toAccount: eve.name, ...parameters })).map(({ amount }: { amount: string }) => amount);
    expect(await amounts({})).toEqual(['3', '2', '1']);
    expect(await amounts({ limit: '2', page: '2' })).toEqual(['1']);
    expect(await amounts({ startTime: `${start + 2}`, endTime: `${start + 2}` })).toEqual(['2']);
    expect(await amounts({ fromAccount: '3003' })).toEqual(['3', '2', '1']);
    expect(await amounts({ fromAccount: carl.name })).toEqual([]);
    expectCode(await desk.get(path, { toAccountType: 'SPOT' }), 44444);
    expectCode(await desk.get(path, { fromAccountType: 'SPOT', toAccountType: 'SPOT', limit: '501' }), 33333);
    expectCode(
      await desk.get(path, { fromAccountType: 'SPOT', toAccountType: 'SPOT', fromAccount: 'nobody0001' }),
      140001,
    );
    clock.time = start + 7 * day + 4;
    expect(await amounts({})).toEqual([]);
    expect(await amounts({ startTime: '0' })).toEqual(['3', '2', '1']);
  });
});

describe('GET rebate/taxQuery', () => {
  /** A customer buys a tenth of a bitcoin from alice, as taker, for 3000 USDT and a fee of 0.00005 BTC. */
  async function buy(by: Customer): Promise<void> {
    const terms = { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '0.1', price: '30000' };
    await desk.gate.signed('POST', '/api/v3/order', { ...terms, side: 'SELL' }, { key: keys.alice });
    const { key, secret } = by;
    const { status } = await desk.gate.signed('POST', '/api/v3/order', { ...terms, side: 'BUY' }, { key, secret });
    expect(status).toBe(200);
  }

  test('SPEC-BRK-11, DEC-SUB-58: what the broker earned by day, customer and asset, the newest day first', async () => {
    const { clock } = desk.gate.exchange;
    const taxes = (parameters: Record<string, string> = {}) => desk.get('rebate/taxQuery', parameters);
    expect((await taxes()).body).toEqual({ page: 1, totalRecords: 0, totalPageNum: 0, data: [] });
    // 1 March 2024, an hour before midnight UTC.
    clock.time = Date.UTC(2024, 2, 1, 23);
    for (const by of [carl, dora]) await desk.fund(by, 'USDT', '10000');
    await buy(carl);
    await buy(carl);
    clock.time += 2 * 3_600_000;
    await buy(dora);
    const reply = await taxes();
    expectShape('brokerRebates', reply);
    // A fifth of each commission of 0.00005 BTC.
    const second = { asset: 'BTC', amount: '0.00001', type: 'spot', uid: dora.uid, time: '20240302' };
    const first = { asset: 'BTC', amount: '0.00002', type: 'spot', uid: carl.uid, time: '20240301' };
    expect(reply.body).toEqual({ page: 1, totalRecords: 2, totalPageNum: 1, data: [second, first] });
    const numbers = { totalRecords: 2, totalPageNum: 2 };
    expect((await taxes({ pageSize: '1' })).body).toEqual({ ...numbers, page: 1, data: [second] });
    expect((await taxes({ pageSize: '1', page: '2' })).body).toEqual({ ...numbers, page: 2, data: [first] });
    const within = async (from: number, to: number) =>
      (await taxes({ startTime: String(from), endTime: String(to) })).body.data;
    const noon = Date.UTC(2024, 2, 1, 12);
    expect(await within(noon, noon)).toEqual([first]);
    expect(await within(noon + day, noon + 2 * day)).toEqual([second]);
    expect(await within(noon - 2 * day, noon - day)).toEqual([]);
    clock.time = Date.UTC(2025, 2, 1, 23, 30);
    expect((await taxes()).body.data).toEqual([second, first]);
    clock.time += 2 * day;
    expect((await taxes()).body.data).toEqual([]);
    expect((await taxes({ startTime: '0' })).body.data).toEqual([second, first]);
  });

  test('DEC-SUB-58: what was rejected is left out, what accrued after it counts', async () => {
    const { clock } = desk.gate.exchange;
    clock.time = Date.UTC(2025, 5, 1, 12);
    const amounts = async () =>
      (await desk.get('rebate/taxQuery', { startTime: String(Date.UTC(2025, 5, 1)) })).body.data.map(
        (row: Record<string, string>) => [row['uid'], row['amount']],
      );
    const reject = (source: Customer | null) => {
      const day = as<TimestampMs>(Date.UTC(2025, 5, 1));
      const beneficiary = desk.gate.accounts.broker;
      return desk.wallet.run({ kind: 'rejectRebates', beneficiary, day, source: source?.account ?? null });
    };
    for (const by of [carl, dora]) {
      await desk.fund(by, 'USDT', '20000');
      await buy(by);
    }
    expect(await amounts()).toEqual([
      [dora.uid, '0.00001'],
      [carl.uid, '0.00001'],
    ]);
    await reject(carl);
    await buy(carl);
    expect(await amounts()).toEqual([
      [dora.uid, '0.00001'],
      [carl.uid, '0.00001'],
    ]);
    clock.time += 1000;
    await buy(carl);
    await reject(null);
    clock.time += 1000;
    await buy(dora);
    expect(await amounts()).toEqual([
      [dora.uid, '0.00001'],
      [carl.uid, '0'],
    ]);
  });

  test.each([
    ['pageSize', '0'],
    ['pageSize', '1001'],
    ['page', '0'],
    ['startTime', 'yesterday'],
  ])('%s %s is refused', async (name, value) => {
    expectCode(await desk.get('rebate/taxQuery', { [name]: value }), 33333);
  });
});
