import { constants, PerformanceObserver } from 'node:perf_hooks';
import type { EngineStream } from './engine-run.ts';
import { streamOfW1, warmW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { alone, atMost, collectGarbage, percentile } from './harness.ts';

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

/** Times every operation of the next piece by itself; the clock's own cost of some 40 ns is in the figures. */
function timeEach(stream: EngineStream, count: number): Float64Array {
  const { engine, feed, sink, at } = stream;
  const took = new Float64Array(count);
  let seq = engine.seq as number;
  let last = performance.now();
  for (let index = 0; index < count; index += 1) {
    seq += 1;
    engine.apply(feed.entry(at + index, seq), sink);
    const now = performance.now();
    took[index] = (now - last) * 1e6;
    last = now;
  }
  stream.at += count;
  stream.checkTotals();
  return took;
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = size.quick ? { warmUp: 500_000, sample: 200_000 } : { warmUp: 1_666_667, sample: 2_000_000 };
  const w1 = streamOfW1(cut, size.samples);
  const stream = warmW1(cut, w1);
  timeEach(stream, cut.sample);
  const tails: number[] = [];
  const longest: number[] = [];
  const collections: number[] = [];
  const notes: string[] = [];
  for (let sample = 0; sample < size.samples; sample += 1) {
    collectGarbage();
    const watch = watchCollections();
    const took = timeEach(stream, cut.sample);
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
  const note = `${cut.sample} operations of W1 a sample; ${notes.join('; ')}`;
  const tail = { name: 'engine/latency', unit: '× p50', must: atMost(10), aim: atMost(6) };
  report(alone({ ...tail, note: `p99.9 over p50 (p50 / p99 / p99.9 below); ${note}` }, tails));
  const worst = { name: 'engine/latency-max', unit: 'ms', must: atMost(20), aim: null };
  report(alone({ ...worst, note: 'longest single operation' }, longest));
  const sweeps = { name: 'engine/latency-collections', unit: 'mark-sweeps', must: atMost(0), aim: null };
  report(alone({ ...sweeps, note: 'mark-sweep collections during the run' }, collections));
}

/** `engine/latency`: the tail of a single operation, and what the collector did meanwhile. */
export const group: BenchGroup = { names: ['engine/latency', 'engine/latency-max', 'engine/latency-collections'], run };
