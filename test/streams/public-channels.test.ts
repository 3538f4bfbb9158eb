import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { as } from '#model/units.ts';
import { MemoryHistoryStore } from '../ports/memory-history-store.ts';
import { createMarketData } from '#market-data/market-data.ts';
import { startSandbox } from '../simulation/sandbox-harness.ts';
import { LocalBook, type RestDepth } from './local-book.ts';
import { StreamClient, until } from './stream-client.ts';
import { people, serveStreams, startStreamHarness, type StreamHarness } from './stream-harness.ts';

let harness: StreamHarness;
beforeEach(async () => {
  harness = await startStreamHarness();
});
afterEach(() => harness.close());

const sell = (price: number, quantity: number) =>
  harness.order(people.alice, { side: 'sell', price: as(price), quantity: as(quantity) });
const buy = (price: number, quantity: number) =>
  harness.order(people.bob, { side: 'buy', price: as(price), quantity: as(quantity) });
const turn = () => new Promise((resolve) => setImmediate(resolve));
const name = (stem: string, rest: string): string => `spot@public.${stem}.v3.api.pb@${rest}`;
const at = 1_700_000_000_000n;

test('DEC-STR-06: aggre.deals sends every trade of its window, none merged, once the window ends', async () => {
  const client = await harness.connect();
  await client.subscribe(name('aggre.deals', '10ms@BTCUSDT'));
  await sell(10_000, 10_000);
  await buy(10_000, 1000);
  await buy(10_100, 2000);
  await client.drain();
  expect(client.pushes).toEqual([]);
  harness.timers.advance(10);
  const [push] = await client.take(1);
  expect(push).toMatchObject({
    channel: name('aggre.deals', '10ms@BTCUSDT'),
    symbol: 'BTCUSDT',
    createTime: at,
    sendTime: at,
  });
  expect(push?.body.value).toMatchObject({
    eventType: 'spot@public.aggre.deals.v3.api.pb@10ms',
    deals: [
      { price: '100', quantity: '0.1', tradeType: 1, time: at, tradeId: '1' },
      { price: '100', quantity: '0.2', tradeType: 1, time: at, tradeId: '2' },
    ],
  });
  harness.timers.advance(100);
  await client.drain();
  expect(client.pushes).toEqual([]);
  expect(harness.timers.waiting).toBe(1);
});

test('DEC-STR-20, DEC-STR-24: aggre.depth sends changed levels with the range of versions; 0 removes a level', async () => {
  const client = await harness.connect();
  await sell(10_000, 10_000);
  await client.subscribe(name('aggre.depth', '100ms@BTCUSDT'));
  await sell(10_100, 5000);
  await buy(9900, 5000);
  await buy(10_000, 10_000);
  harness.timers.advance(100);
  const [push] = await client.take(1);
  expect(push?.body.value).toMatchObject({
    asks: [
      { price: '100', quantity: '0' },
      { price: '101', quantity: '0.5' },
    ],
    bids: [{ price: '99', quantity: '0.5' }],
    fromVersion: '2',
    toVersion: '4',
    lastOrderCreateTime: at,
    eventType: 'spot@public.aggre.depth.v3.api.pb@100ms',
  });
});

test('DEC-STR-21, DEC-STR-22, DEC-STR-23: limit.depth, book ticker and its batch start with the state and follow its changes only', async () => {
  await sell(10_000, 10_000);
  const client = await harness.connect();
  await client.subscribe(
    name('limit.depth', 'BTCUSDT@5'),
    name('aggre.bookTicker', '10ms@BTCUSDT'),
    name('bookTicker.batch', 'BTCUSDT'),
  );
  const first = await client.take(3);
  expect(first.map(({ body }) => body.value)).toMatchObject([
    { asks: [{ price: '100', quantity: '1' }], bids: [], version: '1', eventType: 'spot@public.limit.depth.v3.api.pb' },
    { askPrice: '100', askQuantity: '1', bidPrice: '', bidQuantity: '', version: '1' },
    { items: [{ askPrice: '100', askQuantity: '1' }], version: '1' },
  ]);
  await sell(11_000, 10_000);
  harness.timers.advance(100);
  const [depth] = await client.take(1);
  expect(depth?.body.value).toMatchObject({ asks: [{ price: '100' }, { price: '110' }], version: '2' });
  await buy(9000, 10_000);
  await buy(9500, 10_000);
  harness.timers.advance(10);
  const tickers = await client.take(2);
  expect(tickers.map(({ body }) => body.value)).toMatchObject([
    { bidPrice: '95', bidQuantity: '1', askPrice: '100', version: '4' },
    { items: [{ bidPrice: '90' }, { bidPrice: '95' }], version: '4' },
  ]);
  await client.drain();
  expect(client.pushes).toHaveLength(0);
});

test('kline starts with the current candle and follows every second in which it changed, also into the next window', async () => {
  await sell(10_000, 100_000);
  await buy(10_000, 1000);
  const client = await harness.connect();
  await client.subscribe(name('kline', 'BTCUSDT@Min5'));
  const [state] = await client.take(1);
  const start = BigInt(Math.floor(1_700_000_000 / 300) * 300);
  expect(state?.body.value).toMatchObject({
    interval: 'Min5',
    windowStart: start,
    windowEnd: start + 300n,
    openingPrice: '100',
    closingPrice: '100',
    highestPrice: '100',
    lowestPrice: '100',
    volume: '0.1',
    amount: '10',
  });
  harness.timers.advance(5000);
  await client.drain();
  expect(client.pushes).toEqual([]);
  await sell(9900, 1000);
  await buy(9900, 1000);
  harness.timers.advance(1000);
  const [changed] = await client.take(1);
  expect(changed?.body.value).toMatchObject({ lowestPrice: '99', closingPrice: '99', volume: '0.2', amount: '19.9' });
  harness.exchange.clock.time += 300_000;
  harness.timers.advance(2000);
  const [next] = await client.take(1);
  expect(next?.body.value).toMatchObject({ windowStart: start + 300n, openingPrice: '99', volume: '0' });
});

test('DEC-STR-25: mini tickers tell the day of their zone and the day before it', async () => {
  const { clock } = harness.exchange;
  const day = 86_400_000;
  clock.time = Date.UTC(2023, 10, 20, 12);
  await sell(10_000, 1_000_000);
  await buy(10_000, 1000);
  clock.time = Date.UTC(2023, 10, 24, 17);
  await sell(9000, 1000);
  await buy(9000, 1000);
  clock.time += day / 4;
  await sell(9500, 2000);
  await buy(9500, 2000);
  const client = await harness.connect();
  await client.subscribe(
    name('miniTicker', 'BTCUSDT@UTC+8'),
    name('miniTicker', 'BTCUSDT@UTC+0'),
    name('miniTickers', '24H'),
  );
  const pushes = await client.take(3);
  const tickerOf = (channel: string) => {
    const body = pushes.find((push) => push.channel.endsWith(channel))?.body;
    return body?.case === 'publicMiniTickers' ? body.value.items[0] : body?.value;
  };
  // 17:00 UTC is 01:00 of the 25th at UTC+8: both trades are of that day there.
  expect(tickerOf('@UTC+8')).toMatchObject({
    symbol: 'BTCUSDT',
    price: '95',
    rate: '-0.05',
    zonedRate: '-0.05',
    high: '95',
    low: '90',
    volume: '28',
    quantity: '0.3',
    lastCloseRate: '0',
    lastCloseZonedRate: '0',
    lastCloseHigh: '100',
    lastCloseLow: '100',
  });
  // It is 23:00 of the 24th at UTC: the same day.
  expect(tickerOf('@UTC+0')).toMatchObject({ zonedRate: '-0.05', high: '95', low: '90', quantity: '0.3' });
  expect(tickerOf('@24H')).toMatchObject({ zonedRate: '-0.05', high: '95', low: '90', quantity: '0.3' });
  clock.time += 2 * 3_600_000;
  harness.timers.advance(3000);
  const later = await client.take(3);
  const zoned = later.find((push) => push.channel.endsWith('@UTC+0'))?.body.value;
  expect(zoned).toMatchObject({
    rate: '-0.05',
    zonedRate: '0',
    high: '95',
    low: '95',
    volume: '0',
    quantity: '0',
    lastCloseZonedRate: '-0.05',
    lastCloseHigh: '95',
    lastCloseLow: '90',
  });
});

test('a channel exists with its first subscriber and goes with its last', async () => {
  const one = await harness.connect();
  const other = await harness.connect();
  const channels = [
    name('aggre.depth', '10ms@BTCUSDT'),
    name('kline', 'TKNUSDT@Min1'),
    name('limit.depth', 'BTCUSDT@5'),
  ];
  await one.subscribe(...channels);
  await other.subscribe(...channels);
  expect(harness.streams.counts().publicTopics).toBe(3);
  await one.ask('UNSUBSCRIPTION', channels);
  expect(harness.streams.counts().publicTopics).toBe(3);
  await other.leave();
  await until('no topics', () => harness.streams.counts().publicTopics === 0);
  harness.timers.advance(3000);
  expect(harness.timers.waiting).toBe(1);
  await sell(10_000, 1);
  harness.timers.advance(1000);
  await one.drain();
  expect(one.pushes.filter(({ body }) => body.case === 'publicAggreDepths')).toEqual([]);
});

const restOf = (market: StreamHarness['market'], symbol: number): RestDepth =>
  JSON.parse(market.depthText(as(symbol), 5000)) as RestDepth;

test('DEC-STR-20: a local book of random trading is the REST book at every version', async () => {
  const prng = createPrng(7);
  const client = await harness.connect();
  const book = new LocalBook();
  await sell(10_500, 1000);
  await client.subscribe(name('aggre.depth', '10ms@BTCUSDT'));
  let compared = 0;
  for (let step = 0; step < 3000; step += 1) {
    const price = 9900 + prng.below(200);
    if (prng.below(30) === 0) {
      const who = prng.below(2) === 0 ? people.alice : people.bob;
      await harness.exchange.submit({ kind: 'cancelOrders', account: who, symbols: [as(0)] });
    } else if (prng.below(2) === 0) await sell(price, 1 + prng.below(50));
    else await buy(price, 1 + prng.below(50));
    harness.timers.advance(prng.below(15));
    for (const push of client.pushes.splice(0)) book.take(push);
    if (!book.isFollowing && step > 20) book.start(restOf(harness.market, 0));
    if (step % 10 !== 0 || !book.isFollowing) continue;
    harness.timers.advance(10);
    await turn();
    harness.timers.time += 1000;
    await client.drain();
    for (const push of client.pushes.splice(0)) book.take(push);
    expect(book.depth(5000)).toEqual(restOf(harness.market, 0));
    compared += 1;
  }
  expect(book.restarts).toBe(0);
  expect(compared).toBeGreaterThan(200);
}, 60_000);

test('ten minutes of the simulated market, followed by a client, end in the REST book', async () => {
  const noon = Date.UTC(2026, 10, 21, 12);
  const sandbox = startSandbox('local-book', noon);
  sandbox.clock.set(noon - 10 * 60_000);
  const market = createMarketData({ history: new MemoryHistoryStore(), awaitHistory: async () => {} });
  sandbox.sequencer.subscribe(market);
  await sandbox.open();
  const served = await serveStreams({
    queries: sandbox.queries,
    feed: sandbox.sequencer,
    market,
    clock: sandbox.clock,
  });
  await sandbox.simulation.seedHistory({ now: noon, onProgress: () => {} });
  await sandbox.simulation.start();
  const symbol = sandbox.symbolId('BTCUSDT');
  const client = await StreamClient.open(served.url);
  await client.subscribe(name('aggre.depth', '100ms@BTCUSDT'));
  const book = new LocalBook();
  let compared = 0;
  for (let second = 0; second < 600; second += 1) {
    for (let tenth = 0; tenth < 10; tenth += 1) {
      await sandbox.pass(100);
      served.timers.advance(100);
    }
    await client.drain();
    for (const push of client.pushes.splice(0)) book.take(push);
    if (!book.isFollowing) book.start(restOf(market, symbol));
    const rest = restOf(market, symbol);
    expect(book.version).toBe(rest.lastUpdateId);
    expect(book.depth(5000)).toEqual(rest);
    compared += 1;
  }
  expect(book.restarts).toBe(0);
  expect(book.version).toBeGreaterThan(5000);
  expect(compared).toBe(600);
  await sandbox.simulation.stop();
  await served.close();
}, 120_000);
