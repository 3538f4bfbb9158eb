import { expect, test } from 'vitest';
import {
  atPrice,
  compareAmounts,
  downTo,
  isAmount,
  isMultiple,
  isNothing,
  lessThan,
  smaller,
  sumOf,
} from '#web/data/amounts.ts';

test('DEC-WEB-31: amounts are exact beyond what floating point holds', () => {
  expect(sumOf(['0.1', '0.2', 'x'])).toBe('0.3');
  expect(sumOf(['9007199254740993.000000001', '0.000000001'])).toBe('9007199254740993.000000002');
  expect(lessThan('100.000000001', '3')).toBe('97.000000001');
  expect(atPrice('123456789.12345678', '0.000000000001')).toBe('0.000123456789123456');
  expect(compareAmounts('1.0', '1')).toBe(0);
  expect(compareAmounts('0.1', '0.10000000000000001')).toBe(-1);
});

test('DEC-WEB-31: what is no amount, or leaves nothing, is none', () => {
  for (const text of ['', '-1', '1e3', '0x1', '1,000', ' 1', '.5', 'NaN']) expect(isAmount(text)).toBe(false);
  expect(lessThan('1', '1')).toBeNull();
  expect(lessThan('1', '')).toBeNull();
  expect(compareAmounts('', '1')).toBeNull();
  expect(atPrice('1', '')).toBeNull();
  expect(isNothing('0.000')).toBe(true);
});

test('an amount is cut at a step, and the smaller of two is found', () => {
  expect(isMultiple('1.25', '0.05')).toBe(true);
  expect(isMultiple('1.26', '0.05')).toBe(false);
  expect(downTo('1.29', '0.05')).toBe('1.25');
  expect(downTo('1.29', null)).toBe('1.29');
  expect(smaller('10', '9.9')).toBe('9.9');
});
