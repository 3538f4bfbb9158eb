import { expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { RollingDay } from '#market-data/rolling-day.ts';

test('days of dense trading keep every total exact and forget what is older than a day', () => {
  const chance = createPrng(7);
  const day = new RollingDay();
  const trades: { second: number; price: number; lots: number }[] = [];
  let at = 1_700_000_000_000;
  let before: number | null = null;
  let from = 0;
  for (let index = 0; index < 60_000; index += 1) {
    at += chance.below(8000);
    const one = { second: Math.floor(at / 1000), price: 1000 + chance.below(1000), lots: 2 ** 52 + chance.below(1000) };
    trades.push(one);
    day.add(at, one.price as never, one.lots, one.lots);
    while ((trades[from] as typeof one).second <= one.second - 86_400) {
      before = (trades[from] as typeof one).price;
      from += 1;
    }
    if (index % 5000 !== 4999) continue;
    const inside = trades.slice(from);
    const lots = inside.reduce((sum, trade) => sum + BigInt(trade.lots), 0n);
    expect(day.day(at)).toEqual({
      high: Math.max(...inside.map((trade) => trade.price)),
      low: Math.min(...inside.map((trade) => trade.price)),
      lots,
      quoteAmount: lots,
      trades: inside.length,
      open: before ?? trades[0]?.price,
    });
  }
  expect(from).toBeGreaterThan(10_000);
});

test('a day without trades has none, opens at the last price, and takes new trades', () => {
  const day = new RollingDay();
  expect(day.day(0)).toEqual({ high: null, low: null, lots: 0n, quoteAmount: 0n, trades: 0, open: null });
  day.add(1500, 10 as never, 1, 10);
  expect(day.day(86_400_999)).toMatchObject({ trades: 1, open: 10 });
  expect(day.day(86_401_000)).toEqual({ high: null, low: null, lots: 0n, quoteAmount: 0n, trades: 0, open: 10 });
  day.add(90_000_000, 20 as never, 2, 40);
  expect(day.day(90_000_000)).toEqual({ high: 20, low: 20, lots: 2n, quoteAmount: 40n, trades: 1, open: 10 });
});

test('a clock that is set forth and back loses nothing', () => {
  const day = new RollingDay();
  for (let second = 0; second < 1000; second += 1) {
    day.add(second * 1000, (500 + ((second * 37) % 100)) as never, 2 ** 53 - 1, 3);
  }
  const now = 999_000;
  const before = day.day(now);
  expect(before.trades).toBe(1000);
  expect(day.day(now + 86_400_000 - 500_000).trades).toBe(500);
  expect(day.day(now + 10 * 86_400_000)).toMatchObject({ trades: 0, high: null, lots: 0n });
  expect(day.day(now)).toEqual(before);
  day.day(now + 86_400_000);
  day.add(now, 9 as never, 1, 1);
  expect(day.day(now)).toEqual({
    ...before,
    low: 9,
    trades: 1001,
    lots: before.lots + 1n,
    quoteAmount: before.quoteAmount + 1n,
  });
});
