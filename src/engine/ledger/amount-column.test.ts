import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Room } from '#base/room.ts';
import { AmountColumn } from '#engine/ledger/amount-column.ts';

const max = BigInt(Number.MAX_SAFE_INTEGER);
/** Amounts small, at the edge of what a double holds exactly, and far beyond. */
const amount = fc.oneof(
  fc.bigInt({ min: -100n, max: 100n }),
  fc.bigInt({ min: max - 3n, max: max + 3n }),
  fc.bigInt({ min: -max - 3n, max: -max + 3n }),
  fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }),
);
const delta = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);

test('an amount of more than 64 bits stops the engine', () => {
  const free = new AmountColumn(new Room(), 0);
  free.set(0, 2n ** 63n - 1n);
  expect(() => free.add(0, 1)).toThrow('an amount has at most 64 bits');
  free.set(0, -(2n ** 63n));
  expect(() => free.add(0, -1n)).toThrow('an amount has at most 64 bits');
  expect(free.get(0)).toBe(-(2n ** 63n));
});

test('amounts stay exact on both sides of what a double holds, and their neighbours stay as they are', () => {
  fc.assert(
    fc.property(amount, amount, fc.array(delta, { maxLength: 200 }), (first, second, deltas) => {
      const room = new Room();
      const free = new AmountColumn(room, 0);
      const held = new AmountColumn(room, 1);
      room.words[4] = 4242;
      free.set(0, first);
      held.set(0, second);
      let expected = first;
      for (const step of deltas) {
        free.add(0, step);
        expected += BigInt(step);
        expect(free.get(0)).toBe(expected);
        expect(free.isNegative(0)).toBe(expected < 0n);
        const isSafe = expected >= -max && expected <= max;
        expect(free.amount(0)).toBe(isSafe ? Number(expected) : expected);
        if (isSafe) expect(free.near(0)).toBe(Number(expected));
        else expect(Math.abs(free.near(0))).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
      }
      expect(held.get(0)).toBe(second);
      expect(room.words[4]).toBe(4242);
    }),
    { numRuns: 200 },
  );
});
