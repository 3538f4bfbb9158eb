import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys, testWalletIds } from './gateway-harness.ts';
import { assets, outside, startWalletHarness, units, type WalletHarness } from './wallet-harness.ts';

let wallet: WalletHarness;
beforeAll(async () => {
  wallet = await startWalletHarness();
  const { alice, bob } = wallet.gate.accounts;
  await wallet.run(
    { kind: 'setContact', account: alice, email: 'Alice@example.com', mobile: '44 7700900001' },
    { kind: 'setContact', account: bob, email: 'bob@example.com', mobile: '1 2025550123' },
  );
});
afterAll(() => wallet.close());

const day = 86_400_000;
const toFutures = { fromAccountType: 'SPOT', toAccountType: 'FUTURES', asset: 'USDT', amount: '10' } as const;
const toSpot = { ...toFutures, fromAccountType: 'FUTURES', toAccountType: 'SPOT' } as const;
const types = { fromAccountType: 'SPOT', toAccountType: 'FUTURES' } as const;

describe('transfers between spot and futures', () => {
  test('SPEC-WAL-13, SPEC-WAL-15, SPEC-WAL-26, DEC-WAL-31, DEC-WAL-70: money moves at once, there and back', async () => {
    const [free] = await wallet.balance('USDT');
    const reply = await wallet.post('transfer', { ...toFutures, clientTranId: 'mine-1' });
    expectShape('transfer', reply);
    const [{ tranId }] = reply.body;
    expect(tranId).toMatch(/^[0-9a-f]{32}$/);
    expect((await wallet.balance('USDT'))[0]).toBe(String(Number(free) - 10));
    const one = await wallet.get('transfer/tranId', { tranId });
    expectShape('transferById', one);
    const record = {
      tranId,
      clientTranId: 'mine-1',
      asset: 'USDT',
      amount: '10',
      fromAccountType: 'SPOT',
      toAccountType: 'FUTURES',
      symbol: null,
      status: 'SUCCESS',
      timestamp: wallet.gate.exchange.clock.time,
    };
    expect(one.body).toEqual(record);
    const list = await wallet.get('transfer', types);
    expectShape('transfers', list);
    expect(list.body).toEqual({ rows: [{ ...record, fromSymbol: null, toSymbol: null }], total: 1 });
    // FUTURE is the same wallet, and is told as FUTURES.
    expect((await wallet.get('transfer', { ...types, toAccountType: 'FUTURE' })).body).toEqual(list.body);
    expect((await wallet.post('transfer', { ...toSpot, fromAccountType: 'FUTURE' })).status).toBe(200);
    expect((await wallet.balance('USDT'))[0]).toBe(free);
  });

  test('DEC-REQ-27: the same clientTranId with the same terms moves nothing twice, with others it is 33333', async () => {
    const [free] = await wallet.balance('USDT');
    const first = await wallet.post('transfer', { ...toFutures, clientTranId: 'mine-2' });
    expect((await wallet.post('transfer', { ...toFutures, clientTranId: 'mine-2' })).body).toEqual(first.body);
    const other = await wallet.post('transfer', { ...toFutures, amount: '11', clientTranId: 'mine-2' });
    expectCode(other, 33333);
    expect(other.body.msg).toContain("'clientTranId'");
    expect((await wallet.balance('USDT'))[0]).toBe(String(Number(free) - 10));
    await wallet.post('transfer', toSpot);
  });

  test.each([
    ['SPOT to SPOT', { ...toFutures, toAccountType: 'SPOT' }, 10103, 'toAccountType'],
    ['FUTURES to FUTURES', { ...toFutures, fromAccountType: 'FUTURES' }, 10103, 'toAccountType'],
    ['an asset that is not transferable', { ...toFutures, asset: 'BTC', amount: '1' }, 10100, 'asset'],
    ['an unknown asset', { ...toFutures, asset: 'NOPE' }, 10232, 'asset'],
    ['more than is free', { ...toFutures, amount: '2000000' }, 10101, 'amount'],
    ['more than can exist', { ...toFutures, amount: '999999999999999999' }, 10101, 'amount'],
    ['more than the free margin', { ...toSpot, amount: '1' }, 10101, 'amount'],
    ['zero', { ...toFutures, amount: '0' }, 10102, 'amount'],
    ['a negative amount', { ...toFutures, amount: '-1' }, 10102, 'amount'],
    ['too many decimals', { ...toFutures, amount: '1.0000000001' }, 10096, 'amount'],
    ['no number', { ...toFutures, amount: 'ten' }, 33333, 'amount'],
    ['an unknown wallet', { ...toFutures, toAccountType: 'MARGIN' }, 33333, 'toAccountType'],
    ['no wallet', { asset: 'USDT', amount: '1', toAccountType: 'SPOT' }, 44444, 'fromAccountType'],
    ['no asset', { ...types, amount: '1' }, 10222, 'asset'],
    ['no amount', { ...types, asset: 'USDT' }, 10095, 'amount'],
    ['a malformed id', { ...toFutures, clientTranId: 'a b' }, 700008, 'clientTranId'],
  ] as const)('DEC-WAL-05, DEC-REQ-22, F08: %s', async (_title, parameters, code, parameter) => {
    const before = wallet.gate.digest();
    const reply = await wallet.post('transfer', parameters);
    expectCode(reply, code);
    expect(reply.body.msg).toContain(`'${parameter}'`);
    expect(wallet.gate.digest()).toBe(before);
  });

  test('D04: a transfer of somebody else is 22222 like one that never was', async () => {
    const { body } = await wallet.post('transfer', toFutures, keys.bob);
    for (const tranId of [body[0].tranId, testWalletIds.text('transfer', 12_345), testWalletIds.text('send', 1), 'x'])
      expectCode(await wallet.get('transfer/tranId', { tranId }), 22222);
    expectCode(await wallet.get('transfer/tranId'), 44444);
  });

  test('SPEC-WAL-14, DEC-WAL-32, DEC-WAL-71: pages of 10, newest first; 7 days unless asked, 183 days at most', async () => {
    const { clock } = wallet.gate.exchange;
    for (let amount = 1; amount <= 12; amount += 1) {
      await wallet.post('transfer', { ...toFutures, amount: String(amount) }, keys.broker);
      clock.time += 1000;
    }
    const list = async (parameters: Record<string, string> = {}) =>
      (await wallet.get('transfer', { ...types, ...parameters }, keys.broker)).body;
    const amounts = async (parameters: Record<string, string>) =>
      (await list(parameters)).rows.map((row: { amount: string }) => Number(row.amount));
    expect(await amounts({})).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(await amounts({ page: '2' })).toEqual([2, 1]);
    expect(await amounts({ page: '3', size: '5' })).toEqual([2, 1]);
    expect(await amounts({ page: '9' })).toEqual([]);
    expect((await list({ size: '100' })).total).toBe(12);
    expect(await list({ fromAccountType: 'FUTURES' })).toEqual({ rows: [], total: 0 });
    for (const size of ['0', '101', 'x']) expectCode(await wallet.get('transfer', { ...types, size }), 33333);
    expectCode(await wallet.get('transfer', { fromAccountType: 'SPOT' }), 44444);
    const newest = clock.time - 1000;
    const [{ tranId }] = (await list()).rows;
    clock.time = newest + 7 * day + 1;
    expect((await list()).total).toBe(0);
    expect((await list({ startTime: '0' })).total).toBe(12);
    clock.time = newest + 183 * day;
    expect(await amounts({ startTime: '0' })).toEqual([12]);
    expect((await wallet.get('transfer/tranId', { tranId }, keys.broker)).status).toBe(200);
    clock.time += 1;
    expect((await list({ startTime: '0' })).total).toBe(0);
    expectCode(await wallet.get('transfer/tranId', { tranId }, keys.broker), 22222);
  });
});

describe('transfers to other users', () => {
  const toBob = { toAccountType: 'UID', toAccount: '2002', asset: 'USDT', amount: '5' } as const;

  test.each([
    ['a UID', { toAccountType: 'UID', toAccount: '2002' }],
    ['a mail in any case', { toAccountType: 'EMAIL', toAccount: 'BOB@Example.com' }],
    ['a mobile number', { toAccountType: 'MOBILE', toAccount: '2025550123', areaCode: '+1' }],
  ])('SPEC-WAL-19, DEC-WAL-34: %s names the receiver', async (_title, target) => {
    const [free] = await wallet.balance('USDT', keys.bob);
    const reply = await wallet.post('transfer/internal', { ...target, asset: 'USDT', amount: '5' });
    expectShape('send', reply);
    expect((await wallet.balance('USDT', keys.bob))[0]).toBe(String(Number(free) + 5));
  });

  test('SPEC-WAL-20, SPEC-WAL-21, SPEC-WAL-23, DEC-WAL-34, DEC-WAL-78: both sides see it, the receiver with the sender masked', async () => {
    const { body } = await wallet.post('transfer/internal', toBob);
    const { tranId } = body;
    const sent = await wallet.get('transfer/internal', { tranId });
    expectShape('sends', sent);
    const record = {
      tranId,
      asset: 'USDT',
      amount: '5',
      toAccountType: 'UID',
      toAccount: '2002',
      fromAccount: '1001',
      status: 'SUCCESS',
      timestamp: wallet.gate.exchange.clock.time,
    };
    expect(sent.body).toEqual({ page: 1, totalRecords: 1, totalPageNum: 1, data: [record] });
    const received = await wallet.get('transfer/internal', { tranId }, keys.bob);
    expect(received.body.data).toEqual([{ ...record, fromAccount: '1***' }]);
    expectCode(await wallet.get('transfer/internal', { tranId }, keys.broker), 22222);
    expectCode(await wallet.get('transfer/internal', { tranId: 'x' }), 22222);
    const pages = (await wallet.get('transfer/internal', { limit: '3' })).body;
    expect(pages).toMatchObject({ page: 1, totalRecords: 4, totalPageNum: 2 });
    expect(pages.data).toHaveLength(3);
    expect((await wallet.get('transfer/internal', { limit: '3', page: '2' })).body.data).toHaveLength(1);
    expect((await wallet.get('transfer/internal', { endTime: '1000' })).body.totalRecords).toBe(0);
  });

  test.each([
    ['an unknown UID', { ...toBob, toAccount: '777' }, 10001, 'toAccount'],
    ['an unknown mail', { ...toBob, toAccountType: 'EMAIL', toAccount: 'eve@example.com' }, 10001, 'toAccount'],
    [
      'an unknown number',
      { ...toBob, toAccountType: 'MOBILE', toAccount: '5555555', areaCode: '44' },
      10001,
      'toAccount',
    ],
    ['oneself by UID', { ...toBob, toAccount: '1001' }, 10211, 'toAccount'],
    ['oneself by mail', { ...toBob, toAccountType: 'EMAIL', toAccount: 'alice@EXAMPLE.com' }, 10211, 'toAccount'],
    ['MOBILE without area code', { ...toBob, toAccountType: 'MOBILE', toAccount: '5555555' }, 44444, 'areaCode'],
    [
      'an area code of letters',
      { ...toBob, toAccountType: 'MOBILE', toAccount: '5555555', areaCode: 'uk' },
      33333,
      'areaCode',
    ],
    ['no mail', { ...toBob, toAccountType: 'EMAIL', toAccount: 'bob' }, 33333, 'toAccount'],
    ['no UID', { ...toBob, toAccount: '20x2' }, 33333, 'toAccount'],
    ['another kind', { ...toBob, toAccountType: 'NAME' }, 33333, 'toAccountType'],
    ['no receiver', { toAccountType: 'UID', asset: 'USDT', amount: '1' }, 44444, 'toAccount'],
    ['no asset', { toAccountType: 'UID', toAccount: '2002', amount: '1' }, 10222, 'asset'],
    ['no amount', { toAccountType: 'UID', toAccount: '2002', asset: 'USDT' }, 10095, 'amount'],
    ['an unknown asset', { ...toBob, asset: 'NOPE' }, 10232, 'asset'],
    ['zero', { ...toBob, amount: '0.0' }, 10102, 'amount'],
    ['a negative amount', { ...toBob, amount: '-5' }, 10102, 'amount'],
    ['too many decimals', { ...toBob, amount: '5.0000000005' }, 10096, 'amount'],
    ['more than is free', { ...toBob, amount: '5000000' }, 10101, 'amount'],
  ] as const)('DEC-WAL-33, DEC-REQ-22, F09: %s', async (_title, parameters, code, parameter) => {
    const before = wallet.gate.digest();
    const reply = await wallet.post('transfer/internal', parameters);
    expectCode(reply, code);
    expect(reply.body.msg).toContain(`'${parameter}'`);
    expect(wallet.gate.digest()).toBe(before);
  });

  test('DEC-WAL-152, DEC-REQ-27: a clientTranId answers the first transfer again, and is 33333 with other parameters', async () => {
    const [free] = await wallet.balance('USDT');
    const asked = { ...toBob, clientTranId: 'c3'.repeat(16) };
    const first = await wallet.post('transfer/internal', asked);
    expect(first.status).toBe(200);
    expect((await wallet.post('transfer/internal', asked)).body).toEqual(first.body);
    expect((await wallet.balance('USDT'))[0]).toBe(String(Number(free) - 5));
    for (const wrong of [
      { ...asked, amount: '6' },
      { ...asked, clientTranId: 'c3'.repeat(15) },
      { ...asked, clientTranId: `${'c3'.repeat(15)}_x` },
    ]) {
      const reply = await wallet.post('transfer/internal', wrong);
      expectCode(reply, 33333);
      expect(reply.body.msg).toContain("'clientTranId'");
    }
  });

  test('DEC-WAL-152: what goes to other users counts with withdrawals towards the daily cap', async () => {
    await wallet.run({
      kind: 'creditFunds',
      account: wallet.gate.accounts.bob,
      asset: assets.USDT,
      amount: units('USDT', 200_000),
    });
    const send = (amount: string) =>
      wallet.post('transfer/internal', { toAccountType: 'UID', toAccount: '1001', asset: 'USDT', amount }, keys.bob);
    expect((await send('60000')).status).toBe(200);
    const refused = await send('40001');
    expectCode(refused, 10265);
    expect(refused.body.msg).toContain("'amount'");
    const withdrawal = { coin: 'USDT', netWork: 'ETH', address: outside.ETH };
    expectCode(await wallet.post('withdraw', { ...withdrawal, amount: '40001' }, keys.bob), 10265);
    expect((await wallet.post('withdraw', { ...withdrawal, amount: '30000' }, keys.bob)).status).toBe(200);
    expectCode(await send('10001'), 10265);
    expect((await send('10000')).status).toBe(200);
  });

  test('DEC-WAL-33: a frozen receiver is 140002, or 60005 if it is no sub-account', async () => {
    const { sub, bob } = wallet.gate.accounts;
    await wallet.run(
      { kind: 'setAccountStatus', account: sub, status: 'frozen' },
      { kind: 'setAccountStatus', account: bob, status: 'frozen' },
    );
    expectCode(await wallet.post('transfer/internal', { ...toBob, toAccount: '1002' }), 140002);
    expectCode(await wallet.post('transfer/internal', toBob), 60005);
    await wallet.run(
      { kind: 'setAccountStatus', account: sub, status: 'normal' },
      { kind: 'setAccountStatus', account: bob, status: 'normal' },
    );
  });

  test('DEC-WAL-33, DEC-WAL-78: an unknown receiver is journaled like a known one, and the eleventh within a minute is 10098', async () => {
    const { entries } = wallet.gate.exchange;
    const miss = () => wallet.post('transfer/internal', { ...toBob, toAccount: '777' }, keys.broker);
    const before = entries.length;
    for (let count = 0; count < 10; count += 1) expectCode(await miss(), 10001);
    expect(entries.slice(before).map(({ command }) => command.kind)).toEqual(Array(10).fill('sendFunds'));
    expectCode(await miss(), 10098);
    expectCode(await wallet.post('transfer/internal', toBob, keys.broker), 10098);
    expect(entries).toHaveLength(before + 10);
    expect((await wallet.post('transfer/internal', toBob)).status).toBe(200);
    wallet.gate.monotonic.time += 60_000;
    expectCode(await miss(), 10001);
    expect((await wallet.post('transfer/internal', toBob, keys.broker)).status).toBe(200);
  });
});
