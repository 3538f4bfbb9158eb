import { describe, expect, test } from 'vitest';
import type { OrderNumber } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { LadderChange, LadderShape, RestingOrder } from '#sandbox/agents/ladder.ts';
import { Ladder } from '#sandbox/agents/ladder.ts';

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

/** A ladder around `fair` while these orders rest. */
const changeAt = (fair: number, resting: readonly RestingOrder[] = [], placeMax = 1_000): LadderChange =>
  new Ladder(shape).change(bestAround(fair), resting, { ...terms, placeMax });

const restingAt = (fair: number): RestingOrder[] =>
  changeAt(fair).place.map((order, index) => ({
    order: as<OrderNumber>(index + 1),
    side: order.side,
    price: order.price,
    placedAt: 0,
    rest: order.lots,
  }));

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
    const resting = restingAt(1_000_000);
    const change = changeAt(1_000_050, resting);
    expect(resting.length).toBeGreaterThan(90);
    expect(change.cancel.length + change.place.length).toBeGreaterThan(0);
    expect(change.cancel.length + change.place.length).toBeLessThan(18);
  });

  test('what is wanted and rests is left alone, in its place in the queue', () => {
    expect(changeAt(1_000_000, restingAt(1_000_000))).toEqual({ cancel: [], place: [] });
  });

  test('a ladder that moves there and back is the ladder that it was', () => {
    const ladder = new Ladder(shape);
    const before = ladder.change(bestAround(1_000_000), [], terms);
    expect(ladder.change(bestAround(1_003_000), [], terms)).not.toEqual(before);
    expect(ladder.change(bestAround(1_000_000), [], terms)).toEqual(before);
    expect(ladder.change(bestAround(1_000_000), restingAt(1_000_000), terms).place).toEqual([]);
    expect(ladder.change(bestAround(1_000_000), [], terms)).toEqual(before);
  });

  test('nearly filled orders are placed anew and second orders at a price are cancelled', () => {
    const resting = restingAt(1_000_000);
    const first = resting[0] as RestingOrder;
    first.rest = 20;
    const second = { ...(resting[1] as RestingOrder), order: as<OrderNumber>(9_999) };
    const change = changeAt(1_000_000, [...resting, second]);
    expect(change.cancel).toEqual([first.order, second.order]);
    expect(change.place).toEqual([{ side: first.side, price: first.price, lots }]);
  });

  test('levels without lots are not wanted, and orders there are cancelled', () => {
    const resting = restingAt(1_000_000);
    const change = new Ladder(shape).change(bestAround(1_000_000), resting, {
      ...terms,
      lotsAt: (_price, distanceCells) => (distanceCells > 16 ? 0 : lots),
    });
    expect(change.place).toEqual([]);
    expect(change.cancel.length).toBeGreaterThan(40);
  });

  test('a bounded change places the nearest levels first', () => {
    const change = changeAt(1_000_000, [], 3);
    expect(change.place.map((order) => order.side)).toEqual(['buy', 'sell', 'buy']);
    expect(change.place[0]?.price).toBeGreaterThan(change.place[2]?.price as number);
    expect(change.place[1]?.price).toBeGreaterThan(change.place[0]?.price as number);
  });

  test('prices stay positive and within reach even for tiny prices', () => {
    const tiny = new Ladder({ ...shape, hasBest: false, spacingTicks: 1, gapTicks: 0 });
    const levels = tiny.change({ bid: 9, ask: 11 }, [], terms).place;
    expect(levels.length).toBeGreaterThan(0);
    for (const level of levels) {
      expect(level.price).toBeGreaterThanOrEqual(5);
      expect(level.price).toBeLessThanOrEqual(16);
    }
  });
});
