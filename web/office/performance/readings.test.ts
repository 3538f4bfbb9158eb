import { expect, test } from 'vitest';
import { parseMetrics } from '#web/office/data/exposition.ts';
import { gauge, largest, mean, quantile, rate, type Scrape } from '#web/office/performance/readings.ts';

const scrape = (at: number, text: string): Scrape => ({ at, metrics: parseMetrics(text) });

const before = scrape(
  1000,
  `answers{port="public",endpoint="a"} 10
answers{port="public",endpoint="b"} 5
answers{port="operator",endpoint="a"} 1
age{status="x"} 3
took_bucket{le="0.01"} 100
took_bucket{le="0.1"} 100
took_bucket{le="+Inf"} 100
took_sum 1
took_count 100`,
);
const now = scrape(
  3000,
  `answers{port="public",endpoint="a"} 30
answers{port="public",endpoint="b"} 5
answers{port="operator",endpoint="a"} 2
age{status="x"} 3
age{status="y"} 8
took_bucket{le="0.01"} 150
took_bucket{le="0.1"} 198
took_bucket{le="+Inf"} 200
took_sum 2
took_count 200`,
);

test('DEC-WEB-54: counters are told by the second, of the series that are meant', () => {
  expect(rate('answers', ['port="public"'])(now, before)).toBe(10);
  expect(rate('answers', ['port="operator"'])(now, before)).toBe(0.5);
  expect(rate('answers')(now, null)).toBeNull();
  expect(rate('nothing')(now, before)).toBeNull();
});

test('DEC-WEB-54: a counter that fell began anew: nothing is told of that span', () => {
  expect(rate('answers')(scrape(4000, 'answers 1'), now)).toBeNull();
  expect(mean('took')(scrape(4000, 'took_sum 0\ntook_count 0'), now)).toBeNull();
});

test('DEC-WEB-54: gauges are summed up or the largest counts', () => {
  expect(gauge('age')(now, null)).toBe(11);
  expect(gauge('age', [], 2)(now, null)).toBe(5.5);
  expect(largest('age')(now, null)).toBe(8);
  expect(largest('nothing')(now, null)).toBeNull();
});

test('DEC-WEB-54: mean and quantiles are of what was measured between two looks', () => {
  expect(mean('took')(now, before)).toBe(10);
  expect(quantile('took', 0.5)(now, before)).toBeCloseTo(10, 6);
  expect(quantile('took', 0.9)(now, before)).toBeCloseTo(85, 6);
  // Beyond the last bound no more is known.
  expect(quantile('took', 0.99)(now, before)).toBe(100);
  expect(quantile('took', 0.5)(before, before)).toBeNull();
});
