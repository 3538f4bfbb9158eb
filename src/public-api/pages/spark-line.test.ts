import { expect, test } from 'vitest';
import { sparkLine } from '#public-api/pages/spark-line.ts';

test('a spark line goes from the lowest price at the bottom to the highest at the top, over its part of the time', () => {
  const svg = sparkLine([
    { at: 0.5, price: 100 },
    { at: 0.75, price: 300 },
    { at: 1, price: 200 },
  ]);
  expect(svg).toContain('<path class="line" d="M120 60L180 4L240 32"/>');
  expect(svg).toContain('<path class="area" d="M120 60L180 4L240 32L240 64L120 64Z"/>');
});

test('one price all the time is a line in the middle', () => {
  const flat = [0, 1].map((at) => ({ at, price: 7 }));
  expect(sparkLine(flat)).toContain('d="M0 32L240 32"');
});

test('without a price there is no picture', () => {
  expect(sparkLine([])).toBe('');
});
