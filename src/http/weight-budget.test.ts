import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WeightBudget } from '#http/weight-budget.ts';

test('G13: a million addresses leave every table within its bound', () => {
  const bound = 1000;
  const budget = new WeightBudget({ windowMs: 10_000, limit: 500, bucketsMax: bound });
  for (let address = 0; address < 1_000_000; address += 1) budget.spend(`endpoint ${address}`, 1, address / 100);
  expect(budget.size).toBeLessThanOrEqual(2 * bound);
});

test('a window is fixed from its first use; what it refuses it does not take', () => {
  const budget = new WeightBudget({ windowMs: 10_000, limit: 500, bucketsMax: 10 });
  expect(budget.spend('a', 499, 1000)).toEqual({ isAllowed: true, used: 499, remainingMs: 10_000 });
  expect(budget.spend('a', 2, 5000)).toEqual({ isAllowed: false, used: 499, remainingMs: 6000 });
  expect(budget.spend('a', 1, 10_999)).toEqual({ isAllowed: true, used: 500, remainingMs: 1 });
  expect(budget.spend('a', 1, 11_000)).toEqual({ isAllowed: true, used: 1, remainingMs: 10_000 });
});

test('DEC-OPR-171: a limit that changes within a window neither begins it anew nor gives back what was used', () => {
  const budget = new WeightBudget({ windowMs: 10_000, limit: 500, bucketsMax: 10 });
  expect(budget.spend('a', 500, 0)).toMatchObject({ isAllowed: true, used: 500 });
  expect(budget.spend('a', 101, 1000, 600)).toEqual({ isAllowed: false, used: 500, remainingMs: 9000 });
  expect(budget.spend('a', 100, 1000, 600)).toEqual({ isAllowed: true, used: 600, remainingMs: 9000 });
  expect(budget.spend('a', 1, 2000, 50)).toEqual({ isAllowed: false, used: 600, remainingMs: 8000 });
  expect([budget.exact('a', 10, 2000, 50), budget.exact('a', 10, 2000, 605)]).toEqual([600, 605]);
  expect(budget.spend('a', 51, 10_000, 50)).toEqual({ isAllowed: false, used: 0, remainingMs: 10_000 });
  expect(budget.spend('a', 50, 10_000, 50)).toMatchObject({ isAllowed: true, used: 50 });
});

test('DEC-OPR-171: whatever limits follow one another, a window takes at most the greatest of them', () => {
  const steps = fc.array(
    fc.record({
      cost: fc.integer({ min: 1, max: 60 }),
      limit: fc.integer({ min: 1, max: 200 }),
      isCharge: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const budget = new WeightBudget({ windowMs: 10_000, limit: 100, bucketsMax: 10 });
      let used = 0;
      for (const [at, { cost, limit, isCharge }] of all.entries()) {
        if (isCharge) {
          used = Math.max(used, Math.min(limit, used + cost));
          expect(budget.exact('a', cost, at, limit)).toBe(used);
          continue;
        }
        const fits = used + cost <= limit;
        if (fits) used += cost;
        expect(budget.spend('a', cost, at, limit)).toEqual({ isAllowed: fits, used, remainingMs: 10_000 - at });
      }
      expect(used).toBeLessThanOrEqual(Math.max(...all.map(({ limit }) => limit)));
    }),
  );
});
