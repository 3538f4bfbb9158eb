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
