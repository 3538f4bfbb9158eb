import { expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { StreamClient, until } from './stream-client.ts';
import { people, startStreamHarness } from './stream-harness.ts';

const sockets = 1000;
const channels = [
  'spot@public.aggre.deals.v3.api.pb@10ms@BTCUSDT',
  'spot@public.limit.depth.v3.api.pb@BTCUSDT@5',
  'spot@public.miniTickers.v3.api.pb@24H',
];
const orders = 'spot@private.orders.v3.api.pb';

test('DEC-STR-100, DEC-STR-102: all connections of an address may return at once with all their channels, twice', async () => {
  const harness = await startStreamHarness({ settings: { connectionsPerAddressMax: 200 } });
  const full = ['BTCUSDT', 'TKNUSDT'].flatMap((symbol) => [
    ...['5', '10', '20'].map((levels) => `spot@public.limit.depth.v3.api.pb@${symbol}@${levels}`),
    ...['Min1', 'Min5', 'Min15', 'Min30', 'Min60', 'Hour4'].map(
      (interval) => `spot@public.kline.v3.api.pb@${symbol}@${interval}`,
    ),
    ...['24H', 'UTC+0', 'UTC+8', 'UTC-8'].map((zone) => `spot@public.miniTicker.v3.api.pb@${symbol}@${zone}`),
    ...['10ms', '100ms'].map((speed) => `spot@public.aggre.bookTicker.v3.api.pb@${speed}@${symbol}`),
  ]);
  expect(full).toHaveLength(30);
  for (let round = 0; round < 2; round += 1) {
    const clients = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const client = await StreamClient.open(harness.url);
        expect((await client.subscribe(...full)).msg).toBe(full.join(','));
        return client;
      }),
    );
    for (const client of clients) client.socket.terminate();
    await until('all are gone', () => harness.streams.counts().connections === 0);
  }
  expect(harness.banned).toEqual([]);
  await harness.close();
}, 60_000);

test('a thousand sockets that drop and return at once leave nothing behind', async () => {
  const harness = await startStreamHarness();
  const keys: string[] = [];
  for (const account of Object.values(people)) {
    for (let key = 0; key < 60; key += 1) keys.push(await harness.addKey(account));
  }
  const connectAll = (): Promise<StreamClient[]> =>
    Promise.all(
      Array.from({ length: sockets }, async (_none, index) => {
        const key = index < keys.length * 5 ? `?listenKey=${keys[Math.floor(index / 5)]}` : '';
        const client = await StreamClient.open(harness.url + key);
        const wanted = key === '' ? channels : [...channels, orders];
        expect((await client.subscribe(...wanted)).msg).toBe(wanted.join(','));
        return client;
      }),
    );
  const nothing = { connections: 0, addresses: 0, listenKeys: 0, publicTopics: 0, privateTopics: 0 };
  for (let round = 0; round < 3; round += 1) {
    const clients = await connectAll();
    expect(harness.streams.counts()).toMatchObject({ connections: sockets, listenKeys: keys.length, publicTopics: 3 });
    await harness.order(people.alice, { side: 'sell', price: as(10_000), quantity: as(10) });
    await harness.order(people.bob, { side: 'buy', price: as(10_000), quantity: as(10) });
    harness.timers.advance(10);
    await until('everybody has the trade', () =>
      clients.every(({ pushes }) => pushes.some(({ body }) => body.case === 'publicAggreDeals')),
    );
    const half = clients.splice(0, sockets / 2);
    for (const client of half) client.socket.terminate();
    for (const client of clients) client.socket.close();
    await until('all are gone', () => harness.streams.counts().connections === 0);
    expect(harness.streams.counts()).toEqual(nothing);
    expect(harness.counted).toMatchObject({ connections: 0, subscriptions: 0, slow: 0 });
  }
  // Days of the tickers are kept a while.
  harness.timers.advance(11 * 60_000);
  expect(harness.timers.waiting).toBe(0);
  expect(harness.troubles).toEqual([]);
  await harness.close();
}, 60_000);
