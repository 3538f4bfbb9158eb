import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClosedOrders } from '#engine/book/closed-orders.ts';
import { NumberIndex, places } from '#engine/book/number-index.ts';
import { isOrder, slotOf } from '#engine/book/order-reference.ts';
import { doublesShift, OrderTable } from '#engine/book/order-table.ts';

/** Numbers near each other, far apart, and those that share a place because they are `places` apart. */
const number = fc.oneof(
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 1, max: 2 ** 40 }),
  fc.integer({ min: 1, max: 40 }).map((low) => low * places + (low % 3)),
);

test('orders are found by number while they live and after they closed, also where numbers share a place', () => {
  const what = fc.constantFrom('add', 'add', 'remove', 'close', 'close at once');
  fc.assert(
    fc.property(fc.array(fc.tuple(number, what), { maxLength: 600 }), (steps) => {
      const orders = new OrderTable();
      const closed = new ClosedOrders();
      const index = new NumberIndex(orders, closed);
      const slots = new Map<number, number>();
      const over = new Set<number>();
      for (const [wanted, step] of steps) {
        const known = slots.get(wanted);
        if (known === undefined && !over.has(wanted) && (step === 'add' || step === 'close at once')) {
          const slot = orders.take();
          orders.doubles[slot << doublesShift] = wanted;
          if (step === 'add') {
            slots.set(wanted, slot);
            index.add(slot);
          } else {
            over.add(wanted);
            index.close(slot, closed.add(orders, slot), false);
          }
        } else if (known !== undefined && step !== 'add') {
          slots.delete(wanted);
          if (step === 'remove') index.remove(known);
          else index.close(known, closed.add(orders, known), true);
          if (step !== 'remove') over.add(wanted);
          orders.give(known);
        }
      }
      for (const [wanted] of steps) {
        expect(slotOf(index.find(wanted))).toBe(slots.get(wanted) ?? -1);
        expect(isOrder(index.find(wanted))).toBe(slots.has(wanted) || over.has(wanted));
      }
    }),
    { numRuns: 100 },
  );
});
