import type { StateMachine } from '#engine/create-engine.ts';
import { RingSink } from './ring-sink.ts';
import type { W1, W1Size } from './w1-workload.ts';
import { generateW1, w1Published, w1PublishedSize } from './w1-workload.ts';
import type { Workload } from './workload.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';
import { emptyExchange, WorkloadFeed } from './workload-exchange.ts';

/** How a stream of operations is cut: so many to warm up with, then so many for each sample. */
export interface Cut {
  readonly warmUp: number;
  readonly sample: number;
}

/** The published W1 warms up, its continuation is measured in pieces of the same size; or, quick, in smaller ones. */
export const cutOfW1 = (quick: boolean): Cut =>
  quick ? { warmUp: 400_000, sample: 100_000 } : { warmUp: 1_666_667, sample: 1_666_667 };

/** W1, long enough for the warm-up, the first turn of `interleave`, and every sample. */
export function streamOfW1(cut: Cut, samples: number, size: Omit<W1Size, 'limits'> = w1PublishedSize): W1 {
  return generateW1({ ...size, limits: Math.ceil((cut.warmUp + cut.sample * (samples + 1)) * 0.6) });
}

/**
 * One engine that goes on through a stream. A sample is the next piece of the stream on the same engine, as a running
 * exchange would take it: an engine made anew for each sample would make V8 throw its code away with the last one.
 */
export class EngineStream {
  readonly workload: Workload;
  readonly engine: StateMachine;
  readonly feed: WorkloadFeed;
  readonly sink = new RingSink();
  at: number;

  constructor(workload: Workload, engine: StateMachine = emptyExchange(workload)) {
    this.workload = workload;
    this.engine = engine;
    this.feed = new WorkloadFeed(workload);
    this.feed.run(this.engine, this.sink, 0, workload.prefill);
    this.at = workload.prefill;
    this.sink.trades = 0;
    this.sink.lots = 0;
    this.sink.accruals = 0;
  }

  /** Takes the next operations; answers operations per second. */
  advance(count: number): number {
    const to = Math.min(this.workload.count, this.at + count);
    const from = this.at;
    this.at = to;
    const seconds = this.feed.run(this.engine, this.sink, from, to);
    this.checkTotals();
    return (to - from) / seconds;
  }

  /** Stops the benchmark when operations came out otherwise than in the generator's own book. */
  checkTotals(): void {
    const { sink, workload, at } = this;
    const isPublished = workload.symbols === 1 && at - workload.prefill === cutOfW1(false).warmUp;
    const expected = at === workload.count ? workload.totals : isPublished ? w1Published : null;
    const isWrong = expected !== null && (sink.trades !== expected.trades || sink.lots !== expected.lots);
    if (isWrong || sink.refused > 0) {
      throw new Error(`the workload came out wrong: ${sink.trades} trades, ${sink.lots} lots, ${sink.refused} refused`);
    }
  }
}

/** A warmed-up engine on W1, ready for samples. */
export function warmW1(cut: Cut, w1: W1): EngineStream {
  const stream = new EngineStream(withOwnedCancels(workloadOfW1(w1)));
  stream.advance(cut.warmUp);
  return stream;
}
