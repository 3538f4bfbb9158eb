import { expect, test } from 'vitest';
import { candleIntervals, candleOpenTime, shiftCandle } from '#model/candle.ts';

const at = Date.UTC(2024, 1, 29, 13, 47, 31, 250);

test('windows open on their UTC boundary, weeks on Monday, months on the first', () => {
  const opens = Object.fromEntries(candleIntervals.map((interval) => [interval, candleOpenTime(interval, at)]));
  expect(opens).toEqual({
    '1m': Date.UTC(2024, 1, 29, 13, 47),
    '5m': Date.UTC(2024, 1, 29, 13, 45),
    '15m': Date.UTC(2024, 1, 29, 13, 45),
    '30m': Date.UTC(2024, 1, 29, 13, 30),
    '60m': Date.UTC(2024, 1, 29, 13),
    '4h': Date.UTC(2024, 1, 29, 12),
    '8h': Date.UTC(2024, 1, 29, 8),
    '1d': Date.UTC(2024, 1, 29),
    '1W': Date.UTC(2024, 1, 26),
    '1M': Date.UTC(2024, 1, 1),
  });
});

test('a boundary belongs to the window it opens, and shifting there and back is nothing', () => {
  for (const interval of candleIntervals) {
    const open = candleOpenTime(interval, at);
    expect(candleOpenTime(interval, open)).toBe(open);
    const next = shiftCandle(interval, open, 1);
    expect(candleOpenTime(interval, next - 1)).toBe(open);
    expect(candleOpenTime(interval, next)).toBe(next);
    expect(shiftCandle(interval, shiftCandle(interval, open, 30), -30)).toBe(open);
  }
});
