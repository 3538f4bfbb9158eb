import { expect, test } from 'vitest';
import { ageText, ordered } from '#web/office/withdrawals/withdrawal-order.ts';

test('DEC-WEB-45: the queue is ordered by age or by worth; what has no price comes before all', () => {
  const queue = [
    { withdrawal: 1, requestedAt: 10, value: '9' },
    { withdrawal: 2, requestedAt: 5, value: '10.5' },
    { withdrawal: 3, requestedAt: 7, value: null },
    { withdrawal: 4, requestedAt: 1, value: '9' },
  ];
  expect(ordered(queue, 'age').map(({ withdrawal }) => withdrawal)).toEqual([4, 2, 3, 1]);
  expect(ordered(queue, 'worth').map(({ withdrawal }) => withdrawal)).toEqual([3, 2, 4, 1]);
});

test('ages are told in their greatest unit', () => {
  expect([0, 59, 60, 3599, 7300, 90_000].map((seconds) => ageText(0, seconds * 1000))).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '59 min',
    '2 h',
    '1 d',
  ]);
});
