import { AggregatorRegistry } from 'prom-client';
import type { AnyReading, Distribution, Labels, MetricSource } from '#main/metrics/declare-metrics.ts';

type Row = readonly [labels: Labels, value: number | Distribution];

/** A line of the text, as the library takes it. */
interface Sample {
  /** Of a part of a histogram; else the metric's own. */
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

function rowsOf(reading: AnyReading): readonly Row[] {
  if (reading === null) return [];
  if (typeof reading === 'number' || 'sum' in reading) return [[{}, reading]];
  return reading;
}

/** Buckets count all values up to their bound, the last one all there are. */
function histogramSamples(name: string, labels: Labels, { bounds, counts, count, sum }: Distribution): Sample[] {
  let below = 0;
  const buckets = bounds.map((bound, index) => {
    below += counts[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: String(bound) }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

const samplesOf = (name: string, [labels, value]: Row): readonly Sample[] =>
  typeof value === 'number' ? [{ labels, value }] : histogramSamples(name, labels, value);

/**
 * The metrics of all sources in the text format of Prometheus. A source that cannot be read is told of and has no
 * values: the others are still there.
 */
export async function metricsText(
  sources: readonly MetricSource[],
  onTrouble: (what: string, error: unknown) => void,
): Promise<string> {
  const read = sources.map(async ({ section: { title, metrics }, read: readAll }) => {
    const readings = await readAll().catch((error: unknown) => {
      onTrouble(`reading metrics of ${title}`, error);
      return null;
    });
    return Object.entries(metrics).map(([name, { kind, help }]) => ({
      name,
      help,
      type: kind,
      aggregator: 'sum',
      values: rowsOf(readings?.[name] ?? null).flatMap((row) => samplesOf(name, row)),
    }));
  });
  // The library writes the text, and adds up rows of equal labels.
  return AggregatorRegistry.aggregate(await Promise.all(read)).metrics();
}
