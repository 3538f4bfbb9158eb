import { constants, PerformanceObserver } from 'node:perf_hooks';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { alone, atMost, collectGarbage, percentile } from './harness.ts';
import { RingSink } from './ring-sink.ts';
import { generateW1, w1PublishedSize } from './w1-workload.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';
import { engineMaker, WorkloadFeed } from './workload-exchange.ts';

interface Collections {
  scavenges: number;
  markSweeps: number;
}

/** Counts collections of the heap until `stop`. */
function watchCollections(): { readonly counts: Collections; stop(): Promise<void> } {
  const counts: Collections = { scavenges: 0, markSweeps: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind } = (entry as unknown as { detail: { kind: number } }).detail;
      if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) counts.markSweeps += 1;
      else if (kind === constants.NODE_PERFORMANCE_GC_MINOR) counts.scavenges += 1;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    counts,
    stop: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      observer.disconnect();
    },
  };
}

/** Times every operation by itself; the clock's own cost of some 40 ns is in the figures. */
function timeEach(feed: WorkloadFeed, engine: ReturnType<ReturnType<typeof engineMaker>>, from: number, to: number) {
  const took = new Float64Array(to - from);
  const sink = new RingSink();
  let seq = engine.seq as number;
  let last = performance.now();
  for (let index = from; index < to; index += 1) {
    seq += 1;
    engine.apply(feed.entry(index, seq), sink);
    const now = performance.now();
    took[index - from] = now - last;
    last = now;
  }
  return took;
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const limits = size.quick ? 300_000 : 6_000_000;
  const workload = withOwnedCancels(workloadOfW1(generateW1({ ...w1PublishedSize, limits })));
  const make = engineMaker(workload);
  const feed = new WorkloadFeed(workload);
  const warm = Math.min(workload.count, workload.prefill + 500_000);
  feed.run(make(), new RingSink(), workload.prefill, warm);
  const tails: number[] = [];
  const longest: number[] = [];
  const collections: number[] = [];
  const notes: string[] = [];
  for (let sample = 0; sample < (size.quick ? size.samples : 2); sample += 1) {
    const engine = make();
    collectGarbage();
    const watch = watchCollections();
    const took = timeEach(feed, engine, workload.prefill, workload.count).map((ms) => ms * 1e6);
    await watch.stop();
    took.sort();
    const p50 = percentile(took, 0.5);
    tails.push(percentile(took, 0.999) / p50);
    longest.push(took[took.length - 1]! / 1e6);
    collections.push(watch.counts.markSweeps);
    notes.push(
      `${p50.toFixed(0)} / ${percentile(took, 0.99).toFixed(0)} / ${percentile(took, 0.999).toFixed(0)} ns, ` +
        `${watch.counts.scavenges} scavenges, ${watch.counts.markSweeps} mark-sweeps`,
    );
  }
  const note = `${workload.count - workload.prefill} operations of W1; ${notes.join('; ')}`;
  const tail = { name: 'engine/latency', unit: '× p50', must: atMost(10), aim: atMost(6) };
  report(alone({ ...tail, note: `p99.9 over p50 (p50 / p99 / p99.9 below); ${note}` }, tails));
  const worst = { name: 'engine/latency-max', unit: 'ms', must: atMost(20), aim: null };
  report(alone({ ...worst, note: 'longest single operation' }, longest));
  const sweeps = { name: 'engine/latency-collections', unit: 'mark-sweeps', must: atMost(0), aim: null };
  report(alone({ ...sweeps, note: 'mark-sweep collections during the run' }, collections));
}

/** `engine/latency`: the tail of a single operation, and what the collector did meanwhile. */
export const group: BenchGroup = { names: ['engine/latency', 'engine/latency-max', 'engine/latency-collections'], run };
