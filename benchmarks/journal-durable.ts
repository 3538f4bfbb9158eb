import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wallClock } from '#base/clock.ts';
import type { Command, Entry } from '#domain/command.ts';
import { deafSink } from '#domain/event-record.ts';
import type { Seq } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { FileJournal } from '#journal/file-journal.ts';
import { Sequencer } from '#sequencer/sequencer.ts';
import { streamOfW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, atMost, compared, interleave, percentile } from './harness.ts';
import { openJournal } from './journal-replay.ts';
import type { Workload } from './workload.ts';
import { withFreshIds, withOwnedCancels, workloadOfW1 } from './workload.ts';
import { ownEntries, setUpCommands } from './workload-exchange.ts';

const batch = 1000;
const rate = 100_000;
const recordSize = 200;

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
      if (journal !== null) await journal.append(journal.last(), entries);
      for (const entry of entries) engine.apply(entry, deafSink);
    }
    return count / ((performance.now() - began) / 1000);
  }

  /** Milliseconds from submit to durable and applied of the next commands, at a steady rate whatever happens. */
  async latencies(count: number): Promise<Float64Array> {
    const { engine, journal } = this;
    if (journal === null) throw new Error('latency of durability needs a journal');
    const clock = { now: () => Math.max(wallClock.now(), engine.at) };
    const onFatal = (error: Error): never => {
      throw error;
    };
    const sequencer = new Sequencer({ engine, journal, clock, hasRoom: () => true, onFatal });
    const took = await submitAll(sequencer, count, (most) => this.next(most).map(({ command }) => command));
    await sequencer.close();
    return took.sort();
  }

  async close(): Promise<void> {
    await this.journal?.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private taken = 0;

  private next(count: number): Entry[] {
    const entries = ownEntries(this.workload, this.taken, this.taken + count);
    this.taken += count;
    return entries.map((entry, index) => ({ ...entry, seq: as<Seq>(this.engine.seq + 1 + index) }));
  }
}

/** Commands are made when they are due: a list of all of them would be the collector's work, not the journal's. */
function submitAll(
  sequencer: Sequencer,
  count: number,
  next: (count: number) => readonly Command[],
): Promise<Float64Array> {
  const took = new Float64Array(count);
  let answered = 0;
  let sent = 0;
  const began = performance.now();
  return new Promise((resolve) => {
    const tick = (): void => {
      const due = Math.min(took.length, Math.floor(((performance.now() - began) / 1000) * rate));
      const commands = next(due - sent);
      sent = due;
      for (const command of commands) {
        const since = performance.now();
        void sequencer.post(command).then(() => {
          took[answered] = performance.now() - since;
          answered += 1;
          if (answered === took.length) resolve(took);
        });
      }
      if (sent < took.length) setImmediate(tick);
    };
    tick();
  });
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
  return took.sort();
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const cut = size.quick ? { warmUp: 200_000, sample: 100_000 } : { warmUp: 500_000, sample: 300_000 };
  const workload = withFreshIds(withOwnedCancels(workloadOfW1(streamOfW1(cut, 3 * size.samples + 3))));
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

async function measureLatency(
  durable: DurableStream,
  count: number,
  size: BenchSize,
  report: (line: BenchLine) => void,
): Promise<void> {
  const tails = { p50: [] as number[], p99: [] as number[], raw50: [] as number[], raw99: [] as number[] };
  await durable.latencies(count);
  await interleave(
    {
      submitted: async () => {
        const took = await durable.latencies(count);
        tails.p50.push(percentile(took, 0.5));
        return tails.p99.push(percentile(took, 0.99));
      },
      raw: () => {
        const took = rawLatencies(size.quick ? 1000 : 4000);
        tails.raw50.push(percentile(took, 0.5));
        return tails.raw99.push(percentile(took, 0.99));
      },
    },
    size.samples,
  );
  const note = `submit to durable at ${rate} commands a second; against a raw write and fdatasync of one record`;
  report(
    compared(
      {
        name: 'journal/durable-p50',
        unit: 'ms',
        must: atMost(3),
        aim: atMost(1.5),
        note,
      },
      tails.p50.slice(1),
      tails.raw50.slice(1),
    ),
  );
  report(
    compared(
      {
        name: 'journal/durable-p99',
        unit: 'ms',
        must: atMost(5),
        aim: atMost(3),
        note,
      },
      tails.p99.slice(1),
      tails.raw99.slice(1),
    ),
  );
}

/** `journal/durable`: what durability costs. */
export const group: BenchGroup = { names: ['journal/durable', 'journal/durable-p50', 'journal/durable-p99'], run };
