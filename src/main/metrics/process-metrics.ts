import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { readdir } from 'node:fs/promises';
import { counter, declareMetrics, gauge, type MetricSource, sourceOf } from '#main/metrics/declare-metrics.ts';

/** How often the event loop is checked: what it is late by is measured this finely. */
const resolutionMs = 10;
const nanosecondsPerMs = 1_000_000;
const nanosecondsPerSecond = 1_000_000_000;
const microsecondsPerSecond = 1_000_000;
const percentiles = [50, 99] as const;

/** Metrics of the process itself. */
export const processMetrics = declareMetrics(
  'Process',
  {
    version: 'of Bourse',
    node: 'version of Node',
    profile: '`sandbox` or `production`',
    mode: '`user` or `system`',
    kind: '`resident`; `heapUsed` and `heapTotal` of scripts; `external` outside of it, `arrayBuffers` of that',
    percentile: '`50`, `99`, and `100` for the worst',
  },
  {
    bourse_build_info: gauge('1, with what runs.', ['version', 'node', 'profile']),
    bourse_ready: gauge('1 while commands are taken, as GET /readyz tells; else 0.'),
    bourse_uptime_seconds: gauge('Time since the process started.'),
    bourse_cpu_seconds_total: counter('Time of processors that the process has used, all threads together.', ['mode']),
    bourse_memory_bytes: gauge('Memory of the process. The heap is that of the main thread.', ['kind']),
    bourse_open_descriptors: gauge('Open files and sockets of the process; Linux only.'),
    bourse_event_loop_delay_seconds: gauge('How late the event loop was since the metrics were read last.', [
      'percentile',
    ]),
  },
);

/** What runs, and whether it is ready. */
export interface ProcessFacts {
  readonly version: string;
  readonly profile: string;
  readonly isReady: () => boolean;
}

function delayRows(delay: IntervalHistogram) {
  // The histogram measures the time between two samples, so subtract the sampling interval.
  const late = (nanoseconds: number): number =>
    Math.max(0, nanoseconds - resolutionMs * nanosecondsPerMs) / nanosecondsPerSecond;
  const rows = [
    ...percentiles.map(
      (percentile) => [{ percentile: String(percentile) }, late(delay.percentile(percentile))] as const,
    ),
    [{ percentile: '100' }, delay.count === 0 ? 0 : late(delay.max)] as const,
  ];
  delay.reset();
  return rows;
}

const openDescriptors = async (): Promise<number | null> =>
  (await readdir('/proc/self/fd').catch(() => null))?.length ?? null;

/** The source of the process's metrics. Call it once in a process. */
export function createProcessMetrics({ version, profile, isReady }: ProcessFacts): MetricSource & { close(): void } {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const source = sourceOf(processMetrics, async () => {
    const { rss: resident, ...memory } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return {
      bourse_build_info: [[{ version, node: process.versions.node, profile }, 1]],
      bourse_ready: isReady() ? 1 : 0,
      bourse_uptime_seconds: process.uptime(),
      bourse_cpu_seconds_total: [
        [{ mode: 'user' }, user / microsecondsPerSecond],
        [{ mode: 'system' }, system / microsecondsPerSecond],
      ],
      bourse_memory_bytes: Object.entries({ resident, ...memory }).map(([kind, bytes]) => [{ kind }, bytes]),
      bourse_open_descriptors: await openDescriptors(),
      bourse_event_loop_delay_seconds: delayRows(delay),
    };
  });
  return { ...source, close: () => delay.disable() };
}
