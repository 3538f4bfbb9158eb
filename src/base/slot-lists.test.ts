import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SlotLists } from '#base/slot-lists.ts';

function slotsOf(lists: SlotLists, last: number): number[] {
  const slots: number[] = [];
  lists.every(last, (slot) => slots.push(slot) > 0);
  return slots;
}

test('queues keep their order whatever leaves them from where', () => {
  const step = fc.record({
    queue: fc.nat(2),
    leaves: fc.boolean(),
    which: fc.double({ min: 0, max: 0.999, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const lists = new SlotLists();
      const lasts = [-1, -1, -1];
      const lines = new Map<number, number>();
      const expected: number[][] = [[], [], []];
      for (const [slot, { queue, leaves, which }] of steps.entries()) {
        const slots = expected[queue]!;
        if (leaves && slots.length > 0) {
          const [gone] = slots.splice(Math.floor(which * slots.length), 1);
          lasts[queue] = lists.remove(lasts[queue]!, lines.get(gone!)!, gone!);
        } else {
          slots.push(slot);
          lasts[queue] = lists.append(lasts[queue]!, slot);
          lines.set(slot, lasts[queue]!);
        }
        expect(lasts.map((last) => slotsOf(lists, last))).toEqual(expected);
        if (slots.length > 0) expect(lists.first(lasts[queue]!)).toBe(slots[0]);
        else expect(lasts[queue]).toBe(-1);
      }
    }),
    { numRuns: 100 },
  );
});

test('a walk stops where it is told to', () => {
  const lists = new SlotLists();
  let last = -1;
  for (let slot = 1; slot < 40; slot += 1) last = lists.append(last, slot);
  const seen: number[] = [];
  expect(lists.every(last, (slot) => seen.push(slot) < 20)).toBe(false);
  expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});
