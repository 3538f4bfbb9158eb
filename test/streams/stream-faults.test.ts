import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { as, type Lots, type PriceTicks, type SymbolId } from '#model/units.ts';
import type { GatewaySettings } from '#public-api/gateway-context.ts';
import { openSandboxInterception, type SandboxInterception } from '#main/composition/sandbox-interception.ts';
import type { Fault, FaultMatch, FaultRule } from '#sandbox/faults/fault-rule.ts';
import { refusedHeaders, refusedStatus, StreamClient, until } from './stream-client.ts';
import { people, startStreamHarness, type StreamHarness } from './stream-harness.ts';

let harness: StreamHarness;
let interception: SandboxInterception;
let alice: StreamClient;
const orders = 'spot@private.orders.v3.api.pb';

beforeAll(async () => {
  harness = await startStreamHarness({
    interception: ({ clock, queries }) => {
      interception = openSandboxInterception({
        ...{ clock, queries, monotonic: { now: () => 0 }, version: { name: 'bourse', version: 'test' } },
        settings: { keyHeader: 'X-SVC-APIKEY', keyHeaderAliases: [] } as unknown as GatewaySettings,
      });
      return { interceptor: interception.faults.streams, observer: interception.log };
    },
  });
});
afterEach(async () => {
  interception.faults.clear();
  await alice.leave();
});
afterAll(async () => {
  interception.close();
  await harness.close();
});

const follow = async (...channels: string[]): Promise<void> => {
  alice = await harness.listen(people.alice);
  await alice.subscribe(...(channels.length === 0 ? [orders] : channels));
  interception.requestLog.clear();
};
const add = (fault: Fault, match: FaultMatch = {}, rest: Partial<FaultRule> = {}) =>
  interception.faults.add({ ...{ match, fault, count: null, forMs: null }, ...rest });
let last = 10_000;
/** Places an order at a price of its own, in ticks of a hundredth. */
const order = async (symbol = as<SymbolId>(0)): Promise<string> => {
  last += 1;
  await harness.order(people.alice, { symbol, price: as<PriceTicks>(last), quantity: as<Lots>(1) });
  return String(last / 100);
};
const placed = async (count: number): Promise<string[]> => {
  const prices: string[] = [];
  for (let at = 0; at < count; at += 1) prices.push(await order());
  return prices;
};
const prices = (): string[] =>
  alice.pushes
    .map(({ body }) => (body.case === 'privateOrders' ? String(body.value.price) : ''))
    .map((text) => String(Number(text)));
const arrived = async (expected: readonly string[]): Promise<void> => {
  await until(`pushes ${expected.join()}, ${prices().join()} came`, () => alice.pushes.length >= expected.length);
  expect(prices()).toEqual(expected);
};

describe('DEC-KIT-32: faults of websockets', () => {
  test('a gap: the push does not come', async () => {
    await follow();
    await add({ kind: 'gap' }, { channel: orders, nth: 2 });
    const [one, , three] = await placed(3);
    await arrived([one!, three!]);
  });

  test('a duplicate: the push comes again', async () => {
    await follow();
    await add({ kind: 'duplicate', copies: 2 }, {}, { count: 1 });
    const [one, two] = await placed(2);
    await arrived([one!, one!, one!, two!]);
  });

  test('reordered: the push comes behind the next one of its channel, or after a while', async () => {
    await follow();
    await add({ kind: 'reorder', ms: 500 }, {}, { count: 1 });
    const [one, two, three] = await placed(3);
    await arrived([two!, one!, three!]);
    await interception.faults.replace([{ match: {}, count: 1, forMs: null, fault: { kind: 'reorder', ms: 500 } }]);
    const four = await order();
    await alice.drain();
    expect(alice.pushes).toHaveLength(3);
    harness.timers.advance(500);
    await arrived([two!, one!, three!, four]);
  });

  test('stalled: nothing comes for a while, then all of it in order', async () => {
    await follow();
    await add({ kind: 'stall', ms: 300 }, { nth: 2 });
    const [one, two, three] = await placed(3);
    await arrived([one!]);
    alice.send({ method: 'PING', id: 77 });
    await until('the ping is heard', () => interception.log.matching({ kind: 'message' }).length > 0);
    harness.timers.advance(299);
    expect(alice.replies.filter(({ id }) => id === 77)).toEqual([]);
    harness.timers.advance(1);
    await arrived([one!, two!, three!]);
    await alice.reply(77);
  });

  test('slow: a push comes later, and what follows behind it', async () => {
    await follow();
    await add({ kind: 'slow', ms: 200 }, { nth: 1 });
    const [one, two] = await placed(2);
    await until('both are pushed', () => interception.log.matching({ kind: 'push' }).length === 2);
    harness.timers.advance(199);
    expect(alice.pushes).toEqual([]);
    harness.timers.advance(1);
    await arrived([one!, two!]);
    await arrived([one!, two!, await order()]);
  });

  test('what a rule holds back goes on when the rule is taken away', async () => {
    await follow();
    for (const fault of [
      { kind: 'stall', ms: 60_000 },
      { kind: 'slow', ms: 60_000 },
      { kind: 'reorder', ms: 60_000 },
    ] as const) {
      await interception.faults.replace([{ match: { nth: 1 }, count: null, forMs: null, fault, id: 'mine' }]);
      const held = await order();
      await interception.faults.add({
        match: {},
        count: 1,
        forMs: null,
        fault: { kind: 'unansweredPing' },
        id: 'other',
      });
      interception.faults.remove('other');
      await until('it is pushed', () => interception.log.matching({ kind: 'push' }).length === 1);
      expect(alice.pushes).toEqual([]);
      interception.faults.remove('mine');
      await arrived([held]);
      await arrived([held, await order()]);
      alice.pushes.length = 0;
      interception.requestLog.clear();
    }
    expect(harness.timers.waiting).toBeLessThan(5);
  });

  test('closed with a code and a reason, or cut without', async () => {
    await follow();
    await add({ kind: 'close', code: 1013, reason: 'try again later' }, { nth: 2 });
    const [one] = await placed(2);
    expect(await alice.closed()).toEqual({ code: 1013, reason: 'try again later' });
    expect(prices()).toEqual([one]);
    await follow();
    await add({ kind: 'close', code: null, reason: 'none' });
    await order();
    expect((await alice.closed()).code).toBe(1006);
  });

  test('pings of either form stay without an answer', async () => {
    await follow();
    let pongs = 0;
    alice.socket.on('pong', () => {
      pongs += 1;
    });
    await add({ kind: 'unansweredPing' }, { account: 1000 + people.alice }, { count: 2 });
    alice.socket.ping();
    alice.send({ method: 'PING', id: 78 });
    await until('both are ignored', () => interception.faults.list()[0]?.hits === 2);
    await alice.drain();
    expect([pongs, alice.replies.some(({ id }) => id === 78)]).toEqual([0, false]);
    alice.socket.ping();
    await until('a pong', () => pongs === 1);
  });

  test('DEC-KIT-33: a connection is refused with a status of choice, and the log tells it as any other refusal', async () => {
    await follow();
    const later: Fault = { kind: 'refuseUpgrade', status: 429, message: 'Later.', retryAfterSeconds: 7 };
    await add(later, { account: 1000 + people.bob });
    const url = `${harness.url}?listenKey=${await harness.addKey(people.bob)}`;
    const headers = await refusedHeaders(url);
    expect([headers['retry-after'], headers['x-bourse-fault']]).toEqual(['7', interception.faults.list()[0]?.id]);
    expect(await refusedStatus(url)).toBe(429);
    await (await harness.listen(people.alice)).leave();
    expect(await refusedStatus(`${harness.url}?listenKey=${'0'.repeat(64)}`)).toBe(401);
    const refused = await interception.requestLog.page({ kind: 'refused' }, { before: null, limit: 9 });
    expect(refused.map(({ status, fault, connection }) => [status, fault !== null, connection])).toEqual([
      [401, false, null],
      [429, true, null],
      [429, true, null],
    ]);
    interception.faults.clear();
    await (await StreamClient.open(url)).leave();
    expect(harness.streams.counts().listenKeys).toBe(1);
  });

  test('strike what they are about alone: channel, pair, account and key', async () => {
    await follow();
    const gaps = (matches: readonly FaultMatch[]): readonly FaultRule[] =>
      matches.map((match) => ({ match, fault: { kind: 'gap' }, count: null, forMs: null }));
    const ofOthers = [{ channel: 'spot@private.deals.v3.api.pb' }, { pair: 'TKNUSDT' }, { account: 1000 + people.bob }];
    await interception.faults.replace(gaps(ofOthers));
    await arrived([await order()]);
    expect(interception.faults.list().map(({ seen }) => seen)).toEqual([0, 0, 0]);
    await interception.faults.replace(
      gaps([{ pair: 'TKNUSDT' }, { key: `mx0stream${people.alice}`, channel: 'spot@*' }]),
    );
    await order(as<SymbolId>(1));
    await order();
    await alice.drain();
    expect(interception.faults.list().map(({ hits }) => hits)).toEqual([1, 1]);
    expect(alice.pushes).toHaveLength(1);
  });

  test.each([
    ['/match/channel', { channel: 'spot@nothing' }, { kind: 'gap' }],
    ['/match/channel', { channel: 'spot@public.kline.v3.api.pb@BTCUSDT' }, { kind: 'gap' }],
    ['/match/pair', { channel: 'spot@public.kline.v3.api.pb@BTCUSDT@*', pair: 'TKNUSDT' }, { kind: 'gap' }],
    ['/match/path', { path: '/api/v3/order' }, { kind: 'gap' }],
    ['/match/channel', { channel: orders }, { kind: 'unansweredPing' }],
    ['/match/channel', { channel: orders }, { kind: 'malform' }],
  ] as const)('DEC-KIT-26: what can never strike is refused at %s', async (pointer, match, fault) => {
    await follow();
    await expect(add(fault as Fault, match)).rejects.toMatchObject({ pointer });
    expect(interception.faults.list()).toEqual([]);
  });
});

describe('DEC-KIT-27: websockets in the log', () => {
  test('what a client sent and got, pushes decoded, those included that did not come', async () => {
    await follow();
    await add({ kind: 'gap' }, {}, { id: 'hole' });
    const price = await order();
    await alice.drain();
    await alice.leave();
    await until('the close', () => interception.log.matching({ kind: 'closed' }).length === 1);
    const summaries = await interception.requestLog.page({}, { before: null, limit: 100 });
    expect(summaries.map(({ kind, fault }) => [kind, fault]).reverse()).toEqual([
      ['push', 'hole'],
      ['message', null],
      ['reply', null],
      ['closed', null],
    ]);
    const shown = await Promise.all(summaries.map(({ id }) => interception.requestLog.entry(id)));
    const push = shown.find((entry) => entry?.kind === 'push')!;
    expect(push).toMatchObject({ channel: orders, account: 1000 + people.alice, key: `mx0stream${people.alice}` });
    expect(JSON.parse(push.answer!)).toMatchObject({ channel: orders, symbol: 'BTCUSDT', privateOrders: { price } });
    const bytes = Buffer.from(push.frame ?? '', 'hex');
    // The first field of the wrapper is the channel; a short head of the frame stands before.
    expect(bytes.subarray(0, 2 + orders.length).toString('latin1')).toBe(
      `\n${String.fromCharCode(orders.length)}${orders}`,
    );
    expect(push).toMatchObject({ encoding: 'protobuf', frameBytes: bytes.length + (bytes.length < 126 ? 2 : 4) });
    expect(summaries.find(({ kind }) => kind === 'message')?.text).toContain('"PING"');
    expect(shown.find((entry) => entry?.kind === 'message')?.body).toContain('"PING"');
    expect(shown.find((entry) => entry?.kind === 'closed')).toMatchObject({ status: 1005 });
    expect(await interception.requestLog.page({ channel: 'spot@private.*' }, { before: null, limit: 9 })).toEqual([]);
    expect(await interception.requestLog.page({ channel: orders }, { before: null, limit: 9 })).toHaveLength(1);
    expect(
      await interception.requestLog.page({ connection: push.connection! }, { before: null, limit: 9 }),
    ).toHaveLength(4);
    expect(await interception.requestLog.page({ path: '/api/*' }, { before: null, limit: 9 })).toEqual([]);
  });
});
