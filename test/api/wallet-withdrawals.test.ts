import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Command } from '#model/command.ts';
import { IngressLost } from '#sequencer/command-ingress.ts';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys, testWalletIds } from './gateway-harness.ts';
import {
  assets,
  networks,
  outside,
  startWalletHarness,
  units,
  usdtContract,
  type WalletHarness,
} from './wallet-harness.ts';

let wallet: WalletHarness;
beforeAll(async () => {
  wallet = await startWalletHarness();
});
afterAll(() => wallet.close());

const terms = { coin: 'USDT', netWork: 'ETH', address: outside.ETH, amount: '50' } as const;
const configure = (changes: object, name: keyof typeof networks = 'USDT ETH'): Command => ({
  kind: 'configureAssetNetwork',
  network: { ...networks[name], ...changes },
});
/** The withdrawal as its history shows it. */
const shown = async (id: string, key: string = keys.alice) =>
  (await wallet.get('withdraw/history', {}, key)).body.find((row: { id: string }) => row.id === id);

describe('POST withdraw', () => {
  test('SPEC-WAL-03, SPEC-WAL-25, DEC-WAL-02, DEC-WAL-03, F06: a withdrawal goes through its statuses to its chain, and what is sent cannot be cancelled', async () => {
    const [free] = await wallet.balance('USDT');
    const reply = await wallet.post('withdraw', { ...terms, withdrawOrderId: 'story-1', remark: 'rent' });
    expectShape('withdraw', reply);
    const { id } = reply.body;
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await wallet.balance('USDT')).toEqual([String(Number(free) - 50), '50']);
    expect(await shown(id)).toMatchObject({
      withdrawOrderId: 'story-1',
      txId: null,
      coin: 'USDT',
      network: 'Ethereum(ERC20)',
      address: outside.ETH,
      amount: '50',
      transferType: 0,
      status: 1,
      transactionFee: '3',
      confirmNo: null,
      remark: 'rent',
      memo: null,
      transHash: null,
    });
    const seen = new Set<number>([1]);
    const settle = async () => {
      await wallet.settlement.run();
      seen.add((await shown(id)).status);
    };
    await settle();
    await settle();
    expect([...seen]).toEqual([1, 3]);
    wallet.gate.exchange.clock.time += 5000;
    for (let look = 0; look < 5; look += 1) await settle();
    expect([...seen]).toEqual([1, 3, 5, 6]);
    const sent = await shown(id);
    expect(sent).toMatchObject({ confirmNo: 0, transHash: sent.txId });
    expect(sent.txId).not.toBe(null);
    expectCode(await wallet.remove('withdraw', { id }), 26);
    await wallet.mine('ETH', 12);
    expect(await shown(id)).toMatchObject({ status: 7, confirmNo: 12, txId: sent.txId });
    expect(await wallet.balance('USDT')).toEqual([String(Number(free) - 50), '0']);
    const history = await wallet.get('withdraw/history');
    expectShape('withdrawals', history);
    expect(history.body[0].vcoinId).toBe(history.body[0].coinId);
  });

  test.each([
    ['SPEC-WAL-06: the previous form names the network', 'withdraw/apply', { network: 'ETH' }],
    ['DEC-WAL-08: a label names a network', 'withdraw/apply', { network: 'Ethereum(ERC20)' }],
  ])('%s, and answers an array', async (_title, path, network) => {
    const { netWork: _unused, ...rest } = terms;
    const reply = await wallet.post(path, { ...rest, ...network });
    expectShape('withdrawApply', reply);
    expect(await shown(reply.body[0].id)).toMatchObject({ network: 'Ethereum(ERC20)', amount: '50' });
  });

  test('DEC-WAL-08: netWork takes a label, and an address in any case is answered in its canonical form', async () => {
    const address = outside.ETH.toLowerCase();
    const { body } = await wallet.post('withdraw', { ...terms, address, netWork: 'Ethereum(ERC20)' });
    expect(await shown(body.id)).toMatchObject({ address: outside.ETH });
  });

  test('DEC-WAL-12: netWork may be left out where the asset has one network', async () => {
    const reply = await wallet.post('withdraw', { coin: 'BTC', address: outside.BTC, amount: '0.01' });
    expectShape('withdraw', reply);
    expect(await shown(reply.body.id)).toMatchObject({ network: 'BTC', transactionFee: '0.0001' });
    const { netWork: _unused, ...rest } = terms;
    const refused = await wallet.post('withdraw', rest);
    expectCode(refused, 44444);
    expect(refused.body.msg).toContain("'netWork'");
  });

  test('SPEC-WAL-04: a memo goes with the address that needs one', async () => {
    await wallet.run({
      kind: 'creditFunds',
      account: wallet.gate.accounts.alice,
      asset: assets.XRP,
      amount: units('XRP', 100),
    });
    const payment = { coin: 'XRP', address: outside.XRP, amount: '25' };
    const reply = await wallet.post('withdraw', { ...payment, memo: '1234' });
    expect(await shown(reply.body.id)).toMatchObject({ memo: '1234', network: 'XRP' });
    const missing = await wallet.post('withdraw', payment);
    expectCode(missing, 33333);
    expect(missing.body.msg).toContain("'memo'");
  });

  test('DEC-WAL-75: contractAddress, if sent, is the contract of the asset', async () => {
    const right = await wallet.post('withdraw', { ...terms, contractAddress: usdtContract.toLowerCase() });
    expect(right.status).toBe(200);
    const wrong = await wallet.post('withdraw', { ...terms, contractAddress: outside.ETH });
    expectCode(wrong, 33333);
    expect(wrong.body.msg).toContain("'contractAddress'");
    const native = { coin: 'BTC', address: outside.BTC, amount: '0.01', contractAddress: usdtContract };
    expectCode(await wallet.post('withdraw', native), 33333);
  });
});

describe('DEC-WAL-26, DEC-WAL-76, DEC-REQ-22, F03: a refused withdrawal changes nothing and names the parameter', () => {
  const changed = (changes: Record<string, string>) => ({ ...terms, ...changes });
  const without = (name: keyof typeof terms): Record<string, string> => {
    const { [name]: _removed, ...rest } = terms;
    return rest;
  };
  test.each([
    ['no coin', without('coin'), 10222, 'coin'],
    ['no amount', without('amount'), 10095, 'amount'],
    ['no address', without('address'), 44444, 'address'],
    ['an unknown coin', changed({ coin: 'NOPE' }), 10232, 'coin'],
    ['a malformed coin', changed({ coin: 'usdt!' }), 10232, 'coin'],
    ['a coin on no network', changed({ coin: 'DOG' }), 10206, 'netWork'],
    ['zero', changed({ amount: '0' }), 10102, 'amount'],
    ['zero with decimals', changed({ amount: '0.000' }), 10102, 'amount'],
    ['a negative amount', changed({ amount: '-1' }), 10102, 'amount'],
    ['ten decimals', changed({ amount: '50.0000000001' }), 10096, 'amount'],
    ['no number', changed({ amount: '50x' }), 33333, 'amount'],
    ['a number in hex', changed({ amount: '0x10' }), 33333, 'amount'],
    ['less than the minimum', changed({ amount: '9.99' }), 10097, 'amount'],
    ['more than the maximum', changed({ amount: '1000001' }), 10097, 'amount'],
    ['more than can exist', changed({ amount: '999999999999999999' }), 10097, 'amount'],
    ['no multiple', changed({ amount: '50.000000001' }), 10097, 'amount'],
    [
      'more than the account has',
      changed({ coin: 'XRP', address: outside.XRP, memo: '1', netWork: 'XRP', amount: '40000' }),
      10101,
      'amount',
    ],
    ['an unknown network', changed({ netWork: 'MOON' }), 33333, 'netWork'],
    ['a network that the coin is not on', changed({ netWork: 'BTC' }), 33333, 'netWork'],
    ['an address with a wrong checksum', changed({ address: outside.ETH.replace('Aed', 'aed') }), 33333, 'address'],
    ['an address of another network', changed({ address: outside.BTC }), 33333, 'address'],
    ['a memo that the network does not know', changed({ memo: '7' }), 33333, 'memo'],
    ['a remark of 65 characters', changed({ remark: 'x'.repeat(65) }), 10268, 'remark'],
    ['a remark of 65 emoji', changed({ remark: '\u{1F600}'.repeat(65) }), 10268, 'remark'],
    ['a remark of 10,000 characters', changed({ remark: 'x'.repeat(6000) }), 10268, 'remark'],
    ['an id with blanks', changed({ withdrawOrderId: 'a b' }), 700008, 'withdrawOrderId'],
    ['an id of 33 characters', changed({ withdrawOrderId: 'a'.repeat(33) }), 700008, 'withdrawOrderId'],
  ] as const)('%s', async (_title, parameters, code, parameter) => {
    const before = wallet.gate.digest();
    const reply = await wallet.post('withdraw', parameters);
    expectCode(reply, code);
    expect(reply.body.msg).toContain(`'${parameter}'`);
    expect(wallet.gate.digest()).toBe(before);
  });

  test('texts tell the bounds that the amount breaks', async () => {
    const text = async (amount: string) => (await wallet.post('withdraw', { ...terms, amount })).body.msg;
    expect(await text('9')).toContain('at least 10 USDT on ETH');
    expect(await text('2000000')).toContain('at most 1000000 USDT on ETH');
    expect(await text('50.000000001')).toContain('a multiple of 0.00000001 USDT');
  });

  test('DEC-WAL-13: a network that is switched off is 10206', async () => {
    await wallet.run(configure({ withdrawEnabled: false }));
    const reply = await wallet.post('withdraw', terms);
    expectCode(reply, 10206);
    expect(reply.body.msg).toContain("'netWork'");
    await wallet.run(configure({}));
  });

  test('DEC-WAL-27: more than the daily cap is 10265', async () => {
    expectCode(await wallet.post('withdraw', { ...terms, amount: '100001' }), 10265);
  });

  test('DEC-WAL-28: an address that is not on the allow list is 10212 where the list is on', async () => {
    const { broker } = wallet.gate.accounts;
    await wallet.run({ kind: 'setAllowList', account: broker, enabled: true });
    expectCode(await wallet.post('withdraw', terms, keys.broker), 10212);
    await wallet.run({
      kind: 'saveAddress',
      account: broker,
      asset: assets.USDT,
      network: 'ETH',
      address: outside.ETH,
      memo: null,
      tag: 'mine',
    });
    expect((await wallet.post('withdraw', terms, keys.broker)).status).toBe(200);
    await wallet.run({ kind: 'setAllowList', account: broker, enabled: false });
  });

  test('F04: an amount that the fee eats is 10097', async () => {
    await wallet.run(configure({ withdrawMin: units('USDT', 60), withdrawFee: units('USDT', 55) }));
    expectCode(await wallet.post('withdraw', terms), 10097);
    await wallet.run(configure({}));
  });

  test('D14, DEC-REQ-61: a frozen account may read and cancel, and moves nothing', async () => {
    const { broker } = wallet.gate.accounts;
    const { body } = await wallet.post('withdraw', terms, keys.broker);
    await wallet.run({ kind: 'setAccountStatus', account: broker, status: 'frozen' });
    for (const [path, parameters] of [
      ['withdraw', terms],
      ['withdraw/apply', terms],
      ['deposit/address', { coin: 'USDT', network: 'ETH' }],
      ['transfer', { fromAccountType: 'SPOT', toAccountType: 'FUTURES', asset: 'USDT', amount: '1' }],
      ['transfer/internal', { toAccountType: 'UID', toAccount: '2002', asset: 'USDT', amount: '1' }],
      ['convert', { asset: 'BTC' }],
    ] as const)
      expectCode(await wallet.post(path, parameters, keys.broker), 60005);
    for (const path of [
      'config/getall',
      'withdraw/history',
      'withdraw/address',
      'deposit/hisrec',
      'deposit/address?coin=USDT',
      'transfer?fromAccountType=SPOT&toAccountType=FUTURES',
      'transfer/internal',
      'convert/list',
      'convert',
    ]) {
      const [name = '', query = ''] = path.split('?');
      expect([
        path,
        (await wallet.get(name, Object.fromEntries(new URLSearchParams(query)), keys.broker)).status,
      ]).toEqual([path, 200]);
    }
    expect((await wallet.remove('withdraw', { id: body.id }, keys.broker)).status).toBe(200);
    await wallet.run({ kind: 'setAccountStatus', account: broker, status: 'normal' });
  });
});

describe('DELETE withdraw', () => {
  test('SPEC-WAL-05, DEC-WAL-24: cancels in time and gives the money back', async () => {
    const before = await wallet.balance('USDT');
    const { body } = await wallet.post('withdraw', terms);
    const reply = await wallet.remove('withdraw', { id: body.id });
    expectShape('cancelWithdrawal', reply);
    expect(reply.body).toEqual({ id: body.id });
    expect(await wallet.balance('USDT')).toEqual(before);
    expect(await shown(body.id)).toMatchObject({ status: 9 });
    const again = await wallet.remove('withdraw', { id: body.id });
    expectCode(again, 26);
  });

  test('F06: what is over stays 26, also long after the engine forgot it', async () => {
    const { body } = await wallet.post('withdraw', terms);
    await wallet.remove('withdraw', { id: body.id });
    wallet.gate.exchange.clock.time += 3 * 86_400_000;
    await wallet.post('withdraw', { ...terms, withdrawOrderId: 'later' });
    expectCode(await wallet.remove('withdraw', { id: body.id }), 26);
  });

  test('D04: an id of somebody else is 22222 like one that never was', async () => {
    const { body } = await wallet.post('withdraw', terms, keys.bob);
    const before = wallet.gate.digest();
    for (const id of [
      body.id,
      testWalletIds.text('withdrawal', 999_999),
      testWalletIds.text('transfer', 1),
      'f'.repeat(32),
      'nope',
      'a b',
    ]) {
      const reply = await wallet.remove('withdraw', { id });
      expectCode(reply, 22222);
      expect(reply.body.msg).toContain("'id'");
    }
    expect(wallet.gate.digest()).toBe(before);
    expectCode(await wallet.remove('withdraw'), 44444);
    expect((await shown(body.id, keys.bob)).status).toBe(1);
  });
});

describe('GET withdraw/history', () => {
  const day = 86_400_000;

  test('SPEC-WAL-08, SPEC-WAL-09: newest first, by asset, status and time; 7 days unless asked, 90 days at most', async () => {
    const { clock } = wallet.gate.exchange;
    clock.time += 100 * day;
    const rows = async (parameters: Record<string, string> = {}) =>
      (await wallet.get('withdraw/history', parameters, keys.bob)).body.map((row: { amount: string }) => row.amount);
    expect(await rows({ startTime: '0' })).toEqual([]);
    const first = clock.time;
    for (const amount of ['11', '12', '13']) {
      const { body } = await wallet.post('withdraw', { ...terms, amount }, keys.bob);
      if (amount === '12') await wallet.remove('withdraw', { id: body.id }, keys.bob);
      clock.time += 1000;
    }
    await wallet.post('withdraw', { coin: 'BTC', address: outside.BTC, amount: '0.02' }, keys.bob);
    expect(await rows()).toEqual(['0.02', '13', '12', '11']);
    expect(await rows({ limit: '2' })).toEqual(['0.02', '13']);
    expect(await rows({ coin: 'USDT' })).toEqual(['13', '12', '11']);
    expect(await rows({ status: '9' })).toEqual(['12']);
    expect(await rows({ status: '1', coin: 'USDT' })).toEqual(['13', '11']);
    expect(await rows({ status: '7' })).toEqual([]);
    expect(await rows({ startTime: String(first + 1), endTime: String(first + 2000) })).toEqual(['13', '12']);
    clock.time = first + 7 * day;
    expect(await rows({ coin: 'USDT' })).toEqual(['13', '12', '11']);
    clock.time += 1;
    expect(await rows({ coin: 'USDT' })).toEqual(['13', '12']);
    clock.time = first + 90 * day + 1;
    expect(await rows({ coin: 'USDT', startTime: '0' })).toEqual(['13', '12']);
  });
});

describe('DEC-REQ-27: withdrawOrderId', () => {
  test('F05: the same terms answer the first withdrawal, others are 33333, and one amount is held', async () => {
    const [free] = await wallet.balance('USDT');
    const asked = { ...terms, withdrawOrderId: 'again-1' };
    const first = await wallet.post('withdraw', asked);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await wallet.post('withdraw', asked)).body).toEqual(first.body);
    }
    const other = await wallet.post('withdraw', { ...asked, amount: '51' });
    expectCode(other, 33333);
    expect(other.body.msg).toContain("'withdrawOrderId'");
    expect((await wallet.balance('USDT'))[0]).toBe(String(Number(free) - 50));
    expect((await wallet.post('withdraw', asked, keys.bob)).body).not.toEqual(first.body);
  });

  test('F07: a withdrawal whose answer was lost is 504, and asked for again it is the same one, debited once', async () => {
    let isLost = true;
    const losing = await startWalletHarness({
      context: (context) => ({
        ...context,
        ingress: {
          post: (command) => context.ingress.post(command),
          submit: async (command) => {
            const outcome = await context.ingress.submit(command);
            if (command.kind !== 'requestWithdrawal' || !isLost) return outcome;
            isLost = false;
            throw new IngressLost('the answer was lost');
          },
        },
      }),
    });
    const [free] = await losing.balance('USDT');
    const asked = { ...terms, withdrawOrderId: 'lost-1' };
    expectCode(await losing.post('withdraw', asked), 504, 504);
    const again = await losing.post('withdraw', asked);
    expect((await losing.get('withdraw/history')).body).toMatchObject([{ id: again.body.id, amount: '50' }]);
    expect(await losing.balance('USDT')).toEqual([String(Number(free) - 50), '50']);
    await losing.close();
  });

  test('a refused request takes no id', async () => {
    const asked = { ...terms, withdrawOrderId: 'fresh-1' };
    expectCode(await wallet.post('withdraw', { ...asked, amount: '1' }), 10097);
    expect((await wallet.post('withdraw', asked)).status).toBe(200);
  });
});

test('F01, F04: of 200 withdrawals of all that is free at once, exactly one is taken', async () => {
  const account = wallet.gate.accounts.broker;
  await wallet.run({ kind: 'setKycLevel', account, kycLevel: 4 });
  const [free = '', held] = await wallet.balance('USDT', keys.broker);
  const asked = { ...terms, amount: free };
  const count = 200;
  const replies = [];
  for (let from = 0; from < count; from += 50) {
    replies.push(...(await Promise.all(Array.from({ length: 50 }, () => wallet.post('withdraw', asked, keys.broker)))));
  }
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.code === 10101)).toHaveLength(count - 1);
  expect(await wallet.balance('USDT', keys.broker)).toEqual(['0', String(Number(free) + Number(held))]);
});

test('DEC-WAL-25, SPEC-WAL-22: to the address of another account a withdrawal stays inside, to an own one it is 10211', async () => {
  const address = (await wallet.post('deposit/address', { coin: 'USDT', network: 'ETH' }, keys.bob)).body[0].address;
  const [free] = await wallet.balance('USDT', keys.bob);
  const { body } = await wallet.post('withdraw', { ...terms, address });
  expect(await shown(body.id)).toMatchObject({ transferType: 1, status: 7, txId: null, transactionFee: '0' });
  expect((await wallet.balance('USDT', keys.bob))[0]).toBe(String(Number(free) + 50));
  const [deposit] = (await wallet.get('deposit/hisrec', {}, keys.bob)).body;
  expect(deposit).toMatchObject({ txId: body.id, amount: '50', status: 5 });
  const own = await wallet.post('withdraw', { ...terms, address }, keys.bob);
  expectCode(own, 10211);
  expect(own.body.msg).toContain("'address'");
});
