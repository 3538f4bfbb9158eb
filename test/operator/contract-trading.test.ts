import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as, type AssetId, type Balance, type SymbolId } from '#model/units.ts';
import { bitcoinBody } from './bitcoin-contract.ts';
import { type OperatorReply, startTestOperator, type TestOperator } from './operator-harness.ts';

/*
 * An operator lists BTC_USDT, of 0.0001 BTC a contract and 0.1 USDT a tick, and trades for alice and bob, who have
 * 100,000 USDT each in their futures wallets. Tests follow each other.
 */

const usdt = as<AssetId>(0);
const btc = as<SymbolId>(0);
const coins = (amount: number): Balance => as<Balance>(BigInt(amount) * 1_000_000_000n);
const terms = {
  ...bitcoinBody,
  tiers: [{ maxLots: 4_500_000, maintenancePpm: 4000, initialPpm: 10_000, maxLeverage: 100 }],
};

let operator: TestOperator;
beforeAll(async () => {
  operator = await startTestOperator();
  const { exchange, alice, bob } = operator;
  const nothing = as<Balance>(0n);
  const rules = {
    valuedIn: usdt,
    largeDeposit: coins(1),
    dailyCaps: [coins(1), coins(1), coins(1), coins(1)],
    riskHoldAbove: null,
    fourEyesAbove: null,
    adjustFourEyesAbove: null,
    newAddressDelayMs: 0,
    waitMs: 0,
    transferable: [usdt],
    dustBelow: nothing,
    dustCallMax: coins(1),
    dustFeePpm: 0,
  };
  await exchange.submit({ kind: 'configureWallet', rules });
  for (const { account } of [alice, bob]) {
    const terms = { from: 'spot', to: 'futures', asset: usdt, amount: coins(100_000) } as const;
    await exchange.submit({ kind: 'transferFunds', account, ...terms, clientTranId: null });
  }
});
afterAll(() => operator.close());

const ask = (method: string, path: string, body?: unknown): Promise<OperatorReply> => operator.ask(method, path, body);
/** The answer to a request that succeeds. */
async function done(method: string, path: string, body?: unknown): Promise<OperatorReply['body']> {
  const reply = await ask(method, path, body);
  expect([path, reply.status < 300, reply.text]).toEqual([path, true, reply.text]);
  return reply.body;
}
const refused = async (method: string, path: string, body?: unknown): Promise<readonly [number, string]> => {
  const reply = await ask(method, path, body);
  return [reply.status, reply.body.code];
};
const of = (who: 'alice' | 'bob'): string => `/v1/accounts/${operator[who].uid}/contracts/BTC_USDT`;
const order = (who: 'alice' | 'bob', body: object) => done('POST', `${of(who)}/orders`, body);
const limit = (side: string, lots: number, price: string) => ({ side, kind: 'limit', lots, price });
/** Tells the engine an index, as the worker of a running exchange does each second. */
async function index(price: number, seconds = 1): Promise<void> {
  operator.exchange.clock.time += seconds * 1000;
  await operator.exchange.submit({ kind: 'updateIndices', prices: [{ contract: btc, price: price * 100_000_000 }] });
}

describe('DEC-FUT-45: listing', () => {
  test('a contract is listed as paused, with what it was given', async () => {
    const listed = await done('PUT', '/v1/contracts/BTC_USDT', terms);
    expect(listed).toMatchObject({ contract: 'BTC_USDT', state: 'paused', ...terms });
    expect(listed.mark).toMatchObject({ index: null, fair: null, openInterest: 0, fund: '0' });
    expect(await done('GET', '/v1/contracts/BTC_USDT')).toEqual(listed);
    expect(await done('GET', '/v1/contracts')).toEqual({ items: [listed], nextCursor: null });
  });

  test('tiers are replaced alone, and a replacement keeps the state', async () => {
    const tiers = [
      { maxLots: 1_000_000, maintenancePpm: 4000, initialPpm: 10_000, maxLeverage: 100 },
      {
        maxLots: 2_000_000,
        maintenancePpm: 50_000,
        initialPpm: 100_000,
        maxLeverage: 10,
      },
    ];
    expect(await done('PUT', '/v1/contracts/BTC_USDT/risk-tiers', { tiers })).toMatchObject({ ...terms, tiers });
    expect(await refused('PUT', '/v1/contracts/BTC_USDT/risk-tiers', { tiers: tiers.toReversed() })).toEqual([
      400,
      'invalidMember',
    ]);
    expect(await done('PUT', '/v1/contracts/BTC_USDT', { ...terms, takerFeePpm: 500 })).toMatchObject({
      state: 'paused',
      takerFeePpm: 500,
    });
    await done('PUT', '/v1/contracts/BTC_USDT', terms);
  });

  test('DEC-FUT-18: its fund is paid in by the house, and belongs to an account', async () => {
    const paid = await done('POST', '/v1/contracts/BTC_USDT/insurance-fund', { amount: '500000' });
    expect(paid).toEqual({ contract: 'BTC_USDT', asset: 'USDT', fund: '500000' });
    const fund = await done('GET', '/v1/contracts/BTC_USDT/insurance-fund');
    expect(fund).toEqual({ ...paid, uid: expect.any(Number) });
    const { futures } = await done('GET', `/v1/accounts/${fund.uid}/balances`);
    expect(futures).toEqual([{ asset: 'USDT', free: '500000', held: '0' }]);
  });

  test('DEC-FUT-43: its index is what sources say', async () => {
    await done('POST', '/v1/contracts/BTC_USDT/index/prices', { source: 'DESK', price: '60000', weight: 100 });
    const { price, sources } = await done('GET', '/v1/contracts/BTC_USDT/index');
    expect([price, sources.map(({ source, standing }: Record<string, string>) => [source, standing])]).toEqual([
      '60000',
      [['DESK', 'counted']],
    ]);
    await done('DELETE', '/v1/contracts/BTC_USDT/index/prices/DESK');
    expect(await done('GET', '/v1/contracts/BTC_USDT/index')).toMatchObject({ price: null, sources: [] });
  });

  test('it trades once it is enabled, and not while it is paused', async () => {
    expect(await refused('POST', `${of('alice')}/orders`, limit('buy', 1, '60000'))).toEqual([
      409,
      'contractNotTradable',
    ]);
    expect(await done('PUT', '/v1/contracts/BTC_USDT/state', { state: 'enabled' })).toMatchObject({ state: 'enabled' });
    await index(60_000);
    expect((await done('GET', '/v1/contracts/BTC_USDT')).mark).toMatchObject({ index: '60000', fair: '60000' });
  });
});

describe('DEC-FUT-45: trading for accounts', () => {
  test('leverage is set before there is a position', async () => {
    const set = { mode: 'isolated', leverage: 100 };
    expect(await done('PUT', `${of('bob')}/leverage`, set)).toEqual({ contract: 'BTC_USDT', ...set });
    expect(await refused('PUT', `${of('bob')}/leverage`, { ...set, leverage: 101 })).toEqual([422, 'wrongLeverage']);
  });

  test('orders rest, are listed, and are cancelled', async () => {
    const placed = await order('alice', { ...limit('buy', 100, '60000'), clientOrderId: 'hedge-1' });
    const wanted = {
      contract: 'BTC_USDT',
      side: 'buy',
      kind: 'limit',
      lots: 100,
      executed: 0,
      clientOrderId: 'hedge-1',
    };
    expect(placed).toMatchObject({ ...wanted, status: 'new', price: '60000' });
    expect(await done('GET', `${of('alice')}/orders`)).toEqual({ items: [placed] });
    // A twentieth of 600 USDT, and a commission of 0.04 %.
    expect(await done('GET', `${of('alice')}/margin`)).toEqual({
      asset: 'USDT',
      free: '99969.76',
      held: '30.24',
      unrealised: '0',
      withdrawable: '99969.76',
    });
    const cancelled = await done('DELETE', `${of('alice')}/orders/${placed.order}`);
    expect(cancelled).toMatchObject({ ...wanted, status: 'canceled' });
    expect(await done('GET', `${of('alice')}/orders`)).toEqual({ items: [] });
    expect(await refused('DELETE', `${of('alice')}/orders/${placed.order}`)).toEqual([404, 'unknownOrder']);
  });

  test('DEC-OPR-233: all orders of the account are cancelled, those of contracts too, and their margin is free', async () => {
    const account = `/v1/accounts/${operator.alice.uid}`;
    const free = async (): Promise<string> => (await done('GET', `${of('alice')}/margin`)).free;
    const before = await free();
    for (const filter of ['', '?contract=BTC_USDT']) {
      for (const _ of [1, 2]) await order('alice', limit('buy', 100, '59000'));
      expect(await free()).not.toBe(before);
      expect(await done('GET', `${account}/orders`)).toEqual({ items: [], nextCursor: null });
      expect(await done('DELETE', `${account}/orders${filter}`)).toEqual({ openOrders: 0 });
      expect([await done('GET', `${of('alice')}/orders`), await free()]).toEqual([{ items: [] }, before]);
    }
  });

  test('DEC-FUT-58: the account of a fund is refused orders and settings for what it is; so is a frozen one', async () => {
    const { uid } = await done('GET', '/v1/contracts/BTC_USDT/insurance-fund');
    const ofFund = `/v1/accounts/${uid}/contracts/BTC_USDT`;
    const replies = [
      await ask('POST', `${ofFund}/orders`, limit('buy', 1, '60000')),
      await ask('PUT', `${ofFund}/leverage`, { mode: 'cross', leverage: 5 }),
    ];
    await done('PUT', `/v1/accounts/${operator.bob.uid}/status`, { status: 'frozen' });
    replies.push(await ask('POST', `${of('bob')}/orders`, limit('buy', 1, '60000')));
    await done('PUT', `/v1/accounts/${operator.bob.uid}/status`, { status: 'normal' });
    for (const { status, body } of replies) {
      expect([status, body.code]).toEqual([409, 'accountNotUsable']);
      expect(body.title).toMatch(/frozen.* insurance fund/u);
    }
  });

  test.each([
    ['more than the margin allows', { ...limit('buy', 400_000, '60000') }, [409, 'notEnoughMargin']],
    [
      'more than the risk limit',
      { ...limit('buy', 4_500_000, '60000'), side: 'buy', lots: 4_500_001 },
      [422, 'aboveMaximumAmount'],
    ],
    [
      'what there is no position to reduce',
      { side: 'sell', kind: 'market', lots: 1, reduceOnly: true },
      [409, 'noPosition'],
    ],
  ])('%s is refused', async (_, body, refusal) => {
    expect(await refused('POST', `${of('alice')}/orders`, body)).toEqual(refusal);
  });

  test('positions are told of the account and of the contract', async () => {
    await order('alice', limit('buy', 100, '60000'));
    expect(await order('bob', { side: 'sell', kind: 'market', lots: 100 })).toMatchObject({ executed: 100 });
    await index(60_100);
    const long = {
      uid: operator.alice.uid,
      contract: 'BTC_USDT',
      lots: 100,
      cost: '600',
      mode: 'cross',
      leverage: 20,
      margin: '30',
      realised: '0',
      liquidationPrice: null,
      deleveragingRank: 1,
    };
    const { items } = await done('GET', `/v1/accounts/${operator.alice.uid}/positions`);
    expect(items).toEqual([
      { ...long, unrealised: expect.any(String), openedAt: expect.any(Number), updatedAt: expect.any(Number) },
    ]);
    const all = await done('GET', '/v1/contracts/BTC_USDT/positions');
    expect(all.items.map(({ uid, lots }: { uid: number; lots: number }) => [uid, lots])).toEqual([
      [operator.alice.uid, 100],
      [operator.bob.uid, -100],
    ]);
    const first = await done('GET', '/v1/contracts/BTC_USDT/positions?limit=1');
    const second = await done('GET', `/v1/contracts/BTC_USDT/positions?limit=1&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual(all.items);
    expect(second.nextCursor).toBeNull();
    expect(await refused('PUT', `${of('bob')}/leverage`, { mode: 'cross', leverage: 5 })).toEqual([409, 'hasPosition']);
  });
});

describe('DEC-FUT-60: what became of a contract', () => {
  const takeovers = async () => (await done('GET', '/v1/contracts/BTC_USDT/takeovers')).items;

  test('SPEC-FUT-16, DEC-FUT-14: fundings, newest first, page by page', async () => {
    const midnight = 1_700_006_400_000;
    for (const hours of [0, 8]) {
      operator.exchange.clock.time = midnight + hours * 3_600_000 - 1000;
      await index(60_100);
    }
    // 0.01 BTC at 60100 USDT pay 0.01 %.
    const funding = (at: number) => ({ at, rate: '0.0001', fair: '60100', paid: '0.0601', received: '0.0601' });
    const listed = [funding(midnight + 28_800_000), funding(midnight)];
    expect(await done('GET', '/v1/contracts/BTC_USDT/fundings')).toEqual({ items: listed, nextCursor: null });
    const first = await done('GET', '/v1/contracts/BTC_USDT/fundings?limit=1');
    const second = await done('GET', `/v1/contracts/BTC_USDT/fundings?limit=1&cursor=${first.nextCursor}`);
    expect([first.items, second.items]).toEqual([[listed[0]], [listed[1]]]);
  });

  test('DEC-FUT-17: snapshots of the fund', async () => {
    const { items } = await done('GET', '/v1/contracts/BTC_USDT/insurance-fund/snapshots');
    const midnight = 1_700_006_400_000;
    expect(items).toEqual([
      { at: midnight + 28_800_000, fund: '500000' },
      { at: midnight, fund: '500000' },
    ]);
  });

  test('DEC-FUT-48: a position that was liquidated, and the fund that took it over', async () => {
    await index(61_000);
    // Bob is short with a margin of 6 USDT, of which 0.04 % of 610 are the fee: 5.756 USDT are 575.6 a coin.
    expect(await takeovers()).toMatchObject([
      { uid: operator.bob.uid, reason: 'liquidation', lots: -100, price: '60575.6', realised: '-5.756', fee: '0.244' },
    ]);
    const { uid, fund } = await done('GET', '/v1/contracts/BTC_USDT/insurance-fund');
    expect(fund).toBe('500000.244');
    const { items } = await done('GET', `/v1/accounts/${uid}/positions`);
    expect(items).toMatchObject([{ lots: -100, liquidationPrice: null, deleveragingRank: null }]);
  });

  test('DEC-FUT-50: after a minute the position of the fund is closed against the other side', async () => {
    await index(61_000, 61);
    const [newest, ...before] = await takeovers();
    expect(newest).toMatchObject({ uid: operator.alice.uid, reason: 'deleveraging', lots: 100, realised: '5.756' });
    expect(before).toHaveLength(1);
    expect(await done('GET', '/v1/contracts/BTC_USDT/positions')).toEqual({ items: [], nextCursor: null });
    const page = await done('GET', '/v1/contracts/BTC_USDT/takeovers?limit=1');
    const next = await done('GET', `/v1/contracts/BTC_USDT/takeovers?limit=1&cursor=${page.nextCursor}`);
    expect([...page.items, ...next.items]).toEqual([newest, ...before]);
  });

  test('DEC-FUT-09: a delivered contract has neither orders nor positions', async () => {
    await order('alice', limit('buy', 15, '61000'));
    await order('bob', { side: 'sell', kind: 'market', lots: 10 });
    await done('PUT', '/v1/contracts/BTC_USDT/state', { state: 'delivery' });
    expect(await done('PUT', '/v1/contracts/BTC_USDT/state', { state: 'delivered' })).toMatchObject({
      state: 'delivered',
    });
    expect(await done('GET', '/v1/contracts/BTC_USDT/positions')).toEqual({ items: [], nextCursor: null });
    expect(await done('GET', `${of('alice')}/orders`)).toEqual({ items: [] });
    const delivered = (await takeovers()).filter(({ reason }: { reason: string }) => reason === 'delivery');
    expect(delivered.map(({ lots, price }: { lots: number; price: string }) => [lots, price])).toEqual(
      expect.arrayContaining([
        [10, '61000'],
        [-10, '61000'],
      ]),
    );
    expect(await refused('PUT', '/v1/contracts/BTC_USDT/state', { state: 'enabled' })).toEqual([409, 'wrongState']);
    expect((await done('PUT', '/v1/contracts/BTC_USDT/state', { state: 'offline' })).state).toBe('offline');
  });
});
