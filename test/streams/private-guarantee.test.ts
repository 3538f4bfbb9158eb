import { expect, test } from 'vitest';
import { parseDecimal } from '#base/decimal.ts';
import { createPrng } from '#base/prng.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { AccountId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { startExchange } from '../exchange-harness.ts';
import { CommandStream } from '../oracle/command-stream.ts';
import { firstUser, userCount } from '../oracle/opening.ts';
import { ExpectedPushes, type Essence, essenceOf, type PrivateKind, privateKinds } from './expected-pushes.ts';
import { StreamClient, until } from './stream-client.ts';
import { people, startStreamHarness, type StreamHarness } from './stream-harness.ts';

const channelOf: Record<PrivateKind, string> = {
  account: 'spot@private.account.v3.api.pb',
  deals: 'spot@private.deals.v3.api.pb',
  orders: 'spot@private.orders.v3.api.pb',
};

/** A socket of one account, with what there was to come when it asked and when it was answered. */
interface Listener {
  readonly account: AccountId;
  readonly client: StreamClient;
  readonly asked: Record<PrivateKind, number>;
  readonly answered: Record<PrivateKind, number>;
}

const lengths = (expected: ExpectedPushes, account: number): Record<PrivateKind, number> => ({
  account: expected.of('account', account).length,
  deals: expected.of('deals', account).length,
  orders: expected.of('orders', account).length,
});

async function listen(
  harness: StreamHarness,
  expected: ExpectedPushes,
  account: AccountId,
  key: string,
): Promise<Listener> {
  const client = await StreamClient.open(`${harness.url}?listenKey=${key}`);
  const asked = lengths(expected, account);
  const { msg } = await client.subscribe(...privateKinds.map((kind) => channelOf[kind]));
  expect(msg).toBe(privateKinds.map((kind) => channelOf[kind]).join(','));
  return { account, client, asked, answered: lengths(expected, account) };
}

/** Everything that came, held against everything that happened. Called while nothing is on its way. */
async function check(harness: StreamHarness, expected: ExpectedPushes, { account, client, asked, answered }: Listener) {
  await client.drain();
  const came: Record<PrivateKind, Essence[]> = { account: [], deals: [], orders: [] };
  for (const push of client.pushes) {
    const { kind, essence } = essenceOf(push);
    came[kind].push(essence);
  }
  for (const kind of privateKinds) {
    const all = expected.of(kind, account);
    const first = all.length - came[kind].length;
    expect(came[kind]).toEqual(all.slice(first));
    expect(first).toBeGreaterThanOrEqual(asked[kind]);
    expect(first).toBeLessThanOrEqual(answered[kind]);
  }
  expect(client.heard[0]).toMatchObject({ code: 0 });
  await checkBalances(harness, account, came.account);
  await checkOrders(harness, account, came.orders);
  return came.account.length + came.deals.length + came.orders.length;
}

const units = (text: string): bigint => {
  const value = parseDecimal(text.replace('-', ''), 12);
  if (typeof value === 'string') throw new Error(`${text} is ${value}`);
  return text.startsWith('-') ? -value : value;
};

/** Starting balances and the sum of pushed changes are the balances that REST answers. */
async function checkBalances(harness: StreamHarness, account: AccountId, came: readonly Essence[]): Promise<void> {
  const { assets } = await harness.exchange.queries.listing();
  const balances = await harness.exchange.queries.balances(account);
  for (const { code, id, scale } of assets) {
    const changes = came.filter(([name]) => name === code);
    const first = changes[0];
    if (first === undefined) continue;
    const [, , change, after, heldChange, heldAfter] = first as string[];
    let free = units(after as string) - units(change as string);
    let held = units(heldAfter as string) - units(heldChange as string);
    for (const each of changes) {
      free += units(each[2] as string);
      held += units(each[4] as string);
    }
    const now = balances.find(({ asset }) => asset === id);
    const factor = 10n ** BigInt(12 - scale);
    expect([code, free, held]).toEqual([code, (now?.free ?? 0n) * factor, (now?.held ?? 0n) * factor]);
  }
}

/** The last status of every order is the one that REST answers. */
async function checkOrders(harness: StreamHarness, account: AccountId, came: readonly Essence[]): Promise<void> {
  const open = new Map((await harness.exchange.queries.openOrders(account, null)).map((order) => [order.order, order]));
  const last = new Map(came.map((each) => [each[0] as number, each]));
  for (const [id, [, status, executed]] of last) {
    const order = open.get(as(id));
    if (order === undefined) expect([2, 4, 5]).toContain(status);
    else expect([status, Number(executed) === 0]).toEqual(order.executed === 0 ? [1, true] : [3, false]);
  }
}

async function run(seed: number, operations: number): Promise<{ checked: number; listeners: number }> {
  let durable = 0;
  const prng = createPrng(seed);
  const exchange = startExchange((inner) => ({
    ...inner,
    append: async (after, batch) => {
      if (prng.below(4) === 0) await new Promise((resolve) => setTimeout(resolve, prng.below(3)));
      await inner.append(after, batch);
      durable = after + batch.size;
    },
  }));
  const expected = new ExpectedPushes();
  exchange.sequencer.subscribe({
    ...expected.sink,
    entryBegan: (seq) => expect(seq).toBeLessThanOrEqual(durable),
  });
  const harness = await startStreamHarness({ exchange, isOpened: false });
  const commands = new CommandStream(seed);
  const submit = async (count: number): Promise<void> => {
    const sent = Array.from({ length: count }, () => {
      const { command, at } = commands.next();
      exchange.clock.time = at;
      // Accounts whose API is off have no private sockets: that is tested elsewhere.
      const isSwitch = command.kind === 'setAccountSwitches';
      return exchange.submit(isSwitch ? { ...command, switches: { ...command.switches, api: true } } : command);
    });
    for (const { events } of await Promise.all(sent)) commands.observe(events);
  };
  for (let count = 0; count < 60; count += 1) await submit(1);

  const keys = new Map<number, string>();
  const keyOf = async (account: AccountId): Promise<string> => {
    const known = keys.get(account);
    if (known !== undefined) return known;
    const key = await harness.addKey(account);
    keys.set(account, key);
    return key;
  };
  for (let index = 0; index < userCount; index += 1) await keyOf(as(firstUser + index));
  const tally = { checked: 0, listeners: 0 };
  let listeners: Listener[] = [];
  for (let done = 0; done < operations; ) {
    const count = 1 + prng.below(40);
    done += count;
    const working = submit(count);
    const account = as<AccountId>(firstUser + prng.below(userCount));
    const opening =
      listeners.length < 8 && prng.below(3) === 0 && listeners.filter((each) => each.account === account).length < 5
        ? listen(harness, expected, account, await keyOf(account))
        : null;
    await working;
    if (opening !== null) listeners.push(await opening);
    if (listeners.length > 0 && prng.below(6) === 0) {
      const [leaving] = listeners.splice(prng.below(listeners.length), 1) as [Listener];
      tally.listeners += 1;
      if (prng.below(2) === 0) {
        tally.checked += await check(harness, expected, leaving);
        await leaving.client.leave();
      } else {
        leaving.client.socket.terminate();
      }
    }
    harness.timers.advance(prng.below(100));
    // Keys live an hour of the exchange's time, which the stream of commands lets fly.
    if (done % 1000 < 40) {
      keys.clear();
      for (const listener of listeners) tally.checked += await check(harness, expected, listener);
      for (const listener of listeners) listener.client.socket.terminate();
      listeners = [];
    }
  }
  for (const listener of listeners) tally.checked += await check(harness, expected, listener);
  expect(harness.troubles).toEqual([]);
  expect(exchange.faults()).toEqual([]);
  for (const listener of listeners) listener.client.socket.terminate();
  await until('everybody is gone', () => harness.streams.counts().connections === 0);
  expect(harness.streams.counts()).toMatchObject({ listenKeys: 0, publicTopics: 0, privateTopics: 0 });
  await harness.close();
  return tally;
}

test('DEC-STR-04, DEC-STR-19, DEC-STR-05: from acknowledgement to close nothing is missing, doubled or out of order', async () => {
  const { checked, listeners } = await run(20_261_121, 10_000);
  expect(checked).toBeGreaterThan(5000);
  expect(listeners).toBeGreaterThan(20);
}, 60_000);

test('a push never comes before its command is durable', async () => {
  let open = (): void => {};
  let gate: Promise<void> | null = null;
  const exchange = startExchange((inner) => ({
    ...inner,
    append: async (after, batch) => {
      await gate;
      await inner.append(after, batch);
    },
  }));
  const harness = await startStreamHarness({ exchange });
  const client = await harness.listen(people.alice);
  await client.subscribe(...Object.values(channelOf));
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const placed = harness.order(people.alice, { price: as(100), quantity: as(10) });
  for (let turn = 0; turn < 10; turn += 1) await client.drain();
  expect(client.pushes).toEqual([]);
  open();
  await placed;
  await client.take(2);
  await harness.close();
});

const printedOrders = [
  {
    id: 'C02__100000000000000002',
    clientId: 'C02__100000000000000002',
    price: '100.5',
    quantity: '2',
    amount: '201',
    avgPrice: '0',
    orderType: 1,
    tradeType: 1,
    isMaker: false,
    remainAmount: '201',
    remainQuantity: '2',
    cumulativeQuantity: '0',
    cumulativeAmount: '0',
    status: 1,
    createTime: 1_700_000_000_000n,
  },
  {
    avgPrice: '100',
    remainAmount: '151',
    remainQuantity: '1.5',
    lastDealQuantity: '0.5',
    cumulativeQuantity: '0.5',
    cumulativeAmount: '50',
    status: 3,
  },
];
const printedDeals = [
  {
    price: '100',
    quantity: '0.5',
    amount: '50',
    tradeType: 1,
    isMaker: false,
    isSelfTrade: false,
    tradeId: '100000000000000002X1',
    clientOrderId: '',
    orderId: 'C02__100000000000000002',
    feeAmount: '0.001',
    feeCurrency: 'BTC',
    time: 1_700_000_000_000n,
  },
];
const printedPostings = [
  {
    vcoinName: 'USDT',
    coinId: '1'.repeat(32),
    balanceAmount: '9999799',
    balanceAmountChange: '-201',
    frozenAmount: '201',
    frozenAmountChange: '201',
    type: 'ENTRUST_PLACE',
    time: 1_700_000_000_000n,
  },
  { vcoinName: 'USDT', balanceAmountChange: '0', frozenAmountChange: '-50', frozenAmount: '151', type: 'ENTRUST' },
  {
    vcoinName: 'BTC',
    balanceAmountChange: '0.5',
    frozenAmountChange: '0',
    balanceAmount: '10000000.5',
    type: 'ENTRUST',
  },
  { vcoinName: 'USDT', balanceAmountChange: '0.25', frozenAmountChange: '-0.25', type: 'ENTRUST_UNFROZEN' },
  { vcoinName: 'BTC', balanceAmountChange: '-0.001', balanceAmount: '10000000.499', type: 'TRADE_FEE' },
];

test('SPEC-STR-06, DEC-STR-18, SPEC-STR-03, SPEC-STR-04, SPEC-STR-05: every specified field of the three channels is filled', async () => {
  const harness = await startStreamHarness();
  const maker = await harness.listen(people.bob);
  const taker = await harness.listen(people.alice);
  await harness.order(people.bob, {
    side: 'sell',
    price: as(10_000),
    quantity: as(5000),
    clientOrderId: ClientOrderId.of('bobs'),
  });
  await maker.subscribe(channelOf.deals, channelOf.orders);
  await taker.subscribe(...Object.values(channelOf));
  await harness.order(people.alice, { price: as(10_050), quantity: as(20_000) });
  const pushes = await taker.take(8);
  const told = pushes.map(({ body, channel, symbol, createTime, sendTime }) => {
    expect(channel).toBe(
      channelOf[body.case === 'privateAccount' ? 'account' : body.case === 'privateDeals' ? 'deals' : 'orders'],
    );
    expect(symbol).toBe(body.case === 'privateAccount' ? undefined : 'BTCUSDT');
    expect([createTime, sendTime]).toEqual([1_700_000_000_000n, 1_700_000_000_000n]);
    return body;
  });
  const bodies = (kind: string) => told.filter((body) => body.case === kind).map(({ value }) => value);
  expect(bodies('privateOrders')).toMatchObject(printedOrders);
  expect(bodies('privateDeals')).toMatchObject(printedDeals);
  expect(bodies('privateAccount')).toMatchObject(printedPostings);
  const [deal, filled] = await maker.take(2);
  expect(filled?.body.value).toMatchObject({
    clientId: 'bobs',
    isMaker: true,
    tradeType: 2,
    status: 2,
    remainAmount: '0',
    remainQuantity: '0',
    avgPrice: '100',
  });
  expect(deal?.body.value).toMatchObject({
    tradeType: 2,
    isMaker: true,
    tradeId: '100000000000000002X1',
    clientOrderId: 'bobs',
    feeAmount: '0.05',
    feeCurrency: 'USDT',
  });
  await taker.drain();
  expect(taker.pushes).toHaveLength(0);
  await harness.close();
});
