import { describe, expect, test } from 'vitest';
import { counter, declareMetrics, gauge, histogram, sourceOf } from '#main/metrics/declare-metrics.ts';
import { metricCatalogue } from '#main/metrics/metric-catalogue.ts';
import { metricsText } from '#main/metrics/metrics-text.ts';

const shop = declareMetrics(
  'A shop',
  { kind: 'of thing', till: 'its number' },
  {
    shop_open: gauge('1 while it is open.'),
    shop_sold_total: counter('Things sold.', ['kind']),
    shop_wait_seconds: histogram('Time in the queue.', ['till']),
  },
);
const noTrouble = (what: string, error: unknown): never => {
  throw new Error(what, { cause: error });
};

describe('DEC-OPR-280: metrics are told in the text format of Prometheus', () => {
  test('values, rows by label, and histograms whose buckets count all below them', async () => {
    const source = sourceOf(shop, () => ({
      shop_open: 1,
      shop_sold_total: [
        [{ kind: 'pear "ripe"\\' }, 2],
        [{ kind: 'plum' }, 3],
      ],
      shop_wait_seconds: [[{ till: '1' }, { bounds: [0.5, 1], counts: [4, 2], count: 7, sum: 12.5 }]],
    }));
    expect((await metricsText([source], noTrouble)).split('\n')).toEqual([
      '# HELP shop_open 1 while it is open.',
      '# TYPE shop_open gauge',
      'shop_open 1',
      '',
      '# HELP shop_sold_total Things sold.',
      '# TYPE shop_sold_total counter',
      'shop_sold_total{kind="pear \\"ripe\\"\\\\"} 2',
      'shop_sold_total{kind="plum"} 3',
      '',
      '# HELP shop_wait_seconds Time in the queue.',
      '# TYPE shop_wait_seconds histogram',
      'shop_wait_seconds_bucket{till="1",le="0.5"} 4',
      'shop_wait_seconds_bucket{till="1",le="1"} 6',
      'shop_wait_seconds_bucket{till="1",le="+Inf"} 7',
      'shop_wait_seconds_sum{till="1"} 12.5',
      'shop_wait_seconds_count{till="1"} 7',
      '',
    ]);
  });

  test('rows with the same labels are added up', async () => {
    const source = sourceOf(shop, () => ({
      shop_open: null,
      shop_sold_total: [2, 3, 4].map((count) => [{ kind: 'other' }, count] as const),
      shop_wait_seconds: [],
    }));
    const text = await metricsText([source], noTrouble);
    expect(text).toContain('\nshop_sold_total{kind="other"} 9\n');
    expect(text).toContain('# TYPE shop_open gauge\n\n');
  });

  test('a source that cannot be read is told of, and the others are still there', async () => {
    const other = declareMetrics('A yard', {}, { yard_open: gauge('1 while it is open.') });
    const told: string[] = [];
    const text = await metricsText(
      [
        sourceOf(shop, () => {
          throw new Error('closed');
        }),
        sourceOf(other, () => ({ yard_open: 1 })),
      ],
      (what, error) => told.push(`${what}: ${String(error)}`),
    );
    expect(told).toEqual(['reading metrics of A shop: Error: closed']);
    expect(text).toContain('\nyard_open 1\n');
    expect(text).toContain('# TYPE shop_open gauge\n');
    expect(text).not.toMatch(/^shop_/m);
  });
});

describe('DEC-OPR-280: names follow the conventions of Prometheus', () => {
  const all = metricCatalogue.flatMap(({ metrics }) => Object.entries(metrics));

  test('a name is declared once', () => {
    const names = all.map(([name]) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test.each(metricCatalogue.map((section) => [section.title, section] as const))(
    'labels of %s are described, and no others',
    (_title, { labels, metrics }) => {
      const used = new Set(Object.values(metrics).flatMap((metric) => metric.labels));
      expect([...used].sort()).toEqual(Object.keys(labels).sort());
    },
  );

  test.each(all)('%s', (name, { kind, help, labels }) => {
    expect(name).toMatch(/^bourse_[a-z0-9]+(_[a-z0-9]+)*$/);
    expect(name.endsWith('_total')).toBe(kind === 'counter');
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|days|kib|mib|percent|count|sum|bucket)(_|$)/);
    if (kind === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
    expect(help).toMatch(/^[A-Z0-9].*\.$/s);
    for (const label of labels) expect(label).toMatch(/^[a-z]+(_[a-z]+)*$/);
    for (const reserved of ['le', 'quantile', 'job', 'instance']) expect(labels).not.toContain(reserved);
  });
});
