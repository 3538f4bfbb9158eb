import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import type { ReadPush } from './push-reader.ts';
import type { StreamClient } from './stream-client.ts';
import { people, startStreamHarness, type StreamHarness } from './stream-harness.ts';

/** What subscribers of a pair hear when it is taken off the market, and what those hear who come later. */

let harness: StreamHarness;
beforeEach(async () => {
  harness = await startStreamHarness();
  await harness.order(people.alice, { side: 'sell', price: as(10_000), quantity: as(10_000) });
  await harness.order(people.bob, { side: 'buy', price: as(10_000), quantity: as(1000) });
});
afterEach(async () => {
  expect(harness.troubles).toEqual([]);
  await harness.close();
});

const name = (stem: string, rest: string): string => `spot@public.${stem}.v3.api.pb@${rest}`;
/** Every public channel of a pair. */
const channelsOf = (pair: string): readonly string[] => [
  name('aggre.deals', `10ms@${pair}`),
  name('aggre.depth', `10ms@${pair}`),
  name('limit.depth', `${pair}@5`),
  name('aggre.bookTicker', `10ms@${pair}`),
  name('bookTicker.batch', pair),
  name('kline', `${pair}@Min1`),
  name('miniTicker', `${pair}@UTC+8`),
];
const allTickers = name('miniTickers', 'UTC+8');
const btcUsdt = 0;

/** As an operator does it: offline first. */
async function takeOffline(): Promise<void> {
  const { id: _id, ...symbol } = harness.exchange.engine.state.books[btcUsdt]!.rules;
  await harness.exchange.submit({ kind: 'configureSymbol', symbol: { ...symbol, status: 'offline' } });
}
const delist = () => harness.exchange.submit({ kind: 'delistSymbol', symbol: as(btcUsdt) });

/** So much time passes, a second at a time. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 1) {
    harness.exchange.clock.time += 1000;
    harness.timers.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Takes all that came so far. */
async function heardBy(client: StreamClient): Promise<readonly ReadPush[]> {
  await client.drain();
  return client.pushes.splice(0);
}
const channelsIn = (pushes: readonly ReadPush[]): readonly string[] =>
  [...new Set(pushes.map(({ channel }) => channel))].sort();
const pairsIn = (push: ReadPush) =>
  (push.body.value as unknown as { items: { symbol: string }[] }).items.map((each) => each.symbol);

describe('DEC-STR-29: a pair that goes offline, and is delisted', () => {
  test('tells that its book is empty, then what was still to be pushed, and nothing more', async () => {
    const client = await harness.connect();
    await client.subscribe(...channelsOf('BTCUSDT'), allTickers);
    await pass(3);
    await heardBy(client);
    await takeOffline();
    await pass(1);
    const emptied = (await heardBy(client)).map(({ channel, body: { value } }) => [channel, value]);
    expect(Object.fromEntries(emptied)).toMatchObject({
      [name('aggre.depth', '10ms@BTCUSDT')]: { asks: [{ price: '100', quantity: '0' }], bids: [] },
      [name('limit.depth', 'BTCUSDT@5')]: { asks: [], bids: [] },
      [name('aggre.bookTicker', '10ms@BTCUSDT')]: { askPrice: '', bidPrice: '' },
      [name('bookTicker.batch', 'BTCUSDT')]: { items: [{ askPrice: '', bidPrice: '' }] },
    });

    await pass(3);
    expect(channelsIn(await heardBy(client))).toContain(name('miniTicker', 'BTCUSDT@UTC+8'));
    await delist();
    await new Promise((resolve) => setImmediate(resolve));
    await heardBy(client);
    // Two minutes begin, which a pair that is listed would tell.
    await pass(130);
    const later = await heardBy(client);
    expect(channelsIn(later)).toEqual([allTickers]);
    expect(later.length).toBeGreaterThan(40);
    for (const push of later) expect(pairsIn(push)).toEqual(['TKNUSDT']);
    expect(client.closing).toBeNull();
  });

  test('what its book lost at the last moment is pushed before', async () => {
    const client = await harness.connect();
    await client.subscribe(name('aggre.depth', '100ms@BTCUSDT'), name('aggre.deals', '100ms@BTCUSDT'));
    await harness.order(people.bob, { side: 'buy', price: as(10_000), quantity: as(1000) });
    await takeOffline();
    await delist();
    const pushes = await heardBy(client);
    expect(channelsIn(pushes)).toEqual([name('aggre.deals', '100ms@BTCUSDT'), name('aggre.depth', '100ms@BTCUSDT')]);
    expect(pushes.find(({ channel }) => channel.includes('depth'))?.body.value).toMatchObject({
      asks: [{ price: '100', quantity: '0' }],
    });
    await pass(2);
    expect(await heardBy(client)).toEqual([]);
  });

  test('owners hear that their orders were cancelled', async () => {
    const owner = await harness.listen(people.alice);
    await owner.subscribe('spot@private.orders.v3.api.pb', 'spot@private.account.v3.api.pb');
    await takeOffline();
    await delist();
    const pushes = await heardBy(owner);
    expect(pushes.map(({ symbol, body }) => [body.case, symbol])).toEqual([
      ['privateAccount', undefined],
      ['privateOrders', 'BTCUSDT'],
    ]);
    expect(pushes[1]?.body.value).toMatchObject({ status: 5 });
  });

  test('is left by its subscribers, and refuses new ones as a pair that never was', async () => {
    const early = await harness.connect();
    const texts = channelsOf('BTCUSDT');
    await early.subscribe(...texts);
    await takeOffline();
    await delist();
    const late = await harness.connect();
    const refused = await late.subscribe(...texts);
    const unknown = await late.subscribe(...channelsOf('NEVERWAS'));
    expect(refused).toEqual({ ...unknown, id: refused.id, msg: unknown.msg.replaceAll('NEVERWAS', 'BTCUSDT') });
    expect(refused.msg).toMatch(/^Not Subscribed/);
    await pass(5);
    expect(await heardBy(late)).toEqual([]);

    expect(await early.ask('UNSUBSCRIPTION', texts)).toMatchObject({ code: 0, msg: texts.join(',') });
    expect(harness.streams.counts().publicTopics).toBe(0);
    expect((await early.subscribe(texts[0]!)).msg).toMatch(/^Not Subscribed/);
    expect(await early.subscribe(name('aggre.deals', '10ms@TKNUSDT'))).toMatchObject({ code: 0 });
  });
});
