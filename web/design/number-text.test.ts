import { expect, test } from 'vitest';
import { compact, decimalsOf, direction, grouped, percent } from '#web/design/number-text.ts';

test('DEC-WEB-04: numbers keep every digit, with thousands apart and decimals filled up', () => {
  expect(grouped('1234567.5', 2)).toBe('1,234,567.50');
  expect(grouped('0.00000001')).toBe('0.00000001');
  expect(grouped('9007199254740993.123456789012345678')).toBe('9,007,199,254,740,993.123456789012345678');
  expect(grouped('-1234')).toBe('−1,234');
  expect(grouped('12', 0)).toBe('12');
});

test('DEC-WEB-04: a glance at a large number is cut, not rounded up to what is not there', () => {
  expect([compact(12_345_678), compact(999.999), compact(1_999_999), compact(Number.NaN)]).toEqual([
    '12.34M',
    '999.99',
    '1.99M',
    '–',
  ]);
});

test('DEC-WEB-04: a change has its sign, and nothing has none', () => {
  expect([percent(0.0123), percent(-0.5), percent(0), percent(-0.000_000_1), percent(12.5)]).toEqual([
    '+1.23%',
    '−50.00%',
    '0.00%',
    '0.00%',
    '+1,250.00%',
  ]);
  expect([direction(1), direction(-1), direction(0)]).toEqual(['up', 'down', '']);
  expect([decimalsOf('1.50'), decimalsOf('1')]).toEqual([2, 0]);
});
