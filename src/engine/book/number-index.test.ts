import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberIndex } from '#engine/book/number-index.ts';
import { doublesShift, OrderTable } from '#engine/book/order-table.ts';

/** Numbers near each other, far apart, and those whose pages have the same hash because they are 2^36 apart. */
const number = fc.oneof(
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 1, max: 2 ** 31 }),
  fc.integer({ min: 1, max: 40 }).map((low) => low + 2 ** 36),
);

test('orders are found by number wherever their records go, also where pages share a hash', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(number, fc.constantFrom('add', 'add', 'move', 'remove')), { maxLength: 600 }),
      (steps) => {
        const orders = new OrderTable();
        const index = new NumberIndex(orders);
        const slots = new Map<number, { slot: number; position: number }>();
        for (const [wanted, what] of steps) {
          const known = slots.get(wanted);
          if (what === 'add' && known === undefined) {
            const slot = orders.take();
            orders.doubles[slot << doublesShift] = wanted;
            slots.set(wanted, { slot, position: index.add(slot) });
          } else if (what === 'move' && known !== undefined) {
            const to = orders.moveToClosed(known.slot);
            index.move(known.slot, to);
            slots.set(wanted, { slot: to, position: known.position });
          } else if (what === 'remove' && known !== undefined) {
            expect(index.remove(known.slot)).toBe(known.position);
            slots.delete(wanted);
          }
        }
        for (const [wanted] of steps) expect(index.find(wanted)).toBe(slots.get(wanted)?.slot ?? -1);
        for (const { slot, position } of slots.values()) expect(index.slotAt(position)).toBe(slot);
      },
    ),
    { numRuns: 100 },
  );
});
