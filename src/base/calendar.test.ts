import { expect, test } from 'vitest';
import { dayMs, dayOfMonthStart, monthOf } from '#base/calendar.ts';

test('months start where the civil calendar says, for 600 years', () => {
  for (let year = 1700; year < 2300; year += 1) {
    for (let month = 0; month < 12; month += 1) {
      const start = Date.UTC(year, month, 1);
      expect(dayOfMonthStart(year, month) * dayMs).toBe(start);
      expect(monthOf(start)).toEqual({ year, month });
      expect(monthOf(Date.UTC(year, month + 1, 1) - 1)).toEqual({ year, month });
    }
  }
});

test('a month past December is one of the next year', () => {
  expect(dayOfMonthStart(2023, 12)).toBe(dayOfMonthStart(2024, 0));
});
