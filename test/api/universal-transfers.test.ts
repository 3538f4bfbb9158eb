import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys, type Reply } from './gateway-harness.ts';
import { assets, startWalletHarness, units, type WalletHarness } from './wallet-harness.ts';

/* Transfers between a master and its sub-accounts, and their history, over the public API. */

let wallet: WalletHarness;
type Terms = Record<string, string>;
const path = 'sub-account/universalTransfer';
const day = 86_400_000;

const types = { fromAccountType: 'SPOT', toAccountType: 'SPOT' } as const;
/** Ten USDT of the master to its first sub-account. */
const given = { ...types, toAccount: 'desk0001', asset: 'USDT', amount: '10' } as const;
const move = (terms: Terms, key: string = keys.alice): Promise<Reply> => wallet.post(path, terms, key);
const history = (terms: Terms = {}, key: string = keys.alice): Promise<Reply> =>
  wallet.get(path, { ...types, ...terms }, key);
const idOf = (text: string): string => text.padEnd(32, '0');

/** Free amount of a sub-account's spot wallet, or of the master's. */
async function free(asset: 'USDT' | 'BTC', subAccount?: string): Promise<string> {
  if (subAccount === undefined) return (await wallet.balance(asset))[0];
  const parameters = { subAccount, accountType: 'SPOT' };
  const { body } = await wallet.gate.signed('GET', '/api/v3/sub-account/asset', parameters);
  return body.balances.find((each: Terms) => each['asset'] === asset)?.free ?? '0';
}

beforeAll(async () => {
  wallet = await startWalletHarness();
  for (const [subAccount, key] of [
    ['desk0001', keys.alice],
    ['desk0002', keys.alice],
    ['frozen01', keys.alice],
    ['theirs01', keys.bob],
    ['client01', keys.broker],
  ] as const) {
    const reply = await wallet.gate.signed(
      'POST',
      '/api/v3/sub-account/virtualSubAccount',
      { subAccount, note: 'x' },
      { key },
    );
    expect(reply.status).toBe(200);
  }
  expect((await move({ ...given, toAccount: 'frozen01' })).status).toBe(200);
  const frozen = await wallet.gate.exchange.queries.subAccounts.named(wallet.gate.accounts.alice, 'frozen01');
  await wallet.run({ kind: 'setAccountStatus', account: frozen?.account as never, status: 'frozen' });
});
afterAll(() => wallet.close());

describe('moving money', () => {
  test('SPEC-SUB-07: from the master, among sub-accounts and back; who is not named is the master', async () => {
    const before = Number(await free('USDT'));
    const reply = await move(given);
    expectShape('universalTransfer', reply);
    expect(reply.body.tranId).toMatch(/^[0-9a-f]{32}$/);
    expect(await free('USDT', 'desk0001')).toBe('10');
    await move({ ...given, fromAccount: 'desk0001', toAccount: 'desk0002', amount: '4' });
    expect([await free('USDT', 'desk0001'), await free('USDT', 'desk0002')]).toEqual(['6', '4']);
    const { toAccount: _to, ...back } = given;
    await move({ ...back, fromAccount: 'desk0002', amount: '4' });
    await move({ ...back, fromAccount: 'desk0001', amount: '6' });
    expect([await free('USDT', 'desk0001'), await free('USDT', 'desk0002')]).toEqual(['0', '0']);
    expect(Number(await free('USDT'))).toBe(before);
  });

  test('DEC-SUB-51: the master is named by its uid too', async () => {
    const before = Number(await free('USDT'));
    expect((await move({ ...given, fromAccount: '1001' })).status).toBe(200);
    expect((await move({ ...given, fromAccount: 'desk0001', toAccount: '1001' })).status).toBe(200);
    expect(Number(await free('USDT'))).toBe(before);
    for (const fromAccount of ['1002', '2002', 'alice']) expectCode(await move({ ...given, fromAccount }), 140001);
  });

  test('SPEC-SUB-07: wallets of one account, and of two', async () => {
    const toFutures = { ...given, toAccountType: 'FUTURES', amount: '5' };
    const own = { fromAccount: 'desk0001', toAccount: 'desk0001' };
    await move({ ...given, amount: '5' });
    expect((await move({ ...toFutures, ...own })).status).toBe(200);
    expect(await free('USDT', 'desk0001')).toBe('0');
    expectCode(await move({ ...given, ...own, fromAccountType: 'FUTURES', amount: '5.000000001' }), 10101);
    const back = { ...toFutures, fromAccountType: 'FUTURES', fromAccount: 'desk0001', toAccount: 'desk0002' };
    expect((await move(back)).status).toBe(200);
    const home = { ...types, fromAccountType: 'FUTURES', fromAccount: 'desk0002', asset: 'USDT', amount: '5' };
    expect((await move(home)).status).toBe(200);
  });

  test('DEC-REQ-27, SPEC-SUB-07: the same clientTranId with the same terms moves once, for 24 hours', async () => {
    const mine = { ...given, clientTranId: idOf('Repeated1') };
    const first = await move(mine);
    const after = await free('USDT', 'desk0001');
    expect((await move(mine)).body).toEqual(first.body);
    for (const other of [{ amount: '11' }, { toAccount: 'desk0002' }, { toAccountType: 'FUTURES' }]) {
      const reply = await move({ ...mine, ...other });
      expectCode(reply, 33333);
      expect(reply.body.msg).toContain("'clientTranId'");
    }
    expect(await free('USDT', 'desk0001')).toBe(after);
    const theirs = await move({ ...mine, toAccount: 'theirs01' }, keys.bob);
    expect(theirs.body.tranId).toMatch(/^[0-9a-f]{32}$/);
    expect(theirs.body.tranId).not.toBe(first.body.tranId);
    wallet.gate.exchange.clock.time += day + 1;
    expect((await move(mine)).body.tranId).not.toBe(first.body.tranId);
    expect(Number(await free('USDT', 'desk0001'))).toBe(Number(after) + 10);
  });

  test.each([
    ['an unknown sub-account', { ...given, toAccount: 'nobody01' }, 140001, 'toAccount'],
    ["another master's sub-account", { ...given, toAccount: 'theirs01' }, 140001, 'toAccount'],
    ["from another master's sub-account", { ...given, fromAccount: 'theirs01' }, 140001, 'fromAccount'],
    ['a name that none can have', { ...given, toAccount: 'n'.repeat(300) }, 140001, 'toAccount'],
    ['to a frozen sub-account', { ...given, toAccount: 'frozen01' }, 140002, null],
    ['from a frozen sub-account', { ...given, fromAccount: 'frozen01' }, 140002, null],
    ['the master to itself', { ...given, toAccount: '' }, 10103, 'toAccountType'],
    ['a sub-account to itself', { ...given, fromAccount: 'desk0001' }, 10103, 'toAccountType'],
    ['no amount', { ...given, amount: '' }, 10095, 'amount'],
    ['no asset', { ...given, asset: '' }, 10222, 'asset'],
    ['an unknown asset', { ...given, asset: 'NOPE' }, 10232, 'asset'],
    ['too many decimals', { ...given, amount: '1.0000000001' }, 10096, 'amount'],
    ['zero', { ...given, amount: '0.0' }, 10102, 'amount'],
    ['a negative amount', { ...given, amount: '-1' }, 10102, 'amount'],
    ['more than is free', { ...given, amount: '2000000' }, 10101, 'amount'],
    ['more than can exist', { ...given, amount: '999999999999999999' }, 10101, 'amount'],
    ['BTC to FUTURES', { ...given, asset: 'BTC', amount: '1', toAccountType: 'FUTURES' }, 10100, 'asset'],
    ['no wallet', { ...given, fromAccountType: '' }, 44444, 'fromAccountType'],
    ['an unknown wallet', { ...given, toAccountType: 'MARGIN' }, 33333, 'toAccountType'],
    ['an id of 31 characters', { ...given, clientTranId: 'a'.repeat(31) }, 33333, 'clientTranId'],
    ['an id of 33 characters', { ...given, clientTranId: 'a'.repeat(33) }, 33333, 'clientTranId'],
    ['an id with a dash', { ...given, clientTranId: `${'a'.repeat(31)}-` }, 33333, 'clientTranId'],
  ] as const)('D05, F17, DEC-SUB-10, DEC-SUB-11, DEC-REQ-22: %s', async (_title, terms, code, parameter) => {
    const before = wallet.gate.digest();
    const reply = await move(terms);
    expectCode(reply, code);
    if (parameter !== null) expect(reply.body.msg).toContain(`'${parameter}'`);
    expect(wallet.gate.digest()).toBe(before);
  });

  test('SPEC-CNV-18: FUTURES of a customer of a broker is 10099 until it is enabled', async () => {
    const before = wallet.gate.digest();
    const toFutures = { ...given, toAccount: 'client01', toAccountType: 'FUTURES' };
    expectCode(await move(toFutures, keys.broker), 10099);
    expect(wallet.gate.digest()).toBe(before);
    expect((await move({ ...toFutures, toAccountType: 'SPOT' }, keys.broker)).status).toBe(200);
  });

  test('D02, DEC-SUB-11: a sub-account moves nothing here, and a frozen master is 60005', async () => {
    const before = wallet.gate.digest();
    expectCode(await move(given, keys.sub), 700007);
    expectCode(await history({}, keys.sub), 700007);
    expect(wallet.gate.digest()).toBe(before);
    const { bob } = wallet.gate.accounts;
    await wallet.run({ kind: 'setAccountStatus', account: bob, status: 'frozen' });
    expectCode(await move({ ...given, toAccount: 'theirs01' }, keys.bob), 60005);
    expect((await history({}, keys.bob)).body).toHaveLength(1);
    await wallet.run({ kind: 'setAccountStatus', account: bob, status: 'normal' });
  });

  test('what an open order holds is not moved', async () => {
    await move({ ...given, amount: '300' });
    const named = await wallet.gate.exchange.queries.subAccounts.named(wallet.gate.accounts.alice, 'desk0001');
    await wallet.gate.addKey(named?.account as never, 'mx0desk0001AAAAAAA', ['SPOT_DEAL_WRITE']);
    const all = Number(await free('USDT', 'desk0001'));
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '20000' };
    await wallet.gate.signed('POST', '/api/v3/order', order, { key: 'mx0desk0001AAAAAAA' });
    expect(await free('USDT', 'desk0001')).toBe(String(all - 200));
    const { toAccount: _to, ...back } = given;
    expectCode(await move({ ...back, fromAccount: 'desk0001', amount: String(all - 199) }), 10101);
    expect((await move({ ...back, fromAccount: 'desk0001', amount: String(all - 200) })).status).toBe(200);
  });
});

describe('history', () => {
  test('SPEC-SUB-08, DEC-SUB-02, DEC-SUB-51: a bare array, the newest first, by both sides and the id', async () => {
    const { clock } = wallet.gate.exchange;
    clock.time += 10 * day;
    await wallet.run({
      kind: 'creditFunds',
      account: wallet.gate.accounts.alice,
      asset: assets.BTC,
      amount: units('BTC', 1),
    });
    const terms = { ...types, asset: 'BTC', amount: '0.25' };
    const out = await move({ ...terms, toAccount: 'desk0001', clientTranId: idOf('Out') });
    clock.time += 1000;
    const over = await move({ ...terms, fromAccount: 'desk0001', toAccount: 'desk0002', amount: '0.2' });
    const reply = await history();
    expectShape('universalTransfers', reply);
    const record = {
      asset: 'BTC',
      fromAccountType: 'SPOT',
      toAccountType: 'SPOT',
      fromSymbol: null,
      toSymbol: null,
      status: 'SUCCESS',
    };
    const first = { ...record, tranId: out.body.tranId, clientTranId: idOf('Out'), amount: '0.25' };
    const second = { ...record, tranId: over.body.tranId, clientTranId: null, amount: '0.2' };
    const made = { ...first, fromAccount: '1001', toAccount: 'desk0001', timestamp: clock.time - 1000 };
    const passed = { ...second, fromAccount: 'desk0001', toAccount: 'desk0002', timestamp: clock.time };
    expect(reply.body).toEqual([passed, made]);
    expect((await history({ fromAccount: 'desk0001' })).body).toEqual([passed]);
    expect((await history({ fromAccount: '1001' })).body).toEqual([made]);
    expect((await history({ toAccount: 'desk0001' })).body).toEqual([made]);
    expect((await history({ toAccount: 'desk0001', fromAccount: 'desk0002' })).body).toEqual([]);
    expect((await history({ clientTranId: idOf('Out') })).body).toEqual([made]);
    expect((await history({ clientTranId: idOf('Other') })).body).toEqual([]);
    expect((await history({ toAccountType: 'FUTURES' })).body).toEqual([]);
    expect((await history({}, keys.bob)).body).toEqual([]);
    for (const side of ['fromAccount', 'toAccount']) expectCode(await history({ [side]: 'theirs01' }), 140001);
    expectCode(await history({ clientTranId: 'short' }), 33333);
    expectCode(await wallet.get(path, { fromAccountType: 'SPOT' }), 44444);
  });

  test('SPEC-SUB-08, DEC-SUB-52: pages of 500, 7 days unless asked, 183 days at most', async () => {
    const { clock } = wallet.gate.exchange;
    clock.time += 200 * day;
    for (let amount = 1; amount <= 5; amount += 1) {
      clock.time += 1000;
      await move({ ...given, amount: String(amount) });
    }
    const amounts = async (terms: Terms): Promise<number[]> =>
      (await history(terms)).body.map((row: Terms) => Number(row['amount']));
    expect(await amounts({})).toEqual([5, 4, 3, 2, 1]);
    expect(await amounts({ limit: '2' })).toEqual([5, 4]);
    expect(await amounts({ limit: '2', page: '3' })).toEqual([1]);
    expect(await amounts({ limit: '500', page: '2' })).toEqual([]);
    for (const limit of ['0', '501', 'x']) expectCode(await history({ limit }), 33333);
    const newest = clock.time;
    expect(await amounts({ startTime: String(newest - 2000), endTime: String(newest - 1000) })).toEqual([4, 3]);
    expectCode(await history({ startTime: '2', endTime: '1' }), 33333);
    clock.time = newest + 7 * day;
    expect(await amounts({})).toEqual([5]);
    clock.time = newest + 183 * day;
    expect(await amounts({ startTime: '0' })).toEqual([5]);
    clock.time += 1;
    expect(await amounts({ startTime: '0' })).toEqual([]);
  });
});
