import { expect, test } from 'vitest';
import { dayMs, dayOfMonthStart, monthOf, startOfDate } from '#base/calendar.ts';

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

test('every day from 1970 on is read from its date', () => {
  for (let day = 0; day < 60_000; day += 1) {
    const text = new Date(day * dayMs).toISOString().slice(0, 10);
    expect(startOfDate(text)).toBe(day * dayMs);
  }
});

test.each([
  '1969-12-31',
  '2026-00-10',
  '2026-13-01',
  '2026-01-00',
  '2026-01-32',
  '2026-02-29',
  '2026-04-31',
  '2026-1-01',
  '2026-01-01T00:00:00Z',
  ' 2026-01-01',
  '20260101',
  '',
])('%j is no date', (text) => {
  expect(startOfDate(text)).toBeNull();
});
