import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys } from './gateway-harness.ts';
import { type AssetName, assets, startWalletHarness, units, type WalletHarness } from './wallet-harness.ts';

let wallet: WalletHarness;
beforeAll(async () => {
  wallet = await startWalletHarness();
});
afterAll(() => wallet.close());

const give = (account: keyof WalletHarness['gate']['accounts'], asset: AssetName, coins: number) =>
  wallet.run({
    kind: 'creditFunds',
    account: wallet.gate.accounts[account],
    asset: assets[asset],
    amount: units(asset, coins),
  });

test('SPEC-WAL-16, DEC-WAL-07, DEC-WAL-177: the list has what would be converted now, and nothing else', async () => {
  await give('alice', 'XRP', 2);
  const reply = await wallet.get('convert/list');
  expectShape('convertible', reply);
  // 2 XRP at 2 USDT are 4 USDT, which are 2 SVC at 2 USDT; the fee is 0.2 % of them.
  expect(reply.body).toContainEqual({
    convertSvc: '1.996',
    convertUsdt: '4',
    balance: '2',
    asset: 'XRP',
    code: null,
    message: null,
  });
  const listed = reply.body.map((entry: { asset: string }) => entry.asset);
  for (const other of ['USDT', 'BTC', 'SVC']) expect(listed).not.toContain(other);
});

describe('SPEC-WAL-17: POST convert', () => {
  test('DEC-WAL-35, DEC-WAL-79, F11: converts what it can, each asset once, and says why not the rest', async () => {
    await give('alice', 'DOG', 2);
    const reply = await wallet.post('convert', { asset: 'XRP, DOG,XRP,BTC,SVC,NOPE' });
    expectShape('convert', reply);
    expect(reply.body).toMatchObject({
      totalConvert: '2.495',
      convertFee: '0.005',
      successList: ['XRP', 'DOG'],
      failedList: [
        { asset: 'BTC', code: 10100, message: expect.stringContaining('it is worth too much') },
        { asset: 'SVC', code: 10100, message: expect.stringContaining('what dust becomes') },
        { asset: 'NOPE', code: 10232 },
      ],
    });
    expect(await wallet.balance('XRP')).toEqual(['0', '0']);
    expect(await wallet.balance('SVC')).toEqual(['2.495', '0']);
  });

  test('DEC-WAL-177: what is worth too much is told so', async () => {
    await give('broker', 'XRP', 100);
    const { body } = await wallet.post('convert', { asset: 'XRP' }, keys.broker);
    expect(body.failedList).toEqual([
      { asset: 'XRP', code: 10100, message: expect.stringContaining('it is worth too much to be dust') },
    ]);
    expect((await wallet.get('convert/list', {}, keys.broker)).body).toEqual([]);
  });

  test('DEC-WAL-35: what the fee leaves nothing of is 10097', async () => {
    await wallet.run({
      kind: 'creditFunds',
      account: wallet.gate.accounts.bob,
      asset: assets.DOG,
      amount: 1n as never,
    });
    const { body } = await wallet.post('convert', { asset: 'DOG' }, keys.bob);
    expect(body).toMatchObject({ totalConvert: '0.00000024', successList: ['DOG'] });
    const { body: none } = await wallet.post('convert', { asset: 'DOG' }, keys.bob);
    expect(none).toMatchObject({ totalConvert: '0', successList: [], failedList: [{ asset: 'DOG', code: 10097 }] });
  });

  test('F12: what an order holds is not converted', async () => {
    await give('bob', 'XRP', 2);
    const order = { symbol: 'XRPUSDT', side: 'SELL', type: 'LIMIT', quantity: '1', price: '3' };
    expect((await wallet.gate.signed('POST', '/api/v3/order', order, { key: keys.bob })).status).toBe(200);
    const { body } = await wallet.post('convert', { asset: 'XRP' }, keys.bob);
    expect(body).toMatchObject({ totalConvert: '0.998', successList: ['XRP'] });
    expect(await wallet.balance('XRP', keys.bob)).toEqual(['0', '1']);
  });

  test.each([
    ['no asset', {}, 10222],
    ['an empty name', { asset: 'XRP,,DOG' }, 33333],
    ['16 assets', { asset: Array.from({ length: 16 }, (_, index) => `A${index}`).join(',') }, 33333],
  ])('DEC-REQ-22: %s', async (_title, parameters, code) => {
    const reply = await wallet.post('convert', parameters);
    expectCode(reply, code);
    expect(reply.body.msg).toContain("'asset'");
  });

  test('DEC-WAL-07: an eleventh conversion within 24 hours is 26', async () => {
    for (let count = 0; count < 10; count += 1) {
      await give('sub', 'DOG', 1);
      expect((await wallet.post('convert', { asset: 'DOG' }, keys.sub)).body.successList).toEqual(['DOG']);
    }
    await give('sub', 'DOG', 1);
    expectCode(await wallet.post('convert', { asset: 'DOG' }, keys.sub), 26);
  });
});

test('SPEC-WAL-18, DEC-WAL-71, DEC-WAL-172: the log groups the assets of a conversion, one conversion a page unless asked', async () => {
  const list = async (parameters: Record<string, string> = {}, key: string = keys.alice) => {
    const reply = await wallet.get('convert', parameters, key);
    expectShape('conversions', reply);
    return reply.body;
  };
  const one = await list();
  expect(one).toMatchObject({ totalRecords: 1, page: 1, totalPageNum: 1 });
  expect(one.data).toHaveLength(1);
  expect(one.data[0]).toMatchObject({ totalConvert: '2.495', totalFee: '0.005' });
  expect(one.data[0].convertDetails).toMatchObject([
    { asset: 'XRP', amount: '2', convert: '1.996', fee: '0.004' },
    { asset: 'DOG', amount: '2', convert: '0.499', fee: '0.001' },
  ]);
  expect(new Set(one.data[0].convertDetails.map(({ id }: { id: string }) => id)).size).toBe(2);
  const many = await list({ limit: '4', page: '3' }, keys.sub);
  expect(many).toMatchObject({ totalRecords: 10, page: 3, totalPageNum: 3 });
  expect(many.data).toHaveLength(2);
  expect((await list({}, keys.sub)).data).toHaveLength(1);
  expect(await list({ endTime: '1000' })).toEqual({ data: [], totalRecords: 0, page: 1, totalPageNum: 0 });
  expectCode(await wallet.get('convert', { limit: '1001' }), 33333);
  expectCode(await wallet.get('convert', { page: '0' }), 33333);
});

test('DEC-WAL-07, DEC-WAL-177: after ten conversions within 24 hours nothing is listed, until the first is a day old', async () => {
  const asset = (coins: number) => give('broker', 'DOG', coins);
  const listed = async () =>
    (await wallet.get('convert/list', {}, keys.broker)).body.map((entry: { asset: string }) => entry.asset);
  const { broker } = wallet.gate.accounts;
  const sold = { toAccountType: 'UID', toAccount: '1001', asset: 'DOG' };
  const [free] = await wallet.balance('DOG', keys.broker);
  expect((await wallet.post('transfer/internal', { ...sold, amount: free }, keys.broker)).status).toBe(200);
  for (let made = 0; made < 10; made += 1) {
    await asset(2);
    expect(await listed()).toEqual(['DOG']);
    expect((await wallet.post('convert', { asset: 'DOG' }, keys.broker)).body.successList).toEqual(['DOG']);
  }
  await asset(2);
  expect(await listed()).toEqual([]);
  expectCode(await wallet.post('convert', { asset: 'DOG' }, keys.broker), 26);
  wallet.gate.exchange.clock.time += 86_400_000;
  await asset(1);
  expect(await listed()).toEqual(['DOG']);
  await wallet.run({ kind: 'setAccountStatus', account: broker, status: 'frozen' });
  expect(await listed()).toEqual([]);
  await wallet.run({ kind: 'setAccountStatus', account: broker, status: 'normal' });
});
