import { expect, test } from 'vitest';
import { metricsIn } from './promql.ts';

const asked = (query: string) => metricsIn(query).map(({ name, labels }) => [name, [...labels].sort()]);

test('metrics are found with the labels that select and keep their series', () => {
  const query =
    'histogram_quantile(0.9, sum by (le, port) (rate(a_seconds_bucket{job="b", code!="x"}[5m]))) > b{c="d"}';
  expect(asked(query)).toEqual([
    ['a_seconds_bucket', ['code', 'le', 'port']],
    ['b', ['c']],
  ]);
  expect(asked('absent(up{job="b"}) or vector(0)')).toEqual([['up', []]]);
});

test.each(['sum by (', 'rate(a[5m]', 'a{b=c}', 'a >', '{b="c"}'])('%s is refused', (query) => {
  expect(() => metricsIn(query)).toThrow();
});
