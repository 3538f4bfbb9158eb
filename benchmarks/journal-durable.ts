import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wallClock } from '#base/clock.ts';
import type { Command, Entry } from '#model/command.ts';
import { noopSink } from '#model/event-record.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { FileJournal } from '#journal/file-journal.ts';
import type { Journal } from '#journal/journal.ts';
import { Sequencer } from '#sequencer/sequencer.ts';
import { streamOfW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, atMost, compared, interleave, median, percentile } from './harness.ts';
import { openJournal } from './journal-replay.ts';
import { SteadyLoad } from './steady-load.ts';
import type { Workload } from './workload.ts';
import { withFreshIds, withOwnedCancels, workloadOfW1 } from './workload.ts';
import { ownCommand, ownEntries, setUpCommands } from './workload-exchange.ts';
import { batchOf } from '../test/ports/memory-journal.ts';

const batch = 1000;
const rate = 100_000;
const recordSize = 200;
const warmUpSamples = 2;
/** The disk has its moods: more samples than where only the processor counts. */
const latencySamples = (size: BenchSize): number => Math.max(5, size.samples);

/** An engine on a workload, with a journal in a directory of its own where `isDurable`, that goes on piece by piece. */
class DurableStream {
  readonly engine = createEngine();
  private readonly workload: Workload;
  private readonly directory = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  private journal: FileJournal | null = null;

  private constructor(workload: Workload) {
    this.workload = workload;
  }

  /** Takes the set-up and the prefill. */
  static async open(workload: Workload, isDurable: boolean): Promise<DurableStream> {
    const stream = new DurableStream(workload);
    if (isDurable) stream.journal = await openJournal(stream.directory);
    await stream.advance([...setUpCommands(workload)].length + workload.prefill);
    return stream;
  }

  /** Takes the next entries in batches of 1,000, each durable before it is applied; answers operations per second. */
  async advance(count: number): Promise<number> {
    const { engine, journal } = this;
    const began = performance.now();
    for (let left = count; left > 0; left -= batch) {
      const entries = this.next(Math.min(left, batch));
      if (journal !== null) await journal.append(journal.last(), batchOf(entries));
      for (const entry of entries) engine.apply(entry, noopSink);
    }
    return count / ((performance.now() - began) / 1000);
  }

  /** A sequencer that goes on from the end of the stream; `onDurable` hears of its batches and how long each took. */
  serve(onDurable: (entries: readonly Entry[], ms: number) => void): {
    readonly sequencer: Sequencer;
    readonly next: () => Command;
  } {
    const { engine, journal } = this;
    if (journal === null) throw new Error('latency of durability needs a journal');
    const timed: Journal = {
      append: async (after, batch) => {
        const began = performance.now();
        await journal.append(after, batch);
        onDurable(batch.entries, performance.now() - began);
      },
      read: (from) => journal.read(from),
      first: () => journal.first(),
      last: () => journal.last(),
      release: (upTo) => journal.release(upTo),
      close: () => journal.close(),
    };
    const clock = { now: () => Math.max(wallClock.now(), engine.at) };
    const onFatal = (error: Error): never => {
      throw error;
    };
    const sequencer = new Sequencer({
      engine,
      journal: timed,
      clock,
      hasRoom: () => true,
      onBroken: () => {},
      onFatal,
    });
    return { sequencer, next: () => ownCommand(this.workload, this.taken++) };
  }

  async close(): Promise<void> {
    await this.journal?.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private taken = 0;

  private next(count: number): Entry[] {
    const from = this.taken;
    this.taken += count;
    return ownEntries(this.workload, from, this.taken, this.engine.seq + 1);
  }
}

/** Milliseconds of writing one record into a file that has its size already, and making it durable. */
function rawLatencies(count: number): Float64Array {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const file = openSync(join(directory, 'raw'), 'w');
  const record = new Uint8Array(recordSize).fill(1);
  writeSync(file, new Uint8Array(count * recordSize), 0, count * recordSize, 0);
  fdatasyncSync(file);
  const took = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    writeSync(file, record, 0, recordSize, index * recordSize);
    fdatasyncSync(file);
    took[index] = performance.now() - began;
  }
  closeSync(file);
  rmSync(directory, { recursive: true, force: true });
  return took;
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = size.quick ? { warmUp: 200_000, sample: 100_000 } : { warmUp: 500_000, sample: 300_000 };
  const samples = size.samples + latencySamples(size) + warmUpSamples;
  const workload = withFreshIds(withOwnedCancels(workloadOfW1(streamOfW1(cut, samples))));
  const durable = await DurableStream.open(workload, true);
  const memory = await DurableStream.open(workload, false);
  try {
    await durable.advance(cut.warmUp);
    await memory.advance(cut.warmUp);
    await measureThroughput({ durable, memory }, cut.sample, size, report);
    await measureLatency(durable, cut.sample, size, report);
  } finally {
    await durable.close();
    await memory.close();
  }
}

async function measureThroughput(
  { durable, memory }: Record<'durable' | 'memory', DurableStream>,
  count: number,
  size: BenchSize,
  report: (line: BenchLine) => void,
): Promise<void> {
  const rates = await interleave(
    { durable: () => durable.advance(count), memory: () => memory.advance(count) },
    size.samples,
  );
  report(
    compared(
      {
        name: 'journal/durable',
        unit: 'op/s',
        must: atLeast(0.35),
        aim: atLeast(0.5),
        note: 'W1, one durable batch of 1,000 commands after another, then applied; against the same without a journal',
      },
      rates.durable,
      rates.memory,
    ),
  );
}

/** Commands that the sequencer journals by itself. */
function ownCommandsOf(entries: readonly Entry[]): number {
  let count = 0;
  for (const { command } of entries) if (command.kind === 'assertDigest') count += 1;
  return count;
}

/** Shares of a distribution that are told, after sorting it in place. */
const shares = [0.5, 0.9, 0.99, 0.999, 1] as const;
const spread = (took: Float64Array): number[] => {
  const sorted = took.sort();
  return shares.map((share) => percentile(sorted, share));
};

/** Medians over the samples of each share, as people read them. */
const told = (spreads: readonly number[][]): string =>
  shares.map((_, index) => median(spreads.map((spread) => spread[index]!)).toFixed(2)).join(' / ');

/** One sequencer and one load for all samples, as in an exchange that runs: only the first ones warm up. */
async function measureLatency(
  durable: DurableStream,
  count: number,
  size: BenchSize,
  report: (line: BenchLine) => void,
): Promise<void> {
  const writes: number[] = [];
  const { sequencer, next } = durable.serve((entries, ms) => {
    writes.push(ms);
    load.becameDurable(entries.length - ownCommandsOf(entries));
  });
  const load = new SteadyLoad(sequencer, rate, next);
  const commands: number[][] = [];
  const answers: number[][] = [];
  const batches: number[][] = [];
  const raw: number[][] = [];
  for (let sample = 0; sample < warmUpSamples + latencySamples(size); sample += 1) {
    raw.push(spread(rawLatencies(size.quick ? 1000 : 4000)));
    writes.length = 0;
    const { toDurable, toAnswer } = await load.run(count);
    commands.push(spread(toDurable));
    answers.push(spread(toAnswer));
    batches.push(spread(Float64Array.from(writes)));
  }
  await sequencer.close();
  for (const all of [commands, answers, batches, raw]) all.splice(0, warmUpSamples);
  const at = (spreads: readonly number[][], share: (typeof shares)[number]): number[] =>
    spreads.map((figures) => figures[shares.indexOf(share)]!);
  const note = `submit to durable at ${rate} commands a second, against a raw write and fdatasync of one record`;
  const details =
    `${note}; ms at p50 / p90 / p99 / p99.9 / max: commands ${told(commands)}, ` +
    `to their answers ${told(answers)}, their batches ${told(batches)}, raw writes ${told(raw)}`;
  report(
    compared(
      { name: 'journal/durable-p50', unit: 'ms', must: atMost(3), aim: atMost(1.5), note },
      at(commands, 0.5),
      at(raw, 0.5),
    ),
  );
  report(
    compared(
      { name: 'journal/durable-p99', unit: 'ms', must: atMost(5), aim: atMost(3), note: details },
      at(commands, 0.99),
      at(raw, 0.99),
    ),
  );
}

/** `journal/durable`: what durability costs. */
export const group: BenchGroup = { names: ['journal/durable', 'journal/durable-p50', 'journal/durable-p99'], run };
