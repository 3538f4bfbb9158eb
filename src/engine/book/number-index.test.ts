import fc from 'fast-check';
import { expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { NumberIndex } from '#engine/book/number-index.ts';
import { type NewOrder, noOrder, OrderTable } from '#engine/book/order-table.ts';

/** Numbers near each other, far apart, and those whose low 32 bits are equal, as are their hashes. */
const number = fc.oneof(
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 1, max: 2 ** 40 }),
  fc.integer({ min: 1, max: 40 }).map((low) => low * 2 ** 32 + (low % 3)),
);

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

test('orders are found by number as long as they are entered, also where hashes are equal', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(number, fc.boolean()), { maxLength: 600 }), (steps) => {
      const orders = new OrderTable();
      const index = new NumberIndex(orders);
      const slots = new Map<number, number>();
      for (const [wanted, isAdded] of steps) {
        const known = slots.get(wanted);
        if (known === undefined && isAdded) {
          const slot = orders.allocate();
          orders.initialize(slot, { ...order, number: wanted });
          slots.set(wanted, slot);
          index.insert(slot);
        } else if (known !== undefined && !isAdded) {
          slots.delete(wanted);
          index.remove(known);
          orders.release(known);
        }
      }
      for (const [wanted] of steps) expect(index.lookup(wanted)).toBe(slots.get(wanted) ?? noOrder);
    }),
    { numRuns: 300 },
  );
});
