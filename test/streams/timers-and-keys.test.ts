import { afterEach, beforeEach, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { listenKeyHash } from '#websocket/connections/listen-key-registry.ts';
import { refusedHeaders, refusedStatus, StreamClient, until } from './stream-client.ts';
import { people, startStreamHarness, type StreamHarness } from './stream-harness.ts';

const deals = 'spot@public.aggre.deals.v3.api.pb@10ms@BTCUSDT';
const kline = 'spot@public.kline.v3.api.pb@BTCUSDT@Min1';
const second = 1000;
const minute = 60 * second;

let harness: StreamHarness;
beforeEach(async () => {
  harness = await startStreamHarness();
});
afterEach(() => harness.close());

/** Lets machine time pass in steps, as timers see it. */
const pass = (seconds: number): void => {
  for (let step = 0; step < seconds; step += 1) harness.timers.advance(second);
};
const isOpen = (client: StreamClient): boolean => client.closing === null;

test('SPEC-STR-02: 30 s without a subscription close a connection', async () => {
  const client = await harness.connect();
  pass(28);
  await client.ask('PING');
  expect(isOpen(client)).toBe(true);
  pass(3);
  expect(await client.closed()).toEqual({ code: 1008, reason: 'no subscription for 30 seconds' });
});

test('a refused subscription does not count; giving up the last channel starts the 30 s again', async () => {
  const client = await harness.connect();
  pass(20);
  await client.subscribe('spot@nothing');
  const other = await harness.connect();
  await other.subscribe(deals);
  pass(20);
  expect(await client.closed()).toMatchObject({ code: 1008 });
  await other.ask('UNSUBSCRIPTION', [deals]);
  pass(28);
  await other.ask('PING');
  pass(3);
  expect(await other.closed()).toMatchObject({ reason: 'no subscription for 30 seconds' });
});

test('60 s without any traffic close a connection; the server asks by a ping after 30 s', async () => {
  const silent = await harness.connect();
  await silent.subscribe(deals);
  silent.socket.pong = () => {};
  silent.socket.removeAllListeners('ping');
  Object.assign(silent.socket, { _autoPong: false });
  let pings = 0;
  silent.socket.on('ping', () => {
    pings += 1;
  });
  pass(31);
  await until('a ping', () => pings === 1);
  pass(28);
  expect(isOpen(silent)).toBe(true);
  pass(2);
  expect(await silent.closed()).toEqual({ code: 1008, reason: 'no traffic for 60 seconds' });
});

test('a pong is traffic: who answers pings stays', async () => {
  const client = await harness.connect();
  await client.subscribe(deals);
  for (let round = 0; round < 4; round += 1) {
    pass(31);
    await until('a ping', () => client.pings > round);
    await client.drain();
  }
  expect(isOpen(client)).toBe(true);
});

test('a push is traffic', async () => {
  const client = await harness.connect();
  await client.subscribe(kline);
  Object.assign(client.socket, { _autoPong: false });
  await harness.order(people.alice, { side: 'sell', price: 100 as never, quantity: 1000 as never });
  for (let round = 0; round < 9; round += 1) {
    await harness.order(people.bob, { price: 100 as never, quantity: 1 as never });
    pass(10);
    await until('a candle', () => client.pushes.length > round);
  }
  expect(isOpen(client)).toBe(true);
});

test('SPEC-STR-07: a connection ends after 24 hours of the exchange', async () => {
  const client = await harness.connect();
  await client.subscribe(deals);
  harness.exchange.clock.time += 24 * 60 * minute - 1;
  pass(1);
  await client.drain();
  harness.exchange.clock.time += 1;
  pass(1);
  expect(await client.closed()).toEqual({ code: 1001, reason: 'connected for 24 hours' });
});

test('SPEC-STR-01, G14: a wrong, deleted or expired key is refused with 401, no key gets the public channels', async () => {
  const deleted = await harness.addKey(people.alice);
  await harness.exchange.submit({ kind: 'deleteListenKey', account: people.alice, keyHash: listenKeyHash(deleted) });
  const expired = await harness.addKey(people.alice);
  harness.exchange.clock.time += 60 * minute;
  for (const key of ['0'.repeat(64), 'x', `${expired}0`, expired.toUpperCase(), deleted, expired]) {
    expect(await refusedStatus(`${harness.url}?listenKey=${key}`)).toBe(401);
  }
  expect(harness.streams.counts()).toEqual({
    connections: 0,
    addresses: 0,
    listenKeys: 0,
    publicTopics: 0,
    privateTopics: 0,
  });
  expect(await refusedStatus(`${harness.url}?listenKey=`)).toBe(101);
  expect(await refusedStatus(harness.url)).toBe(101);
  expect(await refusedStatus(`${harness.url}?encoding=xml`)).toBe(400);
  expect(await refusedStatus(harness.url.replace('/ws', '/other'))).toBe(404);
});

test('SPEC-STR-08, G15, DEC-STR-09: a 6th connection on a key is refused with 429 and Retry-After, and the five live', async () => {
  const key = await harness.addKey(people.alice);
  const url = `${harness.url}?listenKey=${key}`;
  const five = await Promise.all(Array.from({ length: 5 }, () => harness.connect(`?listenKey=${key}`)));
  expect(await refusedStatus(url)).toBe(429);
  expect((await refusedHeaders(url))['retry-after']).toBe('60');
  for (const client of five) expect((await client.ask('PING')).msg).toBe('PONG');
  await (five[0] as StreamClient).leave();
  await until('the place', () => harness.streams.counts().connections === 4);
  const sixth = await harness.connect(`?listenKey=${key}`);
  expect((await sixth.subscribe('spot@private.orders.v3.api.pb')).msg).toBe('spot@private.orders.v3.api.pb');
});

test('six upgrades on a key at once let five in', async () => {
  const key = await harness.addKey(people.alice);
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => {
      try {
        await harness.connect(`?listenKey=${key}`);
        return 101;
      } catch {
        return 429;
      }
    }),
  );
  expect(statuses.filter((status) => status === 101)).toHaveLength(5);
});

test('G18: a key is good at 59:59 and renewed for an hour; its connections close when it expires', async () => {
  const key = await harness.addKey(people.alice);
  harness.exchange.clock.time += 60 * minute - second;
  const client = await harness.connect(`?listenKey=${key}`);
  await client.subscribe('spot@private.orders.v3.api.pb');
  await harness.exchange.submit({ kind: 'renewListenKey', account: people.alice, keyHash: listenKeyHash(key) });
  harness.exchange.clock.time += 60 * minute - 1;
  pass(1);
  await client.drain();
  harness.exchange.clock.time += 1;
  pass(1);
  expect(await client.closed()).toEqual({ code: 1008, reason: 'listen key is no longer valid' });
  expect(await refusedStatus(`${harness.url}?listenKey=${key}`)).toBe(401);
});

test('SPEC-LKEY-04: deleting a key closes its connections and no others', async () => {
  const key = await harness.addKey(people.alice);
  const client = await harness.connect(`?listenKey=${key}`);
  const other = await harness.listen(people.alice);
  await harness.exchange.submit({ kind: 'deleteListenKey', account: people.bob, keyHash: listenKeyHash(key) });
  await client.drain();
  await harness.exchange.submit({ kind: 'deleteListenKey', account: people.alice, keyHash: listenKeyHash(key) });
  expect(await client.closed()).toMatchObject({ code: 1008 });
  expect((await other.ask('PING')).msg).toBe('PONG');
});

test('a key that is deleted while an upgrade looks it up lets nobody in', async () => {
  const key = await harness.addKey(people.alice);
  const upgrade = refusedStatus(`${harness.url}?listenKey=${key}`);
  await harness.exchange.submit({ kind: 'deleteListenKey', account: people.alice, keyHash: listenKeyHash(key) });
  const status = await upgrade;
  await until('nobody is left', () => harness.streams.counts().connections === 0);
  expect([101, 401]).toContain(status);
  expect(harness.streams.counts().listenKeys).toBe(0);
});

test('banned and denied addresses are refused before anything is looked up', async () => {
  const { bans } = harness.limits;
  bans.put({ address: '127.0.0.1', until: as(harness.timers.time + 120_000), times: 1 });
  expect(await refusedStatus(harness.url)).toBe(418);
  bans.put({ address: '127.0.0.1', until: as(0), times: 1 });
  const client = harness.limits.addresses.clientOf('127.0.0.1', undefined);
  for (let fault = 0; fault <= 100; fault += 1) harness.limits.countFault(client, harness.timers.time);
  expect(await refusedStatus(harness.url)).toBe(403);
});

test('DEC-STR-105: a listen key ends with the API key that made it, and so do its connections', async () => {
  const mine = { accessKey: 'mx0ends' };
  const [first, second] = [await harness.addKey(people.alice, mine), await harness.addKey(people.alice, mine)];
  const other = await harness.addKey(people.alice);
  const clients = await Promise.all([first, second].map((key) => harness.connect(`?listenKey=${key}`)));
  const staying = await harness.connect(`?listenKey=${other}`);
  await harness.exchange.submit({ kind: 'setAccountStatus', account: people.alice, status: 'frozen' });
  for (const client of [...clients, staying]) expect((await client.ask('PING')).msg).toBe('PONG');
  await harness.exchange.submit({ kind: 'deleteApiKey', account: people.alice, accessKey: mine.accessKey });
  for (const client of clients) {
    expect(await client.closed()).toEqual({ code: 1008, reason: 'listen key is no longer valid' });
  }
  expect((await staying.ask('PING')).msg).toBe('PONG');
  expect(await refusedStatus(`${harness.url}?listenKey=${first}`)).toBe(401);
  expect(await harness.exchange.queries.listenKeysOf(people.alice)).toHaveLength(1);
});

test('DEC-OPR-167: while the API of an account is off its listen keys open nothing, and connections close within a second', async () => {
  const key = await harness.addKey(people.alice);
  const mine = await harness.connect(`?listenKey=${key}`);
  const others = await harness.listen(people.bob);
  const set = (api: boolean) =>
    harness.exchange.submit({
      kind: 'setAccountSwitches',
      account: people.alice,
      switches: { trade: true, withdraw: true, api },
      cancelOrders: false,
    });
  await set(false);
  pass(1);
  expect(await mine.closed()).toEqual({ code: 1008, reason: 'listen key is no longer valid' });
  expect((await others.ask('PING')).msg).toBe('PONG');
  expect(await refusedStatus(`${harness.url}?listenKey=${key}`)).toBe(401);
  await set(true);
  expect((await (await harness.connect(`?listenKey=${key}`)).ask('PING')).msg).toBe('PONG');
});

test('DEC-OPR-176: a banned account or key opens nothing, and its private connections close within a second', async () => {
  const { exchange, limits } = harness;
  exchange.sequencer.subscribe(limits.facts);
  const banned = { accessKey: 'mx0banned' };
  const [ofKey, ofAccount] = [await harness.addKey(people.alice, banned), await harness.addKey(people.alice)];
  const connect = (key: string) => harness.connect(`?listenKey=${key}`);
  const [first, second, others] = [await connect(ofKey), await connect(ofAccount), await harness.listen(people.bob)];
  const set = (kind: 'key' | 'account', target: string) =>
    exchange.submit({ kind: 'setBan', banned: kind, target, until: null, reason: 'A test.' });
  await set('key', banned.accessKey);
  pass(1);
  expect(await first.closed()).toEqual({ code: 1008, reason: 'listen key is no longer valid' });
  expect([await refusedStatus(`${harness.url}?listenKey=${ofKey}`), isOpen(second)]).toEqual([401, true]);
  const target = String(exchange.engine.state.accounts.get(people.alice)!.uid);
  await set('account', target);
  pass(1);
  expect(await second.closed()).toMatchObject({ code: 1008 });
  expect(await refusedStatus(`${harness.url}?listenKey=${ofAccount}`)).toBe(401);
  expect((await others.ask('PING')).msg).toBe('PONG');
  await exchange.submit({ kind: 'liftBan', banned: 'account', target });
  expect((await (await connect(ofAccount)).ask('PING')).msg).toBe('PONG');
});

test('DEC-OPR-176: websockets of a banned address close, and it opens no others', async () => {
  const client = await harness.connect();
  harness.limits.operatorBans.put({
    ...{ banned: 'address', target: '127.0.0.0/8', account: null, until: null, reason: 'x', actor: null, since: as(0) },
  });
  pass(1);
  expect(await client.closed()).toEqual({ code: 1008, reason: 'this address is banned' });
  expect(await refusedStatus(harness.url)).toBe(418);
});

test('DEC-STR-105: a listen key opens only from the addresses that its API key is bound to', async () => {
  const bound = { accessKey: 'mx0bound', ips: ['127.0.0.2', '127.8.0.0/16'] };
  const key = await harness.addKey(people.alice, bound);
  expect(await refusedStatus(`${harness.url}?listenKey=${key}`)).toBe(403);
  for (const address of ['127.0.0.2', '127.8.1.1']) {
    const client = await StreamClient.open(`${harness.url}?listenKey=${key}`, address);
    expect((await client.subscribe('spot@private.orders.v3.api.pb')).msg).toBe('spot@private.orders.v3.api.pb');
    await client.leave();
  }
  expect(harness.streams.counts()).toMatchObject({ connections: 0, listenKeys: 0, addresses: 0 });
});

test('DEC-STR-105: a listen key is made by a key of the account only', async () => {
  await harness.addKey(people.alice);
  const key = { accessKey: `mx0stream${people.alice}`, keyHash: 'b'.repeat(64), sealedKey: 'sealed' };
  for (const [account, accessKey] of [
    [people.bob, key.accessKey],
    [people.alice, 'mx0nobody'],
  ] as const) {
    const { events } = await harness.exchange.submit({ kind: 'createListenKey', ...key, account, accessKey });
    expect(events).toMatchObject([{ kind: 'commandRefused', reason: 'unknownKey' }]);
  }
  expect(harness.exchange.faults()).toEqual([]);
});
