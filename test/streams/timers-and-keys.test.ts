import { afterEach, beforeEach, expect, test } from 'vitest';
import { as } from '#domain/units.ts';
import { listenKeyHash } from '#streams/listen-key-door.ts';
import { refusedHeaders, refusedStatus, type StreamClient, until } from './stream-client.ts';
import { people, startStreamStage, type StreamStage } from './stream-stage.ts';

const deals = 'spot@public.aggre.deals.v3.api.pb@10ms@BTCUSDT';
const kline = 'spot@public.kline.v3.api.pb@BTCUSDT@Min1';
const second = 1000;
const minute = 60 * second;

let stage: StreamStage;
beforeEach(async () => {
  stage = await startStreamStage();
});
afterEach(() => stage.close());

/** Lets machine time pass in steps, as timers see it. */
const pass = (seconds: number): void => {
  for (let step = 0; step < seconds; step += 1) stage.timers.advance(second);
};
const isOpen = (client: StreamClient): boolean => client.closing === null;

test('SPEC-STR-02: 30 s without a subscription close a connection', async () => {
  const client = await stage.connect();
  pass(28);
  await client.ask('PING');
  expect(isOpen(client)).toBe(true);
  pass(3);
  expect(await client.closed()).toEqual({ code: 1008, reason: 'no subscription for 30 seconds' });
});

test('a refused subscription does not count; giving up the last channel starts the 30 s again', async () => {
  const client = await stage.connect();
  pass(20);
  await client.subscribe('spot@nothing');
  const other = await stage.connect();
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
  const silent = await stage.connect();
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
  const client = await stage.connect();
  await client.subscribe(deals);
  for (let round = 0; round < 4; round += 1) {
    pass(31);
    await until('a ping', () => client.pings > round);
    await client.settle();
  }
  expect(isOpen(client)).toBe(true);
});

test('a push is traffic', async () => {
  const client = await stage.connect();
  await client.subscribe(kline);
  Object.assign(client.socket, { _autoPong: false });
  await stage.order(people.alice, { side: 'sell', price: 100 as never, quantity: 1000 as never });
  for (let round = 0; round < 9; round += 1) {
    await stage.order(people.bob, { price: 100 as never, quantity: 1 as never });
    pass(10);
    await until('a candle', () => client.pushes.length > round);
  }
  expect(isOpen(client)).toBe(true);
});

test('SPEC-STR-07: a connection ends after 24 hours of the exchange', async () => {
  const client = await stage.connect();
  await client.subscribe(deals);
  stage.exchange.clock.time += 24 * 60 * minute - 1;
  pass(1);
  await client.settle();
  stage.exchange.clock.time += 1;
  pass(1);
  expect(await client.closed()).toEqual({ code: 1001, reason: 'connected for 24 hours' });
});

test('SPEC-STR-01, G14: a wrong, deleted or expired key is refused with 401, no key gets the public channels', async () => {
  const deleted = await stage.addKey(people.alice);
  await stage.exchange.submit({ kind: 'deleteListenKey', account: people.alice, keyHash: listenKeyHash(deleted) });
  const expired = await stage.addKey(people.alice);
  stage.exchange.clock.time += 60 * minute;
  for (const key of ['0'.repeat(64), 'x', `${expired}0`, expired.toUpperCase(), deleted, expired]) {
    expect(await refusedStatus(`${stage.url}?listenKey=${key}`)).toBe(401);
  }
  expect(stage.streams.counts()).toEqual({
    connections: 0,
    addresses: 0,
    listenKeys: 0,
    publicTopics: 0,
    privateTopics: 0,
  });
  expect(await refusedStatus(`${stage.url}?listenKey=`)).toBe(101);
  expect(await refusedStatus(stage.url)).toBe(101);
  expect(await refusedStatus(`${stage.url}?encoding=xml`)).toBe(400);
  expect(await refusedStatus(stage.url.replace('/ws', '/other'))).toBe(404);
});

test('SPEC-STR-08, G15, DEC-STR-09: a 6th connection on a key is refused with 429 and Retry-After, and the five live', async () => {
  const key = await stage.addKey(people.alice);
  const url = `${stage.url}?listenKey=${key}`;
  const five = await Promise.all(Array.from({ length: 5 }, () => stage.connect(`?listenKey=${key}`)));
  expect(await refusedStatus(url)).toBe(429);
  expect((await refusedHeaders(url))['retry-after']).toBe('60');
  for (const client of five) expect((await client.ask('PING')).msg).toBe('PONG');
  await (five[0] as StreamClient).leave();
  await until('the place', () => stage.streams.counts().connections === 4);
  const sixth = await stage.connect(`?listenKey=${key}`);
  expect((await sixth.subscribe('spot@private.orders.v3.api.pb')).msg).toBe('spot@private.orders.v3.api.pb');
});

test('six upgrades on a key at once let five in', async () => {
  const key = await stage.addKey(people.alice);
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => {
      try {
        await stage.connect(`?listenKey=${key}`);
        return 101;
      } catch {
        return 429;
      }
    }),
  );
  expect(statuses.filter((status) => status === 101)).toHaveLength(5);
});

test('G18: a key is good at 59:59 and renewed for an hour; its connections close when it expires', async () => {
  const key = await stage.addKey(people.alice);
  stage.exchange.clock.time += 60 * minute - second;
  const client = await stage.connect(`?listenKey=${key}`);
  await client.subscribe('spot@private.orders.v3.api.pb');
  await stage.exchange.submit({ kind: 'renewListenKey', account: people.alice, keyHash: listenKeyHash(key) });
  stage.exchange.clock.time += 60 * minute - 1;
  pass(1);
  await client.settle();
  stage.exchange.clock.time += 1;
  pass(1);
  expect(await client.closed()).toEqual({ code: 1008, reason: 'listen key is no longer valid' });
  expect(await refusedStatus(`${stage.url}?listenKey=${key}`)).toBe(401);
});

test('SPEC-LKEY-04: deleting a key closes its connections and no others', async () => {
  const key = await stage.addKey(people.alice);
  const client = await stage.connect(`?listenKey=${key}`);
  const other = await stage.listen(people.alice);
  await stage.exchange.submit({ kind: 'deleteListenKey', account: people.bob, keyHash: listenKeyHash(key) });
  await client.settle();
  await stage.exchange.submit({ kind: 'deleteListenKey', account: people.alice, keyHash: listenKeyHash(key) });
  expect(await client.closed()).toMatchObject({ code: 1008 });
  expect((await other.ask('PING')).msg).toBe('PONG');
});

test('a key that is deleted while an upgrade looks it up lets nobody in', async () => {
  const key = await stage.addKey(people.alice);
  const upgrade = refusedStatus(`${stage.url}?listenKey=${key}`);
  await stage.exchange.submit({ kind: 'deleteListenKey', account: people.alice, keyHash: listenKeyHash(key) });
  const status = await upgrade;
  await until('nobody is left', () => stage.streams.counts().connections === 0);
  expect([101, 401]).toContain(status);
  expect(stage.streams.counts().listenKeys).toBe(0);
});

test('banned and denied addresses are refused before anything is looked up', async () => {
  const { bans } = stage.limits;
  bans.learn({ address: '127.0.0.1', until: as(stage.timers.time + 120_000), times: 1 });
  expect(await refusedStatus(stage.url)).toBe(418);
  bans.learn({ address: '127.0.0.1', until: as(0), times: 1 });
  const client = stage.limits.addresses.clientOf('127.0.0.1', undefined);
  for (let fault = 0; fault <= 100; fault += 1) stage.limits.countFault(client, stage.timers.time);
  expect(await refusedStatus(stage.url)).toBe(403);
});
