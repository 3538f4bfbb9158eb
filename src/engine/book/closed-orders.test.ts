import { expect, test } from 'vitest';
import { ClosedOrders, forgottenAtOnce } from '#engine/book/closed-orders.ts';
import { doublesShift, orderDouble, OrderTable } from '#engine/book/order-table.ts';

const keptMs = 60_000;

test('orders stay as long as their ids are kept, and blocks that are used again are not mixed up', () => {
  const orders = new OrderTable();
  const closed = new ClosedOrders();
  const slot = orders.take();
  const close = (number: number, at: number): void => {
    orders.doubles[slot << doublesShift] = number;
    orders.doubles[(slot << doublesShift) | orderDouble.updatedAt] = at;
    expect(closed.add(orders, slot)).toBe(number);
    while (closed.areOver(forgottenAtOnce, at)) closed.forgetEarliest();
  };
  const numberAt = (turn: number): number => closed.records.doubles[closed.position(turn) << doublesShift]!;
  // 10,000 orders in 20 s, 30 s of silence, then one a millisecond: blocks come free while others are taken.
  for (let number = 0; number < 10_000; number += 1) close(number, number * 2);
  for (let number = 10_000; number < 120_000; number += 1) close(number, 40_000 + number);
  const now = 40_000 + 119_999;
  const turns = closed.turns(now);
  expect(turns).toHaveLength(keptMs + 1);
  expect(turns[0]).toBe(119_999 - keptMs);
  expect(turns.every((turn) => numberAt(turn) === turn)).toBe(true);
  expect(closed.end - closed.earliest).toBeLessThanOrEqual(keptMs + forgottenAtOnce);
});
