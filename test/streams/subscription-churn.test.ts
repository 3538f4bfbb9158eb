import { expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { refusedHeaders, refusedStatus, StreamClient, until } from './stream-client.ts';
import { people, startStreamHarness, type StreamHarness } from './stream-harness.ts';

const blocked = 'Not Subscribed successfully!';
/** Thirty channels that each begin with a state: weight 60. */
const full = ['BTCUSDT', 'TKNUSDT'].flatMap((symbol) => [
  ...['5', '10', '20'].map((levels) => `spot@public.limit.depth.v3.api.pb@${symbol}@${levels}`),
  ...['Min1', 'Min5', 'Min15', 'Min30', 'Min60', 'Hour4', 'Hour8', 'Day1', 'Week1', 'Month1'].map(
    (interval) => `spot@public.kline.v3.api.pb@${symbol}@${interval}`,
  ),
  ...['10ms', '100ms'].map((speed) => `spot@public.aggre.bookTicker.v3.api.pb@${speed}@${symbol}`),
]);

/** Subscribes and unsubscribes, within the limit of messages, until a subscription is refused; answers how often. */
async function churn(harness: StreamHarness, client: StreamClient): Promise<number> {
  for (let round = 1; round <= 100; round += 1) {
    harness.timers.time += 50;
    if ((await client.subscribe(...full)).msg.startsWith(blocked)) return round;
    await client.ask('UNSUBSCRIPTION', full);
  }
  return 0;
}

test('DEC-STR-100: subscriptions weigh by channel; what a connection asks beyond its weight is refused', async () => {
  const harness = await startStreamHarness();
  const client = await harness.connect();
  // 30 channels of weight 2, and two messages of two started KiB: 62 of 1,200.
  expect(await churn(harness, client)).toBe(19);
  const other = await harness.connect();
  expect((await other.subscribe(...full)).msg).toBe(full.join(','));
  harness.timers.time += 10_000;
  await client.ask('UNSUBSCRIPTION', full);
  expect((await client.subscribe(...full)).msg).toBe(full.join(','));
  await harness.close();
});

test('DEC-STR-100: an address has one weight for all its connections, another address has its own', async () => {
  const harness = await startStreamHarness({ settings: { connectionsPerAddressMax: 4 } });
  const clients = await Promise.all([1, 2, 3, 4].map(() => harness.connect()));
  let granted = 0;
  for (let round = 0; round < 5; round += 1) {
    for (const client of clients) {
      if ((await client.subscribe(...full)).msg === full.join(',')) granted += 1;
      await client.ask('UNSUBSCRIPTION', full);
    }
  }
  // 4 × 128 of weight: each of them twice.
  expect(granted).toBe(8);
  const stranger = await StreamClient.open(harness.url, '127.0.0.2');
  expect((await stranger.subscribe(...full)).msg).toBe(full.join(','));
  await harness.close();
});

test('DEC-STR-101: who goes on asking is disconnected, and climbs the ban ladder', async () => {
  const harness = await startStreamHarness();
  const client = await harness.connect();
  await churn(harness, client);
  for (let more = 0; more < 15; more += 1) client.send({ method: 'SUBSCRIPTION', params: full });
  expect(await client.closed()).toEqual({ code: 1008, reason: 'too many messages' });
  const again = await harness.connect();
  await churn(harness, again);
  for (let more = 0; more < 15; more += 1) again.send({ method: 'SUBSCRIPTION', params: full });
  await again.closed();
  expect(harness.banned).toEqual(['127.0.0.1']);
  await harness.close();
});

test('DEC-STR-101: pings within the limit of messages are answered all the same', async () => {
  const harness = await startStreamHarness();
  const client = await harness.connect();
  for (let second = 0; second < 20; second += 1) {
    for (let ping = 0; ping < 100; ping += 1) client.send({ method: 'PING', id: second * 100 + ping });
    await client.reply(second * 100 + 99);
    harness.timers.time += 1000;
  }
  expect(client.closing).toBeNull();
  await harness.close();
});

test('DEC-STR-100: without rate limits nothing is weighed', async () => {
  const harness = await startStreamHarness({ settings: { rateLimits: false } });
  expect(await churn(harness, await harness.connect())).toBe(0);
  await harness.close();
});

test('DEC-STR-102: an address that connects again and again is refused with Retry-After, then banned', async () => {
  const harness = await startStreamHarness({ settings: { connectionsPerAddressMax: 3 } });
  for (let round = 0; round < 6; round += 1) {
    const client = await harness.connect();
    client.socket.terminate();
    await until('it is gone', () => harness.streams.counts().connections === 0);
  }
  expect((await refusedHeaders(harness.url))['retry-after']).toBe('10');
  const stranger = await StreamClient.open(harness.url, '127.0.0.2');
  expect((await stranger.ask('PING')).msg).toBe('PONG');
  harness.timers.time += 10_000;
  expect(await refusedStatus(harness.url)).toBe(101);
  harness.timers.time += 10_000;
  for (let round = 0; round < 6; round += 1) await refusedStatus(harness.url);
  expect(await refusedStatus(harness.url)).toBe(429);
  expect(await refusedStatus(harness.url)).toBe(418);
  await harness.close();
});

test('DEC-STR-102: upgrades that are refused for anything else count too', async () => {
  const harness = await startStreamHarness({ settings: { connectionsPerAddressMax: 1 } });
  const elsewhere = harness.url.replace(/\/ws$/, '/elsewhere');
  const answers = [elsewhere, `${harness.url}?encoding=xml`, elsewhere, harness.url].map(
    (url) => () => refusedStatus(url),
  );
  const statuses: number[] = [];
  for (const ask of answers) statuses.push(await ask());
  expect(statuses).toEqual([404, 400, 429, 418]);
  await harness.close();
});

test('DEC-STR-103: a state is encoded once for all who join while it stands', async () => {
  const harness = await startStreamHarness();
  await harness.order(people.alice, { side: 'sell', price: as(10_000), quantity: as(1000) });
  const channel = 'spot@public.limit.depth.v3.api.pb@BTCUSDT@20';
  const keeper = await harness.connect();
  await keeper.subscribe(channel);
  const [first] = await keeper.take(1);
  const join = async () => {
    const client = await harness.connect();
    await client.subscribe(channel);
    const [state] = await client.take(1);
    await client.leave();
    return state;
  };
  harness.exchange.clock.time += 500;
  harness.timers.time += 500;
  // The time of sending tells that it is the push that was made for the first.
  expect(await join()).toEqual(first);
  await harness.order(people.alice, { side: 'sell', price: as(10_100), quantity: as(1000) });
  const changed = await join();
  expect(changed?.sendTime).toBe((first?.sendTime ?? 0n) + 500n);
  expect(changed?.body.value).toMatchObject({ asks: [{ price: '100' }, { price: '101' }] });
  harness.exchange.clock.time += 1000;
  harness.timers.time += 1000;
  expect((await join())?.sendTime).toBe((changed?.sendTime ?? 0n) + 1000n);
  await harness.close();
});

test('DEC-STR-02: a request names at most 100 channels', async () => {
  const harness = await startStreamHarness();
  const client = await harness.connect();
  const names = Array.from({ length: 101 }, (_, index) => `n${index}`);
  expect(await client.ask('UNSUBSCRIPTION', names)).toMatchObject({ code: 1 });
  expect(await client.ask('UNSUBSCRIPTION', names.slice(1))).toMatchObject({ code: 0 });
  await harness.close();
});
