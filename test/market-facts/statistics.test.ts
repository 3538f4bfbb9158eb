import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { roundAsPeopleDo } from '#sandbox/agents/order-size.ts';
import {
  autocorrelation,
  correlation,
  deviation,
  dispersionOf,
  excessKurtosis,
  largest,
  mean,
  quantile,
  smallest,
  tailIndex,
  variationOf,
} from './statistics.ts';

const repeated = (numbers: readonly number[], times: number): number[] =>
  Array.from({ length: times }, () => numbers).flat();

describe('statistics of lists worked out by hand', () => {
  test('mean, deviation and their ratio', () => {
    const numbers = [2, 4, 4, 4, 5, 5, 7, 9];
    expect(mean(numbers)).toBe(5);
    expect(deviation(numbers)).toBe(2);
    expect(variationOf(numbers)).toBe(0.4);
    expect([smallest(numbers), largest(numbers)]).toEqual([2, 9]);
  });

  test('variance over mean is 0 for even counts and large for bursts', () => {
    expect(dispersionOf([3, 3, 3])).toBe(0);
    // mean 1, variance 9 of a burst of ten in ten windows
    expect(dispersionOf([10, 0, 0, 0, 0, 0, 0, 0, 0, 0])).toBe(9);
  });

  test('excess kurtosis is -2 of two values, and rises with what is rare and far', () => {
    expect(excessKurtosis(repeated([-1, 1], 50))).toBeCloseTo(-2);
    // with probability p at ±1 and 0 otherwise: 1 / p - 3
    expect(excessKurtosis([...repeated([0], 90), ...repeated([-1, 1], 5)])).toBeCloseTo(7);
  });

  test('correlation is 1 of proportional, -1 of opposite and 0 of unrelated lists', () => {
    expect(correlation([1, 2, 3], [20, 40, 60])).toBeCloseTo(1);
    expect(correlation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1);
    expect(correlation([1, 2, 1, 2], [1, 1, 2, 2])).toBeCloseTo(0);
    expect(() => correlation([1], [1, 2])).toThrow(RangeError);
  });

  test('autocorrelation of a list that alternates falls to -1, and that of period four is 1 at its period', () => {
    expect(autocorrelation(repeated([1, -1], 500), 1)).toBeCloseTo(-1, 2);
    expect(autocorrelation(repeated([1, 0, -1, 0], 500), 4)).toBeCloseTo(1, 2);
    expect(autocorrelation(repeated([1, 0, -1, 0], 500), 1)).toBeCloseTo(0, 2);
  });

  test('quantiles interpolate and do not mind the order', () => {
    expect([0, 0.5, 1].map((fraction) => quantile([4, 1, 3, 2], fraction))).toEqual([1, 2.5, 4]);
    expect(quantile([7], 0.9)).toBe(7);
  });

  test("Hill's estimate of powers of e is worked out by hand", () => {
    // mean logarithms over the next number: 1 of the largest, 1.5 of two, 2 of three; from half of two up
    expect(tailIndex([1, Math.E, Math.E ** 2, Math.E ** 3], 0.5)).toBeCloseTo(1 / 1.5);
  });

  test('what has no meaning is not a number', () => {
    for (const number of [
      mean([]),
      quantile([], 0.5),
      excessKurtosis([1, 1]),
      correlation([1, 1], [1, 2]),
      tailIndex([1], 0.05),
    ]) {
      expect(number).toBeNaN();
    }
  });
});

describe('statistics of large samples of known distributions', () => {
  const count = 100_000;
  const prng = createPrng(7);
  const normal = Array.from({ length: count }, () => prng.gaussian());

  test('a normal distribution has no excess kurtosis and no memory', () => {
    expect(excessKurtosis(normal)).toBeCloseTo(0, 0);
    expect(autocorrelation(normal, 1)).toBeCloseTo(0, 1);
  });

  test('an autoregressive process remembers as much as it keeps', () => {
    let last = 0;
    const process = normal.map((shock) => (last = 0.6 * last + shock));
    expect(autocorrelation(process, 1)).toBeCloseTo(0.6, 1);
    expect(autocorrelation(process, 3)).toBeCloseTo(0.216, 1);
  });

  test('the tail of a Pareto distribution is found', () => {
    const pareto = Array.from({ length: count }, () => (1 - prng.next()) ** (-1 / 1.5));
    expect(tailIndex(pareto, 0.05)).toBeCloseTo(1.5, 1);
  });

  test('round numbers do not hide a heavy tail, and what has none is told from it', () => {
    for (const exponent of [1.5, 2, 2.5]) {
      const sizes = Array.from({ length: count }, () =>
        roundAsPeopleDo(Math.round(1_000 * (1 - prng.next()) ** (-1 / exponent)), prng),
      );
      expect(Math.abs(tailIndex(sizes, 0.05) / exponent - 1)).toBeLessThan(0.15);
    }
    const even = Array.from({ length: count }, () => Math.exp(0.5 * prng.gaussian()));
    expect(tailIndex(even, 0.05)).toBeGreaterThan(4);
  });
});
