import { timed } from './harness.ts';
import { RingSink } from './ring-sink.ts';
import { w1PublishedSize } from './w1-workload.ts';
import type { Workload } from './workload.ts';
import type { engineMaker } from './workload-exchange.ts';
import { WorkloadFeed } from './workload-exchange.ts';

/** W1 for a first look: the same mix, fewer operations. */
export const quickW1 = { ...w1PublishedSize, limits: 150_000 };

/** Operations per second of one whole run; stops the benchmark when the workload's totals do not come out. */
export function sampleEngine(workload: Workload, make: ReturnType<typeof engineMaker>): number {
  const engine = make();
  const sink = new RingSink();
  const feed = new WorkloadFeed(workload);
  const seconds = timed(() => feed.run(engine, sink, workload.prefill, workload.count));
  const { trades, lots } = workload.totals;
  if (sink.trades !== trades || sink.lots !== lots || sink.refused > 0) {
    throw new Error(`the workload came out wrong: ${sink.trades} trades, ${sink.lots} lots, ${sink.refused} refused`);
  }
  return (workload.count - workload.prefill) / seconds;
}
