import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactSum, joinSum, splitSum } from '#base/exact-sum.ts';

const amounts = fc.array(fc.maxSafeNat(), { maxLength: 200 });

test('a sum equals the sum of bigints however many amounts go in and out', () => {
  fc.assert(
    fc.property(amounts, amounts, (kept, passing) => {
      const sum = new ExactSum();
      for (const amount of [...passing, ...kept]) sum.add(amount);
      for (const amount of passing) sum.subtract(BigInt(amount));
      expect(sum.value()).toBe(kept.reduce((total, amount) => total + BigInt(amount), 0n));
    }),
  );
});

test('parts that are not carried yet add up', () => {
  const sum = new ExactSum();
  sum.addParts(1, 5 * 2 ** 30 + 7);
  expect(sum.value()).toBe(6n * 2n ** 30n + 7n);
});

test('splitting and joining give the value back', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 82n), (value) => {
      const { high, low } = splitSum(value);
      expect(joinSum(high, low)).toBe(value);
    }),
  );
});
