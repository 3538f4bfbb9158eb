import { expect, test } from 'vitest';
import { RecentEntries } from '#sandbox/request-log/recent-entries.ts';

const idsOf = (recent: RecentEntries<{ readonly id: number; readonly bytes: number }>): number[] =>
  recent.oldestFirst().map(({ id }) => id);

test('DEC-KIT-27: the oldest entries go when there are too many', () => {
  const recent = new RecentEntries<{ readonly id: number; readonly bytes: number }>(3, 1000);
  for (let id = 1; id <= 10; id += 1) {
    recent.add({ id, bytes: 1 });
    expect([recent.size, recent.bytes]).toEqual([Math.min(id, 3), Math.min(id, 3)]);
  }
  expect(idsOf(recent)).toEqual([8, 9, 10]);
  recent.keep(1);
  expect(idsOf(recent)).toEqual([10]);
  recent.keep(5);
  for (let id = 11; id <= 14; id += 1) recent.add({ id, bytes: 1 });
  expect(idsOf(recent)).toEqual([10, 11, 12, 13, 14]);
  recent.clear();
  expect([idsOf(recent), recent.bytes]).toEqual([[], 0]);
});

test('DEC-KIT-27: the oldest entries go when they take too much, the newest never', () => {
  const recent = new RecentEntries<{ readonly id: number; readonly bytes: number }>(100, 10);
  for (const [id, bytes] of [
    [1, 4],
    [2, 4],
    [3, 4],
    [4, 50],
  ] as const)
    recent.add({ id, bytes });
  expect([idsOf(recent), recent.bytes]).toEqual([[4], 50]);
  recent.add({ id: 5, bytes: 2 });
  expect([idsOf(recent), recent.bytes]).toEqual([[5], 2]);
});
