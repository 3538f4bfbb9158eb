import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { readdir } from 'node:fs/promises';
import { Gauge, Registry } from 'prom-client';

/** How often the event loop is checked: what it is late by is measured this finely. */
const resolutionMs = 10;
const nanosecondsPerMs = 1_000_000;
const nanosecondsPerSecond = 1_000_000_000;
const quantiles = [50, 99] as const;

function registerMemory(registers: Registry[]): void {
  new Gauge({
    name: 'bourse_memory_bytes',
    help:
      'Memory of the process: resident, the heap of scripts (used and total), what stands outside of it (external, ' +
      'with arrayBuffers in it). The heap is that of the main thread.',
    labelNames: ['kind'],
    registers,
    collect() {
      const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
      for (const [kind, bytes] of Object.entries({ resident: rss, heapUsed, heapTotal, external, arrayBuffers })) {
        this.set({ kind }, bytes);
      }
    },
  });
}

function registerDescriptors(registers: Registry[]): void {
  new Gauge({
    name: 'bourse_open_descriptors',
    help: 'Open files and sockets of the process; Linux only.',
    registers,
    async collect() {
      const open = await readdir('/proc/self/fd').catch(() => null);
      if (open !== null) this.set(open.length);
    },
  });
}

function registerDelay(registers: Registry[], delay: IntervalHistogram): void {
  new Gauge({
    name: 'bourse_event_loop_delay_seconds',
    help: 'How late the event loop was, by quantile ("1" is the worst), since the page was read last.',
    labelNames: ['quantile'],
    registers,
    collect() {
      // The histogram measures the time between two samples, so subtract the sampling interval.
      const late = (nanoseconds: number): number =>
        Math.max(0, nanoseconds - resolutionMs * nanosecondsPerMs) / nanosecondsPerSecond;
      for (const quantile of quantiles) {
        this.set({ quantile: String(quantile / 100) }, late(delay.percentile(quantile)));
      }
      this.set({ quantile: '1' }, delay.count === 0 ? 0 : late(delay.max));
      delay.reset();
    },
  });
}

/** Numbers of the process itself for GET /metrics: memory, descriptors, event loop. Call it once in a process. */
export function createProcessMetrics(): { readonly text: () => Promise<string>; readonly close: () => void } {
  const registry = new Registry();
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  registerMemory([registry]);
  registerDescriptors([registry]);
  registerDelay([registry], delay);
  return { text: () => registry.metrics(), close: () => delay.disable() };
}
