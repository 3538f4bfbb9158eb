import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAddress } from '#custody/addresses/addresses.ts';
import { type NetworkCustody, NetworkUnavailable } from '#custody/custody.ts';
import type { Command } from '#model/command.ts';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys, startTestGateway } from './gateway-harness.ts';
import { assets, networks, startWalletHarness, units, usdtContract, type WalletHarness } from './wallet-harness.ts';
import { seenWith } from '../chain-sight.ts';

let wallet: WalletHarness;
beforeAll(async () => {
  wallet = await startWalletHarness();
});
afterAll(() => wallet.close());

const day = 86_400_000;
const configure = (name: keyof typeof networks, changes: object): Command => ({
  kind: 'configureAssetNetwork',
  network: { ...networks[name], ...changes },
});

describe('deposit addresses', () => {
  test('SPEC-WAL-10, DEC-WAL-73: POST makes an address once and answers it ever after, by both names of the network', async () => {
    const reply = await wallet.post('deposit/address', { coin: 'USDT', network: 'Ethereum(ERC20)' });
    expectShape('createDepositAddress', reply);
    const [entry] = reply.body;
    expect(entry).toMatchObject({ coin: 'USDT', network: 'Ethereum(ERC20)', netWork: 'ETH', memo: null });
    expect(checkAddress('ETH', entry.address, null)).toBe(null);
    expect((await wallet.post('deposit/address', { coin: 'USDT', network: 'ETH' })).body).toEqual(reply.body);
    expect((await wallet.post('deposit/address', { coin: 'USDT', network: 'ETH' }, keys.bob)).body).not.toEqual(
      reply.body,
    );
  });

  test('DEC-WAL-73: an account that shares an address has a memo of its own', async () => {
    const of = async (key: string) =>
      (await wallet.post('deposit/address', { coin: 'XRP', network: 'XRP' }, key)).body[0];
    const [alice, bob] = [await of(keys.alice), await of(keys.bob)];
    expect(alice.memo).toMatch(/^\d+$/);
    expect(alice.address).toBe(bob.address);
    expect(alice.memo).not.toBe(bob.memo);
  });

  test('SPEC-WAL-11: GET lists what the account made, of one network or of all', async () => {
    const { body: none } = await wallet.get('deposit/address', { coin: 'USDT' }, keys.broker);
    expect(none).toEqual([]);
    await wallet.post('deposit/address', { coin: 'USDT', network: 'ETH' }, keys.broker);
    await wallet.post('deposit/address', { coin: 'USDT', network: 'TRX' }, keys.broker);
    const all = await wallet.get('deposit/address', { coin: 'USDT' }, keys.broker);
    expectShape('depositAddresses', all);
    expect(all.body.map((entry: { netWork: string }) => entry.netWork)).toEqual(['ETH', 'TRX']);
    const { body: one } = await wallet.get('deposit/address', { coin: 'USDT', network: 'Tron(TRC20)' }, keys.broker);
    expect(one).toEqual([all.body[1]]);
    expect((await wallet.get('deposit/address', { coin: 'BTC' }, keys.broker)).body).toEqual([]);
  });

  test('DEC-WAL-72: fifteen requests at once, of three accounts, make one address each', async () => {
    const requests = [keys.alice, keys.bob, keys.broker].flatMap((key) =>
      Array.from({ length: 5 }, () => wallet.post('deposit/address', { coin: 'BTC', network: 'BTC' }, key)),
    );
    const replies = await Promise.all(requests);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(new Set(replies.map(({ body }) => body[0].address)).size).toBe(3);
  });

  test.each([
    ['POST', {}, 10222, 'coin'],
    ['POST', { coin: 'USDT' }, 44444, 'network'],
    ['POST', { coin: 'NOPE', network: 'ETH' }, 10232, 'coin'],
    ['POST', { coin: 'USDT', network: 'BTC' }, 33333, 'network'],
    ['POST', { coin: 'USDT', network: 'constructor' }, 33333, 'network'],
    ['POST', { coin: 'DOG', network: 'ETH' }, 10206, 'network'],
    ['GET', {}, 10222, 'coin'],
    ['GET', { coin: 'NOPE' }, 10232, 'coin'],
    ['GET', { coin: 'USDT', network: 'MOON' }, 33333, 'network'],
  ] as const)('DEC-REQ-22: %s with %j is %i', async (method, parameters, code, parameter) => {
    const reply = await (method === 'POST' ? wallet.post : wallet.get)('deposit/address', parameters);
    expectCode(reply, code);
    expect(reply.body.msg).toContain(`'${parameter}'`);
  });

  test('DEC-WAL-72: where deposits are off POST answers the address that there is, or 10206, and GET still lists', async () => {
    const asked = { coin: 'USDT', network: 'ETH' };
    const { body: before } = await wallet.post('deposit/address', asked);
    await wallet.run(configure('USDT ETH', { depositEnabled: false }));
    const known = await wallet.post('deposit/address', asked);
    expectShape('createDepositAddress', known);
    expect(known.body).toEqual(before);
    await wallet.run(configure('USDT TRX', { depositEnabled: false }));
    expectCode(await wallet.post('deposit/address', { coin: 'USDT', network: 'TRX' }, keys.bob), 10206);
    await wallet.run(configure('USDT TRX', {}));
    expect((await wallet.get('deposit/address', { coin: 'USDT', network: 'ETH' })).body).toHaveLength(1);
    await wallet.run(configure('USDT ETH', {}));
  });
});

describe('DEC-WAL-72: an address that custody does not give is 10216', () => {
  const custodyWith = (depositAddress: NetworkCustody['depositAddress']): NetworkCustody =>
    ({ network: 'BTC', depositAddress }) as NetworkCustody;
  test.each<[string, readonly NetworkCustody[]]>([
    ['no custody of the network', []],
    ['none left', [custodyWith(async () => null)]],
    ['a network that does not answer', [custodyWith(() => Promise.reject(new NetworkUnavailable('asleep')))]],
    // Always the same address: it is somebody else's from the second account on.
    ['an address that somebody has', [custodyWith(async () => ({ address: 'taken', memo: null }))]],
  ])('%s', async (_title, custody) => {
    const gate = await startTestGateway({
      context: (context) => ({ ...context, custody: new Map(custody.map((each) => [each.network, each])) }),
    });
    await gate.exchange.submit(configure('BTC BTC', {}));
    const taken = { account: gate.accounts.bob, network: 'BTC', index: 0, address: 'taken', memo: null };
    await gate.exchange.submit({ kind: 'assignDepositAddress', ...taken });
    const reply = await gate.signed('POST', '/api/v3/capital/deposit/address', { coin: 'BTC', network: 'BTC' });
    expectCode(reply, 10216);
    await gate.close();
  });

  test('an index that somebody else took meanwhile is tried again, five times', async () => {
    let gate: Awaited<ReturnType<typeof startTestGateway>> | null = null;
    let attempts = 0;
    let taken = 0;
    const address = (index: number) => ({ address: `address ${index}`, memo: null });
    const custody = custodyWith(async (index) => {
      attempts += 1;
      if (attempts > taken) return address(index);
      const account = [gate!.accounts.bob, gate!.accounts.sub, gate!.accounts.broker][attempts - 1]!;
      await gate!.exchange.submit({ kind: 'assignDepositAddress', account, network: 'BTC', index, ...address(index) });
      return address(index);
    });
    gate = await startTestGateway({ context: (context) => ({ ...context, custody: new Map([['BTC', custody]]) }) });
    await gate.exchange.submit(configure('BTC BTC', {}));
    taken = 3;
    const reply = await gate.signed('POST', '/api/v3/capital/deposit/address', { coin: 'BTC', network: 'BTC' });
    expect(reply.body).toEqual([{ coin: 'BTC', network: 'BTC', netWork: 'BTC', address: 'address 3', memo: null }]);
    expect(attempts).toBe(4);
    await gate.close();
  });
});

describe('SPEC-WAL-07, SPEC-WAL-24: deposits', () => {
  const history = async (parameters: Record<string, string> = {}, key: string = keys.alice) =>
    (await wallet.get('deposit/hisrec', parameters, key)).body;

  test('DEC-WAL-01, DEC-WAL-14: a deposit is pending while its confirmations count, and is credited at minConfirm', async () => {
    const { address } = (await wallet.post('deposit/address', { coin: 'USDT', network: 'ETH' })).body[0];
    const [free] = await wallet.balance('USDT');
    const txId = await wallet.chains.deposit({
      network: 'ETH',
      address,
      memo: null,
      contract: usdtContract,
      amount: 75n * 10n ** 18n,
    });
    await wallet.mine('ETH', 1);
    const reply = await wallet.get('deposit/hisrec');
    expectShape('deposits', reply);
    expect(reply.body).toEqual([
      {
        amount: '75',
        coin: 'USDT',
        network: 'Ethereum(ERC20)',
        status: 4,
        address,
        addressTag: null,
        txId,
        insertTime: wallet.gate.exchange.clock.time,
        unlockConfirm: '12',
        confirmTimes: '1',
        memo: null,
      },
    ]);
    await wallet.mine('ETH', 5);
    expect(await history()).toMatchObject([{ status: 4, confirmTimes: '6' }]);
    expect((await wallet.balance('USDT'))[0]).toBe(free);
    await wallet.mine('ETH', 6);
    expect(await history()).toMatchObject([{ status: 5, confirmTimes: '12' }]);
    expect((await wallet.balance('USDT'))[0]).toBe(String(Number(free) + 75));
    expect(await history({}, keys.bob)).toEqual([]);
  });

  test('DEC-WAL-01, DEC-WAL-77, DEC-WAL-175: filters take coins, and the numbers and names of statuses', async () => {
    const report = (txId: string, amount: number, confirmations = 1): Command => ({
      kind: 'reportDeposit',
      network: 'BTC',
      txId,
      output: 0,
      asset: assets.BTC,
      address: bobsBtc,
      memo: null,
      amount: units('BTC', amount),
      sight: seenWith(confirmations),
    });
    const [{ address: bobsBtc }] = (await wallet.post('deposit/address', { coin: 'BTC', network: 'BTC' }, keys.bob))
      .body;
    await wallet.run(report('one', 1), report('two', 2), report('three', 0.00001), report('one', 1, 2));
    await wallet.run({ kind: 'removeDeposit', network: 'BTC', txId: 'two', output: 0, forks: 0 });
    const numbers = async (parameters: Record<string, string>) =>
      (await history(parameters, keys.bob)).map((row: { txId: string; status: number }) => `${row.txId} ${row.status}`);
    const all = await numbers({});
    expect(all.toSorted()).toEqual(['one 5', 'three 4']);
    expect(await numbers({ coin: 'BTC', limit: '1' })).toEqual(all.slice(0, 1));
    expect(await numbers({ status: '5' })).toEqual(['one 5']);
    expect(await numbers({ status: 'SUCCESS' })).toEqual(['one 5']);
    expect(await numbers({ status: 'TIME_DELAY' })).toEqual([]);
    expect(await numbers({ status: '7', coin: 'BTC' })).toEqual([]);
    for (const reserved of ['2', '9', '12']) expect(await numbers({ status: reserved })).toEqual([]);
    expect(await numbers({ coin: 'USDT' })).toEqual([]);
  });

  test('SPEC-WAL-08: the last 7 days unless asked, and 90 days at most', async () => {
    const { clock } = wallet.gate.exchange;
    const [{ insertTime }] = await history();
    const at = (parameters: Record<string, string>) => history(parameters).then((rows) => rows.length);
    expect(await at({ endTime: String(insertTime - 1) })).toBe(0);
    expect(await at({ startTime: String(insertTime), endTime: String(insertTime) })).toBe(1);
    clock.time = insertTime + 7 * day;
    expect(await at({})).toBe(1);
    clock.time += 1;
    expect(await at({})).toBe(0);
    expect(await at({ startTime: '0' })).toBe(1);
    clock.time = insertTime + 90 * day;
    expect(await at({ startTime: '0' })).toBe(1);
    clock.time += 1;
    expect(await at({ startTime: '0' })).toBe(0);
  });

  test.each([
    ['deposit/hisrec', { status: '13' }],
    ['deposit/hisrec', { status: '0' }],
    ['deposit/hisrec', { status: 'success' }],
    ['deposit/hisrec', { limit: '1001' }],
    ['deposit/hisrec', { startTime: '2', endTime: '1' }],
    ['withdraw/history', { status: '11' }],
    ['withdraw/history', { limit: '0' }],
    ['withdraw/history', { startTime: '-1' }],
  ])('%s with %j is 33333', async (path, parameters) => {
    expectCode(await wallet.get(path, parameters), 33333);
  });

  test('DEC-REQ-22: an unknown coin is 10232', async () => {
    for (const path of ['deposit/hisrec', 'withdraw/history', 'withdraw/address'])
      expectCode(await wallet.get(path, { coin: 'NOPE' }), 10232);
  });
});
