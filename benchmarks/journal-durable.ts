import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wallClock } from '#base/clock.ts';
import type { Command } from '#domain/command.ts';
import { deafSink } from '#domain/event-record.ts';
import { createEngine } from '#engine/create-engine.ts';
import { Sequencer } from '#sequencer/sequencer.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, atMost, compared, interleave, percentile } from './harness.ts';
import { openJournal } from './journal-replay.ts';
import { generateW1, w1PublishedSize } from './w1-workload.ts';
import type { Workload } from './workload.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';
import { emptyExchange, ownEntries, setUpCommands } from './workload-exchange.ts';

const batch = 1000;
const rate = 100_000;
const recordSize = 200;

/** A journal in a directory of its own that holds everything up to the workload's first operation. */
async function freshJournal(workload: Workload, setUp: number) {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const journal = await openJournal(directory);
  for (let from = 0; from < setUp; from += batch) {
    await journal.append(journal.last(), ownEntries(workload, from, Math.min(setUp, from + batch)));
  }
  const close = async (): Promise<void> => {
    await journal.close();
    rmSync(directory, { recursive: true, force: true });
  };
  return { journal, close };
}

/** Operations per second in batches of 1,000, each durable before it is applied; `null` journal: in memory. */
async function throughput(workload: Workload, setUp: number, isDurable: boolean): Promise<number> {
  const engine = emptyExchange(workload);
  const store = isDurable ? await freshJournal(workload, setUp) : null;
  const began = performance.now();
  for (let from = 0; from < workload.count; from += batch) {
    const entries = ownEntries(workload, setUp + from, setUp + Math.min(workload.count, from + batch));
    if (store !== null) await store.journal.append(store.journal.last(), entries);
    for (const entry of entries) engine.apply(entry, deafSink);
  }
  const seconds = (performance.now() - began) / 1000;
  await store?.close();
  return workload.count / seconds;
}

/** Milliseconds from submit to durable and applied, at a steady rate whatever the journal does. */
async function submitLatencies(workload: Workload, setUp: number, seconds: number): Promise<Float64Array> {
  const engine = createEngine();
  for (const entry of ownEntries(workload, 0, setUp)) engine.apply(entry, deafSink);
  const { journal, close } = await freshJournal(workload, setUp);
  const clock = { now: () => Math.max(wallClock.now(), engine.at) };
  const fail = (error: Error): never => {
    throw error;
  };
  const sequencer = new Sequencer({ engine, journal, clock, hasRoom: () => true, onFatal: fail });
  const commands = ownEntries(workload, setUp, setUp + workload.count).map(({ command }): Command => command);
  const took = new Float64Array(Math.min(commands.length, rate * seconds));
  let answered = 0;
  let sent = 0;
  const began = performance.now();
  await new Promise<void>((resolve) => {
    const tick = (): void => {
      const due = Math.min(took.length, Math.floor(((performance.now() - began) / 1000) * rate));
      for (; sent < due; sent += 1) {
        const since = performance.now();
        void sequencer.post(commands[sent]!).then(() => {
          took[answered] = performance.now() - since;
          answered += 1;
          if (answered === took.length) resolve();
        });
      }
      if (sent < took.length) setImmediate(tick);
    };
    tick();
  });
  await sequencer.close();
  await close();
  return took.sort();
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
  const workload = withOwnedCancels(
    workloadOfW1(generateW1(size.quick ? { ...w1PublishedSize, limits: 60_000 } : w1PublishedSize)),
  );
  const setUp = [...setUpCommands(workload)].length;
  const rates = await interleave(
    {
      durable: () => throughput(workload, setUp, true),
      memory: () => throughput(workload, setUp, false),
    },
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
  const tails = { p50: [] as number[], p99: [] as number[], raw50: [] as number[], raw99: [] as number[] };
  await interleave(
    {
      submitted: async () => {
        const took = await submitLatencies(workload, setUp, size.quick ? 1 : 3);
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
