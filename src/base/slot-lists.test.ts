import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SlotLists } from '#base/slot-lists.ts';

const owners = 3;
const step = fc.record({
  owner: fc.integer({ min: 0, max: owners - 1 }),
  leaves: fc.boolean(),
  which: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

test('slots leave from anywhere, and the rest keeps the order in which it came', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 200 }), (steps) => {
      const lists = new SlotLists();
      const expected: number[][] = Array.from({ length: owners }, () => []);
      for (const [slot, { owner, leaves, which }] of steps.entries()) {
        const slots = expected[owner]!;
        if (leaves && slots.length > 0) {
          const [gone] = slots.splice(Math.floor(which * slots.length), 1);
          lists.remove(owner, gone!);
        } else {
          slots.push(slot);
          lists.append(owner, slot);
        }
        for (const [each, all] of expected.entries()) {
          expect(lists.all(each)).toEqual(all);
          expect(lists.first(each)).toBe(all[0] ?? -1);
          expect(lists.isEmpty(each)).toBe(all.length === 0);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('a slot that left one list can join another, and a visit ends where it is told to', () => {
  const lists = new SlotLists();
  for (const slot of [5, 0, 9]) lists.append(0, slot);
  lists.remove(0, 0);
  lists.append(1, 0);
  expect([lists.all(0), lists.all(1)]).toEqual([[5, 9], [0]]);
  const visited: number[] = [];
  expect(lists.every(0, (slot) => visited.push(slot) < 1)).toBe(false);
  expect(visited).toEqual([5]);
  expect(lists.every(0, () => true)).toBe(true);
});

test('lists of owners and slots far beyond the first memory are found', () => {
  const lists = new SlotLists();
  const owner = 40_000_000;
  expect(lists.first(owner)).toBe(-1);
  lists.append(owner, 35_000_000);
  lists.append(owner, 1);
  expect(lists.all(owner)).toEqual([35_000_000, 1]);
});
