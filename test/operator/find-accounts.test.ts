import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderRequest } from '#model/order.ts';
import { as } from '#model/units.ts';
import { bitcoinPair } from './bitcoin-pair.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';
import { addresses, openWallet, pay, withdraw } from './wallet-stage.ts';

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  await openWallet(operator);
});
afterAll(() => operator.close());

/** Uids that are found by what is named, or the parameter at fault. */
async function found(names: Readonly<Record<string, string | number>>): Promise<unknown> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(names)) query.set(name, `${value}`);
  const { body } = await operator.ask('GET', `/v1/accounts?${`${query}`.replaceAll('+', '%20')}`);
  return (
    body.items?.map(({ uid }: { uid: number }) => uid) ??
    body.errors?.map((each: { parameter: string }) => each.parameter)
  );
}

describe('DEC-OPR-231: accounts are found by what belongs to them', () => {
  test('a uid, which is never that of the house', async () => {
    const { alice } = operator;
    expect(await found({ uid: alice.uid })).toEqual([alice.uid]);
    expect([await found({ uid: 1 }), await found({ uid: 4711 }), await found({ uid: 'x' })]).toEqual([[], [], ['uid']]);
  });

  test('an access key, until it is deleted', async () => {
    const { alice } = operator;
    const keys = `/v1/accounts/${alice.uid}/api-keys`;
    const key = { note: 'bot', permissions: ['SPOT_DEAL_READ'], ips: [] };
    const { accessKey } = (await operator.ask('POST', keys, key)).body;
    expect(await found({ apiKey: accessKey })).toEqual([alice.uid]);
    await operator.ask('DELETE', `${keys}/${accessKey}`);
    expect(await found({ apiKey: accessKey })).toEqual([]);
  });

  test('a deposit address in any form, and every account that has it, on whatever network', async () => {
    const { alice, bob, exchange } = operator;
    for (const address of [addresses.alice, addresses.alice.toLowerCase(), addresses.aliceBtc.toUpperCase()])
      expect(await found({ depositAddress: address })).toEqual([alice.uid]);
    expect(await found({ depositAddress: addresses.stranger })).toEqual([]);
    expect(await found({ depositAddress: addresses.alice, memo: '17' })).toEqual([]);
    expect(await found({ depositAddress: addresses.alice, uid: bob.uid })).toEqual([]);
    expect(await found({ memo: '17' })).toEqual(['memo']);
    await operator.ask('PUT', '/v1/assets/USDT/networks/BSC', {
      ...{ label: 'BSC', contract: '0x55d398326f99059fF775485246999027B3197955', chainScale: 18, sharesAddress: false },
      ...{ depositEnabled: true, withdrawEnabled: true, minConfirm: 12, depositMin: '3', withdrawFee: '3' },
      ...{ withdrawMin: '10', withdrawMax: '1000000', withdrawStep: '0.000001' },
      ...{ depositDesc: null, depositTips: null, withdrawTips: null },
    });
    const address = { network: 'BSC', index: 0, address: addresses.alice, memo: null };
    await exchange.submit({ kind: 'assignDepositAddress', account: bob.account, ...address });
    expect(await found({ depositAddress: addresses.alice })).toEqual([alice.uid, bob.uid]);
    expect(await found({ depositAddress: addresses.alice, uid: bob.uid })).toEqual([bob.uid]);
  });

  test('an order, open or closed', async () => {
    const { alice, exchange } = operator;
    await operator.ask('PUT', '/v1/pairs/BTCUSDT', bitcoinPair);
    await operator.ask('PATCH', '/v1/pairs/BTCUSDT', { status: 'online' });
    const order: OrderRequest = {
      ...{ symbol: as(0), side: 'buy', kind: 'limit', price: as(100_000), quantity: as(100), budget: null },
      ...{ clientOrderId: null, stpMode: 'none' },
    };
    await exchange.submit({ kind: 'placeOrder', account: alice.account, order });
    const orders = `/v1/accounts/${alice.uid}/orders`;
    const id = (await operator.ask('GET', orders)).body.items[0].order;
    expect(await found({ order: id })).toEqual([alice.uid]);
    await operator.ask('DELETE', `${orders}/${id}`);
    expect(await found({ order: id })).toEqual([alice.uid]);
    expect(await found({ order: 'C02__100000000000009999' })).toEqual([]);
    expect(await found({ order: '1' })).toEqual(['order']);
  });

  test('a withdrawal by its id or number, however old', async () => {
    const { alice, exchange } = operator;
    const withdrawal = await withdraw(operator, 600n);
    const { id } = (await operator.ask('GET', `/v1/withdrawals/${withdrawal}`)).body;
    const both = async () => [await found({ withdrawal }), await found({ withdrawal: id })];
    expect(await both()).toEqual([[alice.uid], [alice.uid]]);
    await exchange.submit({ kind: 'cancelWithdrawal', account: alice.account, withdrawal });
    exchange.clock.time += 8 * 86_400_000;
    await withdraw(operator, 600n);
    expect((await operator.ask('GET', `/v1/withdrawals/${withdrawal}`)).status).toBe(404);
    expect(await both()).toEqual([[alice.uid], [alice.uid]]);
    expect([await found({ withdrawal: 4711 }), await found({ withdrawal: '0'.repeat(32) })]).toEqual([[], []]);
    expect(await found({ withdrawal: 'x' })).toEqual(['withdrawal']);
  });
});

describe('DEC-OPR-234: accounts are found by name, withdrawal address and transaction', () => {
  test('a name, in any case; one that several share finds them all', async () => {
    const { alice, exchange } = operator;
    const register = async (name: string): Promise<number> =>
      (await operator.ask('POST', '/v1/accounts', { name })).body.uid;
    const carols = [await register('Carol K'), await register('carol k ')];
    expect(await found({ name: 'CAROL K' })).toEqual(carols);
    expect(await found({ name: 'carol k', uid: carols[1]! })).toEqual([carols[1]]);
    expect([await found({ name: 'Carol' }), await found({ name: 'house:fees' })]).toEqual([[], []]);
    const desk = {
      kind: 'openSubAccount',
      master: alice.account,
      name: 'tradingdesk1',
      note: '',
      passwordHash: null,
    } as const;
    await exchange.submit({ ...desk, atMost: 5 });
    const [uid] = (await found({ name: 'TradingDesk1' })) as number[];
    expect((await operator.ask('GET', `/v1/accounts/${uid}`)).body.masterUid).toBe(alice.uid);
    expect(await found({ name: '' })).toEqual(['name']);
  });

  test('an address that it withdrew to, in any form, however old', async () => {
    const { alice, exchange } = operator;
    const other = '0x52908400098527886E0F7030069857D2E4169EE7';
    for (const address of [addresses.stranger, addresses.stranger.toLowerCase()])
      expect(await found({ withdrawalAddress: address })).toEqual([alice.uid]);
    expect(await found({ withdrawalAddress: other })).toEqual([]);
    exchange.clock.time += 8 * 86_400_000;
    expect(await found({ withdrawalAddress: addresses.stranger })).toEqual([alice.uid]);
  });

  test('a transaction of a deposit, in any case, before it is credited too', async () => {
    const { alice } = operator;
    const txId = `0x${'ab'.repeat(32)}`;
    await pay(operator, txId, 5n, 1);
    expect(await found({ transaction: txId })).toEqual([alice.uid]);
    expect(await found({ transaction: `0x${'AB'.repeat(32)}` })).toEqual([alice.uid]);
    expect(await found({ transaction: `0x${'cd'.repeat(32)}` })).toEqual([]);
    expect(await found({ transaction: txId, withdrawalAddress: addresses.stranger })).toEqual([alice.uid]);
  });
});
