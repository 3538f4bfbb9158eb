import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SharedCount } from '#model/shared-limits.ts';
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

describe('DEC-CLU-22: what other nodes spent', () => {
  const rules = { windowMs: 10_000, limit: 500, bucketsMax: 10 };
  const told = (amount: number, leftMs: number): SharedCount => ({ limit: 'addressWeight', key: 'a', amount, leftMs });

  test('counts as if it was spent here, in the window of the node where the client came first', () => {
    const budget = new WeightBudget(rules);
    budget.addShared(told(300, 9500), 1000);
    expect(budget.spend('a', 201, 2000)).toEqual({ isAllowed: false, used: 300, remainingMs: 8500 });
    expect(budget.spend('a', 200, 2000)).toEqual({ isAllowed: true, used: 500, remainingMs: 8500 });
    budget.addShared(told(50, 8400), 2100);
    expect(budget.spend('a', 1, 2200)).toMatchObject({ isAllowed: false, used: 550 });
    expect(budget.spend('a', 1, 10_500)).toEqual({ isAllowed: true, used: 1, remainingMs: 10_000 });
  });

  test('in the next window waits for it, and what was spent in one that is over counts no more', () => {
    const budget = new WeightBudget(rules);
    budget.spend('a', 500, 0);
    budget.addShared(told(400, 9900), 9800);
    budget.addShared(told(50, 9880), 9820);
    expect(budget.spent('a', 9900)).toEqual({ used: 500, remainingMs: 100 });
    expect(budget.spend('a', 51, 10_000)).toEqual({ isAllowed: false, used: 450, remainingMs: 9700 });
    budget.addShared(told(500, 100), 10_100);
    expect(budget.spend('a', 50, 10_200)).toEqual({ isAllowed: true, used: 500, remainingMs: 9500 });
    // Nobody came while that window was open: the next one begins with who comes.
    expect(budget.spend('a', 7, 30_000)).toEqual({ isAllowed: true, used: 7, remainingMs: 10_000 });
  });

  test('is told once, without what others told and without what a window that is over had', () => {
    const budget = new WeightBudget(rules);
    const pending = budget.share();
    budget.spend('a', 20, 0);
    budget.exact('a', 1000, 10);
    budget.spend('b', 30, 20);
    budget.addShared(told(50, 5000), 30);
    expect(pending.at(40)).toEqual([
      { key: 'a', amount: 500, endsAt: 10_000, share: 1 },
      { key: 'b', amount: 30, endsAt: 10_020, share: 0.06 },
    ]);
    pending.forget('a');
    expect(pending.at(10_005).map(({ key }) => key)).toEqual(['b']);
    budget.spend('b', 40, 10_030);
    expect(pending.at(10_030)).toMatchObject([{ key: 'b', amount: 40 }]);
  });
});
