import { expect, test } from 'vitest';
import { mergedBars } from '#web/chart/merge-bars.ts';
import type { Bar } from '#web/data/candles.ts';

const bars = (times: readonly number[], close: number): readonly Bar[] =>
  times.map((time) => ({ time, open: 1, high: 1, low: 1, close, volume: 1 }));
const shown = (found: readonly Bar[]) => found.map(({ time, close }) => [time, close]);

test('DEC-WEB-17: readings join in the order of time, each time once, and the newer one counts', () => {
  const known = bars([3, 4, 5], 1);
  expect(shown(mergedBars(known, bars([1, 2], 2)))).toEqual([
    [1, 2],
    [2, 2],
    [3, 1],
    [4, 1],
    [5, 1],
  ]);
  expect(shown(mergedBars(known, bars([6], 2)))).toEqual([
    [3, 1],
    [4, 1],
    [5, 1],
    [6, 2],
  ]);
  expect(shown(mergedBars(known, bars([2, 3, 5, 6], 2)))).toEqual([
    [2, 2],
    [3, 2],
    [4, 1],
    [5, 2],
    [6, 2],
  ]);
  expect(mergedBars(known, [])).toBe(known);
  expect(shown(mergedBars([], bars([7], 2)))).toEqual([[7, 2]]);
});
