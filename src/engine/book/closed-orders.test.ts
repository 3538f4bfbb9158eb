import { expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { ClosedOrders, expiredAtOnce } from '#engine/book/closed-orders.ts';
import { type NewOrder, OrderTable } from '#engine/book/order-table.ts';

const keptMs = 60_000;

const order: NewOrder = {
  number: 1,
  account: as(4),
  symbol: as(0),
  price: 1,
  quantity: 1,
  budget: 0,
  flags: 0,
  at: 0,
  gives: 0,
  gets: 1,
};

test('orders stay as long as their ids are kept, and blocks and slots that are used again are not mixed up', () => {
  const orders = new OrderTable();
  const closed = new ClosedOrders(orders);
  const close = (number: number, at: number): void => {
    const slot = orders.allocate();
    orders.initialize(slot, { ...order, number, at });
    closed.add(slot);
    while (closed.areExpired(expiredAtOnce, at)) closed.removeEarliest();
  };
  // 10,000 orders in 20 s, 30 s of silence, then one a millisecond: blocks come free while others are taken.
  for (let number = 0; number < 10_000; number += 1) close(number, number * 2);
  for (let number = 10_000; number < 120_000; number += 1) close(number, 40_000 + number);
  const now = 40_000 + 119_999;
  const numbers = closed.kept(now).map((slot) => orders.number(slot));
  expect(numbers).toEqual(Array.from({ length: keptMs + 1 }, (_, index) => 119_999 - keptMs + index));
  expect(closed.count).toBeLessThanOrEqual(keptMs + expiredAtOnce);
  expect(orders.count).toBe(closed.count);
});
