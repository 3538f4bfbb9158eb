import type { BenchGroup } from './harness.ts';

/** The groups in the order of the table; each is the file of its name. */
export const groups: readonly string[] = [
  'engine-pipeline',
  'engine-wide',
  'engine-cost',
  'engine-rebates',
  'engine-latency',
  'engine-memory',
  'journal-replay',
  'journal-durable',
  'journal-restart',
  'http-orders',
  'http-reads',
  'stream-fan-out',
  'stream-latency',
  'stream-idle',
  'history-insert',
  'history-reports',
  'futures-pipeline',
  'futures-mark',
  'futures-reads',
  'sandbox-idle',
  'sandbox-month',
  'worlds',
  'cluster-append',
  'cluster-serving',
  'hostile',
  'soak',
];

/** The one group that a file exports. */
export function groupOf(module: object): BenchGroup {
  const found = Object.values(module).find((value) => typeof value?.run === 'function' && Array.isArray(value.names));
  if (found === undefined) throw new Error('the file exports no group');
  return found;
}
