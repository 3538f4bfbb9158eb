import { expect, test } from 'vitest';
import { sparkPath } from '#web/design/spark-line.tsx';

test('DEC-WEB-05: the line of a price has its lowest value at the bottom and its highest at the top', () => {
  expect(sparkPath([1, 3, 2])).toBe('M0 30L60 2L120 16');
  expect(sparkPath([5, 5])).toBe('M0 16L120 16');
  expect([sparkPath([1]), sparkPath([])]).toEqual(['', '']);
});
