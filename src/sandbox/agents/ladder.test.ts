import { describe, expect, test } from 'vitest';
import type { OrderView } from '#model/order.ts';
import { as } from '#model/units.ts';
import type { LadderChange, LadderShape, WantedOrder } from '#sandbox/agents/ladder.ts';
import { Ladder } from '#sandbox/agents/ladder.ts';
import { RestingOrders } from '#sandbox/agents/resting-orders.ts';

const shape: LadderShape = {
  hasBest: true,
  spacingTicks: 50,
  gapTicks: 25,
  salt: 99,
  reach: 0.4,
  zones: [
    { cells: 16, stride: 1 },
    { cells: 64, stride: 4 },
    { cells: 256, stride: 16 },
  ],
};
const lots = 100;
const bestAround = (fair: number) => ({ bid: fair - 3, ask: fair + 3 });
const terms = { lotsAt: () => lots, levelsMax: 1_000, placeMax: 1_000 };

const noOrders = new RestingOrders();
/** A ladder around `fair` while these orders rest. */
const changeAt = (fair: number, resting = noOrders, placeMax = 1_000): LadderChange =>
  new Ladder(shape).change(bestAround(fair), resting, { ...terms, placeMax });

const restingOrder = (number: number, { side, price, lots: quantity }: WantedOrder): OrderView => ({
  order: as(number),
  account: as(7),
  symbol: as(0),
  side,
  kind: 'limit',
  status: 'new',
  price: as(price),
  quantity: as(quantity),
  budget: null,
  executed: as(0),
  executedQuote: as(0),
  stpMode: 'none',
  clientOrderId: null,
  closeReason: null,
  acceptedAt: as(1_000 + number),
  updatedAt: as(1_000 + number),
});

/** Orders at rest, numbered from 1. */
function resting(orders: readonly WantedOrder[]): RestingOrders {
  const all = new RestingOrders();
  for (const [index, order] of orders.entries()) all.add(restingOrder(index + 1, order));
  return all;
}
const restingAt = (fair: number): RestingOrders => resting(changeAt(fair).place);

describe('resting orders', () => {
  test('stay in the order in which they were accepted, whatever comes and goes', () => {
    const { place } = changeAt(1_000_000);
    const orders = resting(place);
    const left = new Set(place.map((_order, index) => index + 1));
    for (let number = 1; number < place.length; number += 1) {
      if (number % 5 === 0) continue;
      orders.remove(as(number));
      orders.remove(as(number));
      left.delete(number);
    }
    expect(orders.outside({ from: Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER })).toEqual([...left]);
    expect(orders.outside({ from: 1_011, to: Number.MAX_SAFE_INTEGER })).toEqual([5, 10]);
    expect(orders.outside({ from: 0, to: 1_014 })).toEqual([...left].filter((number) => number > 14));
    const { rows } = orders;
    orders.clear();
    expect([
      rows > left.size,
      orders.rows,
      orders.outside({ from: Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }),
    ]).toEqual([true, 0, []]);
  });

  test('take little more room than there are orders, however many come', () => {
    const orders = new RestingOrders();
    for (let number = 1; number < 5_000; number += 1) {
      orders.add(restingOrder(number, { side: 'buy', price: number, lots }));
      if (number > 20) orders.remove(as(number - 20));
      expect(orders.rows).toBeLessThanOrEqual(64);
    }
    expect(orders.outside({ from: Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER })).toHaveLength(20);
    expect(orders.orderAt(orders.rows - 1)).toBe(4_999);
    expect([orders.priceAt(orders.rows - 1), orders.restAt(orders.rows - 1)]).toEqual([4_999, lots]);
  });
});

describe('a ladder', () => {
  test('never crosses, has one level a price and grows sparse with distance', () => {
    for (let fair = 1_000_000; fair < 1_000_400; fair += 7) {
      const levels = changeAt(fair).place;
      const bids = levels.filter((level) => level.side === 'buy').map((level) => level.price);
      const asks = levels.filter((level) => level.side === 'sell').map((level) => level.price);
      expect(bids.length).toBeGreaterThan(40);
      expect(asks.length).toBeGreaterThan(40);
      expect([bids.shift(), asks.shift()]).toEqual([fair - 3, fair + 3]);
      expect(Math.max(...bids)).toBeLessThanOrEqual(fair - 3 - 25);
      expect(Math.min(...asks)).toBeGreaterThanOrEqual(fair + 3 + 25);
      expect(new Set(levels.map((level) => level.price)).size).toBe(levels.length);
      expect(bids).toEqual(bids.toSorted((a, b) => b - a));
      expect(asks).toEqual(asks.toSorted((a, b) => a - b));
      expect((bids.at(-2) ?? 0) - (bids.at(-1) ?? 0)).toBeGreaterThan(10 * shape.spacingTicks);
    }
  });

  test('a small move of the price moves few orders', () => {
    const before = restingAt(1_000_000);
    const change = changeAt(1_000_050, before);
    expect(before.rows).toBeGreaterThan(90);
    expect(change.cancel.length + change.place.length).toBeGreaterThan(0);
    expect(change.cancel.length + change.place.length).toBeLessThan(18);
  });

  test('what is wanted and rests is left alone, in its place in the queue', () => {
    expect(changeAt(1_000_000, restingAt(1_000_000))).toEqual({ cancel: [], place: [] });
  });

  test('a ladder that moves there and back is the ladder that it was', () => {
    const ladder = new Ladder(shape);
    const before = ladder.change(bestAround(1_000_000), noOrders, terms);
    expect(ladder.change(bestAround(1_003_000), noOrders, terms)).not.toEqual(before);
    expect(ladder.change(bestAround(1_000_000), noOrders, terms)).toEqual(before);
    expect(ladder.change(bestAround(1_000_000), restingAt(1_000_000), terms).place).toEqual([]);
    expect(ladder.change(bestAround(1_000_000), noOrders, terms)).toEqual(before);
  });

  test('nearly filled orders are placed anew and second orders at a price are cancelled', () => {
    const wanted = changeAt(1_000_000).place;
    const [first, second] = wanted as [WantedOrder, WantedOrder];
    const orders = resting([...wanted, second]);
    orders.fill(as(1), 20);
    const change = changeAt(1_000_000, orders);
    expect(change.cancel).toEqual([1, wanted.length + 1]);
    expect(change.place).toEqual([first]);
  });

  test('levels without lots are not wanted, and orders there are cancelled', () => {
    const change = new Ladder(shape).change(bestAround(1_000_000), restingAt(1_000_000), {
      ...terms,
      lotsAt: (_price, distanceCells) => (distanceCells > 16 ? 0 : lots),
    });
    expect(change.place).toEqual([]);
    expect(change.cancel.length).toBeGreaterThan(40);
  });

  test('a bounded change places the nearest levels first', () => {
    const change = changeAt(1_000_000, noOrders, 3);
    expect(change.place.map((order) => order.side)).toEqual(['buy', 'sell', 'buy']);
    expect(change.place[0]?.price).toBeGreaterThan(change.place[2]?.price as number);
    expect(change.place[1]?.price).toBeGreaterThan(change.place[0]?.price as number);
  });

  test('prices stay positive and within reach even for tiny prices', () => {
    const tiny = new Ladder({ ...shape, hasBest: false, spacingTicks: 1, gapTicks: 0 });
    const levels = tiny.change({ bid: 9, ask: 11 }, noOrders, terms).place;
    expect(levels.length).toBeGreaterThan(0);
    for (const level of levels) {
      expect(level.price).toBeGreaterThanOrEqual(5);
      expect(level.price).toBeLessThanOrEqual(16);
    }
  });
});
