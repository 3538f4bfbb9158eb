import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SlotLists } from '#engine/book/slot-lists.ts';

test('queues keep their order whatever leaves them from where', () => {
  const step = fc.record({
    queue: fc.nat(2),
    leaves: fc.boolean(),
    which: fc.double({ min: 0, max: 0.999, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const lists = new SlotLists();
      const heads = [-1, -1, -1];
      const lines = new Map<number, number>();
      const expected: number[][] = [[], [], []];
      for (const [slot, { queue, leaves, which }] of steps.entries()) {
        const slots = expected[queue]!;
        if (leaves && slots.length > 0) {
          const [gone] = slots.splice(Math.floor(which * slots.length), 1);
          heads[queue] = lists.remove(heads[queue]!, lines.get(gone!)!, gone!);
        } else {
          slots.push(slot);
          const line = lists.append(heads[queue]!, slot);
          lines.set(slot, line);
          if (heads[queue]! < 0) heads[queue] = line;
        }
        expect(heads.map((head) => lists.all(head))).toEqual(expected);
        if (slots.length > 0) expect(lists.first(heads[queue]!)).toBe(slots[0]);
        else expect(heads[queue]).toBe(-1);
      }
    }),
    { numRuns: 100 },
  );
});

test('a walk stops where it is told to', () => {
  const lists = new SlotLists();
  const head = lists.append(-1, 1);
  for (let slot = 2; slot < 40; slot += 1) lists.append(head, slot);
  const seen: number[] = [];
  expect(lists.every(head, (slot) => seen.push(slot) < 20)).toBe(false);
  expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});
