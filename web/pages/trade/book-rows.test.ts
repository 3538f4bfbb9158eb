import { expect, test } from 'vitest';
import { bookRows, depthCurve } from '#web/pages/trade/book-rows.ts';

test('DEC-WEB-09: levels are grouped outwards, so that no line is better than what rests in it', () => {
  const bids = Float64Array.from([1019, 2, 1011, 3, 1010, 1, 999, 4]);
  expect(bookRows('bids', bids, 10, 9)).toEqual([
    { price: 1010, lots: 6, sum: 6 },
    { price: 990, lots: 4, sum: 10 },
  ]);
  const asks = Float64Array.from([1020, 2, 1021, 3, 1030, 1]);
  expect(bookRows('asks', asks, 10, 9)).toEqual([
    { price: 1020, lots: 2, sum: 2 },
    { price: 1030, lots: 4, sum: 6 },
  ]);
  expect(bookRows('asks', asks, 1, 1)).toEqual([{ price: 1020, lots: 2, sum: 2 }]);
});

test('the curve of a depth ends where the picture does', () => {
  expect(depthCurve(Float64Array.from([10, 1, 11, 2, 15, 3]), 12)).toEqual([
    { price: 10, sum: 1 },
    { price: 11, sum: 3 },
  ]);
  expect(depthCurve(Float64Array.from([10, 1, 9, 2, 5, 3]), 8)).toEqual([
    { price: 10, sum: 1 },
    { price: 9, sum: 3 },
  ]);
  expect(depthCurve(new Float64Array(), 5)).toEqual([]);
});
