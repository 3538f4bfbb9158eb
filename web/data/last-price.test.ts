import { afterEach, expect, test } from 'vitest';
import { lastMoveOf, lastPriceOf, takeTrades } from '#web/data/last-price.ts';
import { days } from '#web/data/markets.ts';

afterEach(() => {
  takeTrades('BTCUSDT', []);
  days.value = new Map();
});

const trades = (...prices: readonly string[]) => prices.map((price) => ({ price }));

test('DEC-WEB-09: the last price is that of the newest trade, and goes the way that it went from the price before', () => {
  const day = { last: '100', change: -0.02, high: '110', low: '90', turnover: '1', volume: '1' };
  days.value = new Map([
    ['BTCUSDT', day],
    ['ETHUSDT', day],
  ]);
  expect([lastPriceOf('BTCUSDT'), lastMoveOf('BTCUSDT')]).toEqual(['100', -0.02]);
  takeTrades('BTCUSDT', trades('101', '101.0', '99'));
  expect([lastPriceOf('BTCUSDT'), lastMoveOf('BTCUSDT')]).toEqual(['101', 2]);
  expect([lastPriceOf('ETHUSDT'), lastMoveOf('ETHUSDT')]).toEqual(['100', -0.02]);
  takeTrades('BTCUSDT', trades('98', '101'));
  expect(lastMoveOf('BTCUSDT')).toBe(-3);
  expect([lastPriceOf('NONE'), lastMoveOf('NONE')]).toEqual([null, 0]);
});
