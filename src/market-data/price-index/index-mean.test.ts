import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { as } from '#model/units.ts';
import { indexMean } from '#market-data/price-index/index-mean.ts';
import type { IndexSource, SourceStanding } from '#market-data/price-index/price-index.ts';

const now = 1_000_000;

/** A source that is live for `lifeMs` more; below 0: it is stale. */
const sourceOf = (name: string, price: number, weight = 1, lifeMs = 0): IndexSource => ({
  name,
  weight,
  price,
  at: as(now - 5000),
  liveUntil: as(now + lifeMs),
});
/** The price, and what became of each source. */
const meanOf = (...sources: readonly IndexSource[]): readonly [number | null, ...SourceStanding[]] => {
  const { price, sources: judged } = indexMean(sources, as(now));
  expect(judged.map(({ name }) => name)).toEqual(sources.map(({ name }) => name));
  return [price, ...judged.map(({ standing }) => standing)];
};

describe('DEC-FUT-03: the index price by the number of live sources', () => {
  test('without any there is none', () => {
    expect(meanOf()).toEqual([null]);
    expect(meanOf(sourceOf('a', 100, 1, -1))).toEqual([null, 'stale']);
  });

  test('one is the price, whatever stale ones say', () => {
    expect(meanOf(sourceOf('a', 100), sourceOf('b', 900, 50, -1))).toEqual([100, 'counted', 'stale']);
  });

  test('of two the one of higher weight counts, of equal ones the first', () => {
    expect(meanOf(sourceOf('a', 100, 1), sourceOf('b', 900, 2))).toEqual([900, 'outweighed', 'counted']);
    expect(meanOf(sourceOf('a', 100, 2), sourceOf('b', 900, 2))).toEqual([100, 'counted', 'outweighed']);
  });

  test('of three the mean by weight counts', () => {
    // (5 × 10,000 + 3 × 10,100 + 2 × 9,900) / 10 = 100,100 / 10
    expect(meanOf(sourceOf('a', 10_000, 5), sourceOf('b', 10_100, 3), sourceOf('c', 9_900, 2))).toEqual([
      10_010,
      'counted',
      'counted',
      'counted',
    ]);
  });

  test('a mean between two steps is rounded down', () => {
    // (1 × 10,000 + 1 × 10,001 + 1 × 10,001) / 3 = 10,000.67
    expect(meanOf(sourceOf('a', 10_000), sourceOf('b', 10_001), sourceOf('c', 10_001))[0]).toBe(10_000);
  });

  test('of three one more than 3 % off the median is left out, one of exactly 3 % is not', () => {
    // Median 10,000; 10,300 is 3 % off. (10,000 + 10,300 + 9,700) / 3, then (10,000 + 9,700) / 2.
    expect(meanOf(sourceOf('a', 10_000), sourceOf('b', 10_300), sourceOf('c', 9_700))[0]).toBe(10_000);
    expect(meanOf(sourceOf('a', 10_000), sourceOf('b', 10_301), sourceOf('c', 9_700))).toEqual([
      9_850,
      'counted',
      'deviating',
      'counted',
    ]);
  });

  test('a heavy source does not draw the median to itself', () => {
    expect(meanOf(sourceOf('a', 20_000, 1_000_000), sourceOf('b', 10_000), sourceOf('c', 10_010))).toEqual([
      10_005,
      'deviating',
      'counted',
      'counted',
    ]);
  });

  test('DEC-FUT-42: the median of four is the middle of the two inner ones', () => {
    // Inner prices 10,000 and 10,201: median 10,100.5, 3 % of it 303.015: 9,797.485 to 10,403.515.
    const inner = [sourceOf('a', 10_000), sourceOf('b', 10_201)];
    // (10,000 + 10,201 + 9,798 + 10,403) / 4 = 40,402 / 4 = 10,100.5
    expect(meanOf(...inner, sourceOf('c', 9_798), sourceOf('d', 10_403))[0]).toBe(10_100);
    // (10,000 + 10,201) / 2 = 10,100.5
    expect(meanOf(...inner, sourceOf('c', 9_797), sourceOf('d', 10_404))).toEqual([
      10_100,
      'counted',
      'counted',
      'deviating',
      'deviating',
    ]);
  });

  test('DEC-FUT-42: where four contradict each other two by two, none counts', () => {
    expect(meanOf(sourceOf('a', 100), sourceOf('b', 100), sourceOf('c', 900), sourceOf('d', 900))[0]).toBeNull();
  });

  test('a stale one is not among the three', () => {
    const stale = sourceOf('c', 10_000, 9, -1);
    expect(meanOf(sourceOf('a', 10_000), sourceOf('b', 20_000, 2), stale)).toEqual([
      20_000,
      'outweighed',
      'counted',
      'stale',
    ]);
  });

  test('prices and weights of any size are exact', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const heavy = 1_000_000;
    expect(meanOf(sourceOf('a', most, heavy), sourceOf('b', most - 2, heavy), sourceOf('c', most - 1, heavy))[0]).toBe(
      most - 1,
    );
  });
});

/** The rule word by word, over numbers so small that halves and products are exact. */
function naiveMean(all: readonly IndexSource[]): number | null {
  const live = all.filter((source) => source.liveUntil >= now);
  if (live.length === 0) return null;
  if (live.length === 1) return live[0]!.price;
  if (live.length === 2) return live[1]!.weight > live[0]!.weight ? live[1]!.price : live[0]!.price;
  const sorted = live.map(({ price }) => price).sort((a, b) => a - b);
  while (sorted.length > 2) {
    sorted.pop();
    sorted.shift();
  }
  const median = sorted.reduce((sum, price) => sum + price, 0) / sorted.length;
  const near = live.filter(({ price }) => 100 * Math.abs(price - median) <= 3 * median);
  const weights = near.reduce((sum, { weight }) => sum + weight, 0);
  if (weights === 0) return null;
  const sum = near.reduce((product, { weight, price }) => product + weight * price, 0);
  return (sum - (sum % weights)) / weights;
}

test('DEC-FUT-03: the index price is that of a naive model', () => {
  const source = fc.record({
    price: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 9_000, max: 11_000 })),
    weight: fc.integer({ min: 1, max: 100 }),
    life: fc.integer({ min: -1, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(source, { maxLength: 9 }), (drawn) => {
      const sources = drawn.map(({ price, weight, life }, index) => sourceOf(`s${index}`, price, weight, life));
      expect(indexMean(sources, as(now)).price).toBe(naiveMean(sources));
    }),
    { numRuns: 500 },
  );
});
