import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { as, type Lots, type PriceTicks } from '#model/units.ts';
import { createSimulatedTime, type SimulatedTime } from '#sandbox/simulated-time.ts';
import { orderIdText } from '#http/words.ts';
import { listingOf } from '../permissive-listing.ts';
import { startTestOperator, type TestOperator } from './operator-harness.ts';

const start = Date.UTC(2026, 0, 1);
const machine = {
  wall: { time: start - 1_000, now: () => machine.wall.time },
  monotonic: { now: () => 0 },
  repeat: () => () => {},
};
let time: SimulatedTime;
let operator: TestOperator;
let without: TestOperator;
beforeAll(async () => {
  time = createSimulatedTime({ mode: 'standing', at: start, hasTraders: false }, machine);
  operator = await startTestOperator({
    context: (context) => ({ ...context, clock: time.clock, time: time.controls }),
  });
  without = await startTestOperator();
});
afterAll(() => Promise.all([operator.close(), without.close()]));

const shown = (): number => time.clock.now();
const advance = (body: object, headers = {}) => operator.ask('POST', '/v1/clock/advance', body, { headers });
const set = (body: object) => operator.ask('PUT', '/v1/clock', body);
const until = (body: object) => operator.ask('POST', '/v1/clock/until', body);

describe('DEC-OPR-28, DEC-KIT-02: an advance', () => {
  test('does what is due on the way before it is answered', async () => {
    const from = shown();
    const ticks: number[] = [];
    const end = time.repeat(500, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      ticks.push(shown() - from);
    });
    const { status, body } = await advance({ ms: 1_200 });
    end();
    expect([status, body]).toEqual([200, { now: from + 1_200, ended: 'reached' }]);
    expect(ticks).toEqual([500, 1_000]);
  });

  test('is made once for one idempotency key', async () => {
    const before = shown();
    const replies = await Promise.all([1, 2].map(() => advance({ ms: 60_000 }, { 'idempotency-key': 'a-minute' })));
    expect(replies.map(({ body }) => body.now)).toEqual([before + 60_000, before + 60_000]);
    expect(shown()).toBe(before + 60_000);
  });

  test.each([0, -1, 315_532_800_001, 0.5, '1'])('by %s ms is refused by name', async (ms) => {
    const before = shown();
    const { status, body } = await advance({ ms });
    expect([status, body.errors[0].pointer, shown()]).toEqual([400, '/ms', before]);
  });

  test('is on its way while others ask, and is cancelled where it is', async () => {
    const from = shown();
    let step = async (): Promise<void> => {};
    const end = time.repeat(1_000, () => step());
    const reached = new Promise<void>((resolve) => {
      step = async () => {
        resolve();
        // Each step waits for the next turn of the test.
        await new Promise((next) => setTimeout(next, 1));
      };
    });
    const waiting = advance({ ms: 50_000_000, pace: 'fine' });
    await reached;
    const { body } = await operator.ask('GET', '/v1/clock');
    expect(body.advance).toMatchObject({ from, to: from + 50_000_000, startedAt: machine.wall.time });
    expect((await set({ mode: 'running' })).body.code).toBe('clockAdvancing');
    const cancelled = await operator.ask('DELETE', '/v1/clock/advance');
    const answer = (await waiting).body;
    end();
    expect(answer).toEqual({ now: shown(), ended: 'cancelled' });
    expect(cancelled.body).toMatchObject({ now: shown(), advance: null });
    expect(shown()).toBeLessThan(from + 50_000_000);
  });

  test('need not be waited for', async () => {
    const from = shown();
    const { body } = await advance({ ms: 3_600_000, wait: false });
    expect(body).toEqual({ now: from, ended: 'onItsWay' });
    await expect.poll(shown).toBe(from + 3_600_000);
  });

  test('at most a hundred wait', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const end = time.repeat(1, () => gate);
    const replies = Array.from({ length: 101 }, () => advance({ ms: 1 }));
    // None of the others ends before the gate is open.
    expect((await Promise.race(replies)).body.code).toBe('clockAdvancing');
    open();
    expect((await Promise.all(replies)).filter(({ status }) => status === 200).length).toBe(100);
    end();
  });
});

describe('DEC-KIT-01: setting the clock', () => {
  test('it tells how it goes on, stands again, and is set forward', async () => {
    const from = shown();
    const running = await set({ mode: 'running', factor: '2.5' });
    const offsetMs = from - machine.wall.time;
    expect(running.body).toEqual({ mode: 'running', factor: '2.5', now: from, offsetMs, advance: null });
    expect((await set({ factor: '7' })).body.factor).toBe('7');
    expect((await set({ now: from + 1 })).body).toMatchObject({ mode: 'running', factor: '7', now: from + 1 });
    expect((await set({ mode: 'standing', now: from + 7 })).body).toMatchObject({
      ...{ mode: 'standing', factor: null, now: from + 7 },
    });
    expect((await operator.ask('GET', '/v1/clock')).body.now).toBe(from + 7);
  });

  test.each([
    [{}, ''],
    [{ mode: 'standing', factor: '2' }, '/factor'],
    [{ mode: 'following', now: start + 9e9 }, '/now'],
    [{ now: start - 1 }, '/now'],
    [{ now: 7_258_118_400_001 }, '/now'],
    [{ mode: 'running', factor: '0' }, '/factor'],
    [{ mode: 'running', factor: '1000.01' }, '/factor'],
    [{ mode: 'running', factor: '1.001' }, '/factor'],
    [{ mode: 'backwards' }, '/mode'],
    [{ mode: 'standing', speed: 1 }, '/speed'],
  ])('%o is refused by name and changes nothing', async (body, pointer) => {
    const before = time.controls.state();
    const reply = await set(body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([400, pointer]);
    expect(time.controls.state()).toEqual(before);
  });

  test('it follows the machine only where it is not ahead of it', async () => {
    expect((await set({ mode: 'following' })).body.code).toBe('clockAhead');
    const { time: before } = machine.wall;
    machine.wall.time = shown() + 10;
    expect((await set({ mode: 'following' })).body).toMatchObject({ mode: 'following', offsetMs: 0 });
    expect((await set({ mode: 'standing' })).body.now).toBe(machine.wall.time);
    machine.wall.time = before;
  });

  test('nothing leads beyond its last moment', async () => {
    const { now, ...state } = time.controls.state();
    const { body } = await advance({ ms: 315_532_800_000 });
    expect(body.ended).toBe('reached');
    const left = 7_258_118_400_000 - shown();
    for (let rest = left; rest > 315_532_800_000; rest -= 315_532_800_000)
      await set({ now: shown() + 315_532_800_000 });
    const refused = await advance({ ms: 7_258_118_400_001 - shown() });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/ms']);
    const limit = await until({ limitMs: 7_258_118_400_001 - shown(), candle: { interval: '1m' } });
    expect(limit.body.errors[0].pointer).toBe('/limitMs');
    time.goOnFrom(now);
    expect(time.controls.state()).toMatchObject({ now, mode: state.mode });
  });
});

describe('DEC-KIT-04: an advance until something happens', () => {
  let ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends) end();
    ends = [];
  });
  /** Does something once, when so much time has passed. */
  const whenPassed = (ms: number, run: () => unknown): void => {
    const end = time.repeat(ms, async () => {
      end();
      await run();
    });
    ends.push(end);
  };
  /** A pair on which alice sells and bob buys. */
  const place = async (name: 'alice' | 'bob', side: 'buy' | 'sell', price: number) => {
    const { symbols } = await operator.exchange.queries.listing();
    const terms = {
      symbol: symbols[0]!.id,
      side,
      kind: 'limit',
      price: as<PriceTicks>(price),
      quantity: as<Lots>(100),
    };
    const { events } = await operator.exchange.submit({
      kind: 'placeOrder',
      account: operator[name].account,
      order: { ...terms, budget: null, clientOrderId: null, stpMode: 'none' } as never,
    });
    const event = events.find(({ kind }) => kind === 'orderAccepted');
    if (event?.kind !== 'orderAccepted') throw new Error(JSON.stringify(events));
    return event.order;
  };

  test('a candle that is over', async () => {
    const from = shown();
    const { body } = await until({ limitMs: 60_000, candle: { interval: '1m' } });
    expect(body).toEqual({ now: from - (from % 60_000) + 60_000, ended: 'met' });
    expect((await until({ limitMs: 10, candle: { interval: '1d' } })).body.ended).toBe('reached');
  });

  test.each([
    [{}, ''],
    [{ candle: { interval: '1m' }, funding: { contract: 'BTC_USDT' } }, '/candle'],
    [{ candle: { interval: '2m' } }, '/candle/interval'],
    [{ funding: { contract: 'BTC_USDT' } }, '/funding/contract'],
    [{ price: { market: 'NOSUCH', above: '1' } }, '/price/market'],
    [{ order: { order: 'x', is: 'closed' } }, '/order/order'],
  ])('%o is refused by name', async (condition, pointer) => {
    const before = shown();
    const { status, body } = await until({ limitMs: 1, ...condition });
    expect([status, body.errors[0].pointer, shown()]).toEqual([400, pointer, before]);
  });

  test('an order that nobody knows is refused', async () => {
    const { body } = await until({ limitMs: 1, order: { order: orderIdText(as(123_456)), is: 'closed' } });
    expect(body.code).toBe('unknownOrder');
  });

  test('orders that are filled, closed otherwise, or stay; and a price that is crossed', async () => {
    const symbol = listingOf({ name: 'BTCUSDT', base: as(1), quote: as(0), priceDecimals: 2, quantityDecimals: 4 });
    await operator.exchange.submit({ kind: 'configureSymbol', symbol });
    const first = await place('bob', 'buy', 9_000);
    const second = await place('bob', 'buy', 8_000);
    const third = await place('bob', 'buy', 7_000);
    const wait = (order: typeof first, is: string, limitMs: number) =>
      until({ limitMs, order: { order: orderIdText(order.order), is } });
    const from = shown();
    expect((await wait(first, 'filled', 1_000)).body).toEqual({ now: from + 1_000, ended: 'reached' });
    whenPassed(300, () =>
      operator.exchange.submit({
        kind: 'cancelOrder',
        account: operator.bob.account,
        symbol: first.symbol,
        ref: { order: first.order },
      } as never),
    );
    expect((await wait(first, 'filled', 1_000)).body).toEqual({ now: from + 1_300, ended: 'impossible' });
    expect((await wait(first, 'closed', 1_000)).body).toEqual({ now: from + 1_300, ended: 'met' });
    await operator.exchange.submit({
      kind: 'creditFunds',
      account: operator.alice.account,
      asset: as(1),
      amount: as(10n ** 12n),
    });
    whenPassed(200, () => place('alice', 'sell', 8_000));
    expect((await wait(second, 'filled', 1_000)).body).toEqual({ now: from + 1_500, ended: 'met' });
    const price = (bounds: object, limitMs = 1_000) => until({ limitMs, price: { market: 'BTCUSDT', ...bounds } });
    expect((await price({ above: '80' })).body).toEqual({ now: from + 1_500, ended: 'met' });
    expect((await price({ above: '80.01' }, 100)).body).toEqual({ now: from + 1_600, ended: 'reached' });
    whenPassed(50, () => place('alice', 'sell', 7_000));
    expect((await price({ above: '90', below: '79.99' })).body).toEqual({ now: from + 1_650, ended: 'met' });
    expect((await wait(third, 'closed', 1)).body.ended).toBe('met');
    for (const bounds of [{}, { above: '0' }, { below: '1.001' }])
      expect((await price(bounds)).body.errors[0].pointer).toMatch(/^\/price/);
  });
});

describe('DEC-OPR-295: where there is no clock of its own', () => {
  test.each([
    ['GET', '/v1/clock'],
    ['PUT', '/v1/clock'],
    ['POST', '/v1/clock/advance'],
    ['DELETE', '/v1/clock/advance'],
    ['POST', '/v1/clock/until'],
  ])('%s %s is no path', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    expect((await without.ask(method, path, body)).body.code).toBe('unknownPath');
  });
});
