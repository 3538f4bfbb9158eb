import { describe, expect, test } from 'vitest';
import type { OrderNumber } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { LadderShape, RestingOrder, WantedOrder } from '#sandbox/agents/ladder.ts';
import { ladderChange, ladderLevels, levelKey } from '#sandbox/agents/ladder.ts';

const shape: LadderShape = {
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
const wantedAt = (fair: number): Map<number, WantedOrder> =>
  new Map(
    ladderLevels(shape, { bid: fair - 3, ask: fair + 3 }, 1_000).map((level) => [
      levelKey(level.side, level.price),
      { side: level.side, price: level.price, lots: 100 },
    ]),
  );
const restingOf = (wanted: Map<number, WantedOrder>): RestingOrder[] =>
  [...wanted.values()].map((order, index) => ({
    order: as<OrderNumber>(index + 1),
    side: order.side,
    price: order.price,
    placedAt: 0,
    rest: order.lots,
  }));

describe('a ladder', () => {
  test('never crosses, has one level a price and grows sparse with distance', () => {
    for (let fair = 1_000_000; fair < 1_000_400; fair += 7) {
      const levels = ladderLevels(shape, { bid: fair - 3, ask: fair + 3 }, 1_000);
      const bids = levels.filter((level) => level.side === 'buy');
      const asks = levels.filter((level) => level.side === 'sell');
      expect(bids.length).toBeGreaterThan(40);
      expect(asks.length).toBeGreaterThan(40);
      expect(Math.max(...bids.map((level) => level.price))).toBeLessThanOrEqual(fair - 3 - 25);
      expect(Math.min(...asks.map((level) => level.price))).toBeGreaterThanOrEqual(fair + 3 + 25);
      expect(new Set(levels.map((level) => level.price)).size).toBe(levels.length);
      expect(bids.map((level) => level.price)).toEqual(bids.map((level) => level.price).sort((a, b) => b - a));
      expect(asks.map((level) => level.price)).toEqual(asks.map((level) => level.price).sort((a, b) => a - b));
    }
  });

  test('a small move of the price moves few orders', () => {
    const resting = restingOf(wantedAt(1_000_000));
    const change = ladderChange(resting, wantedAt(1_000_050), 1_000);
    expect(resting.length).toBeGreaterThan(90);
    expect(change.cancel.length + change.place.length).toBeGreaterThan(0);
    expect(change.cancel.length + change.place.length).toBeLessThan(14);
  });

  test('what is wanted and rests is left alone, in its place in the queue', () => {
    expect(ladderChange(restingOf(wantedAt(1_000_000)), wantedAt(1_000_000), 1_000)).toEqual({ cancel: [], place: [] });
  });

  test('nearly filled orders are placed anew and second orders at a price are cancelled', () => {
    const resting = restingOf(wantedAt(1_000_000));
    const first = resting[0] as RestingOrder;
    first.rest = 20;
    const second = { ...(resting[1] as RestingOrder), order: as<OrderNumber>(9_999) };
    const change = ladderChange([...resting, second], wantedAt(1_000_000), 1_000);
    expect(change.cancel).toEqual([first.order, second.order]);
    expect(change.place).toEqual([{ side: first.side, price: first.price, lots: 100 }]);
  });

  test('a bounded change places the nearest levels first', () => {
    const change = ladderChange([], wantedAt(1_000_000), 3);
    expect(change.place.map((order) => order.side)).toEqual(['buy', 'sell', 'buy']);
    expect(change.place[0]?.price).toBeGreaterThan(change.place[2]?.price as number);
    expect(change.place[1]?.price).toBeGreaterThan(change.place[0]?.price as number);
  });

  test('prices stay positive and within reach even for tiny prices', () => {
    const levels = ladderLevels({ ...shape, spacingTicks: 1, gapTicks: 0 }, { bid: 9, ask: 11 }, 1_000);
    expect(levels.length).toBeGreaterThan(0);
    for (const level of levels) {
      expect(level.price).toBeGreaterThanOrEqual(5);
      expect(level.price).toBeLessThanOrEqual(16);
    }
  });
});
