import '#main/configuration/code-settings.ts';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import type { EngineStream } from './engine-run.ts';
import { streamOfW1, warmW1 } from './engine-run.ts';
import { collectGarbage } from './harness.ts';

/** What one pass over W1 took, operation by operation, for one sample. */
export interface LatencyPass {
  /** Nanoseconds of each operation by itself; the clock's own cost of some 40 ns is in them. */
  readonly took: Float32Array;
  readonly scavenges: number;
  readonly markSweeps: number;
}

/** Counts collections of the heap until `stop`. */
function watchCollections(): { readonly counts: Omit<LatencyPass, 'took'>; stop(): Promise<void> } {
  const counts = { scavenges: 0, markSweeps: 0 };
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

function timeEach(stream: EngineStream, count: number): Float32Array {
  const { engine, feed, sink, at } = stream;
  const took = new Float32Array(count);
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

/** Times so many samples of so many operations each, after a warm-up, and sends them to the parent at the end. */
const [warmUp = 0, sample = 0, samples = 0] = process.argv.slice(2).map(Number);
const cut = { warmUp, sample };
const stream = warmW1(cut, streamOfW1(cut, samples));
timeEach(stream, sample);
const taken: LatencyPass[] = [];
for (let round = 0; round < samples; round += 1) {
  collectGarbage();
  const watch = watchCollections();
  const took = timeEach(stream, sample);
  await watch.stop();
  taken.push({ took, ...watch.counts });
}
await new Promise((resolve) => process.send!(taken, resolve));
process.disconnect();
