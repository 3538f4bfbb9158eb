import { expect, test } from 'vitest';
import { sharedLimits, type SharedLimit, sharedWindowMs } from '#model/shared-limits.ts';
import { shareLimits } from '#http/limit-counts.ts';
import { WeightBudget } from '#http/weight-budget.ts';

const rules = { windowMs: 10_000, limit: 100, bucketsMax: 10_000 };

function limitsOf() {
  const time = { at: 0 };
  const counters = Object.fromEntries(sharedLimits.map((limit) => [limit, new WeightBudget(rules)])) as Record<
    SharedLimit,
    WeightBudget
  >;
  return { time, counters, counts: shareLimits(counters, { now: () => time.at }) };
}

test('DEC-CLU-22: who is nearest to a limit is told first, the others by the next call', () => {
  const { counters, counts, time } = limitsOf();
  counters.addressWeight.spend('low', 1, 0);
  counters.faults.exact('all', 100, 0);
  counters.accountWeight.spend('middle', 9, 0);
  time.at = 4000;
  expect(counts.take(2)).toEqual([
    { limit: 'faults', key: 'all', amount: 100, leftMs: 6000 },
    { limit: 'accountWeight', key: 'middle', amount: 9, leftMs: 6000 },
  ]);
  expect(counts.take(2)).toEqual([{ limit: 'addressWeight', key: 'low', amount: 1, leftMs: 6000 }]);
  expect(counts.take(2)).toEqual([]);
});

test('what is told are whole milliseconds, whatever the clock says', () => {
  const { counters, counts, time } = limitsOf();
  counters.addressWeight.spend('a', 1, 0.25);
  time.at = 1.5;
  expect(counts.take(10)).toEqual([{ limit: 'addressWeight', key: 'a', amount: 1, leftMs: 9999 }]);
});

test('DEC-CLU-22: a tenth of a limit is urgent until it is told', () => {
  const { counters, counts } = limitsOf();
  counters.addressWeight.spend('a', 9, 0);
  expect(counts.isUrgent).toBe(false);
  counters.addressWeight.spend('a', 1, 0);
  expect(counts.isUrgent).toBe(true);
  counts.take(10);
  expect(counts.isUrgent).toBe(false);
});

test('DEC-CLU-22: counts of other nodes reach the limit that they are of, and are not told again', () => {
  const { counters, counts } = limitsOf();
  for (const [index, limit] of sharedLimits.entries())
    counts.add([{ limit, key: 'a', amount: index + 1, leftMs: sharedWindowMs }]);
  expect(sharedLimits.map((limit) => counters[limit].spent('a', 0)?.used)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(counts.take(10)).toEqual([]);
});

test('G13: a hundred thousand clients leave what waits to be told within its bound', () => {
  const { counters, counts } = limitsOf();
  for (let client = 0; client < 100_000; client += 1) counters.addressWeight.spend(`${client}`, 1, 0);
  expect(counts.take(100_000)).toHaveLength(5000);
  counters.addressWeight.spend('late', 1, 0);
  expect(counts.take(10)).toHaveLength(1);
});
