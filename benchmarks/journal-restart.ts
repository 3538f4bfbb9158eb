import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startExchange } from './exchange-process.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { alone, atMost } from './harness.ts';
import { openJournal } from './journal-replay.ts';
import { generateW1 } from './w1-workload.ts';
import type { Workload } from './workload.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';
import { ownEntries, setUpCommands } from './workload-exchange.ts';
import { batchOf } from '../test/ports/memory-journal.ts';

const batch = 5000;
const quiet = ['--no-simulate', '--log-level', 'error', '--snapshot-every-seconds', '86400'];
const million = 1_000_000;

/** Writes set-up and workload into the journal of a new data directory. */
async function writeData(workload: Workload): Promise<{ directory: string; commands: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const journal = await openJournal(join(directory, 'journal'));
  const commands = [...setUpCommands(workload)].length + workload.count;
  for (let from = 0; from < commands; from += batch) {
    await journal.append(journal.last(), batchOf(ownEntries(workload, from, Math.min(commands, from + batch))));
  }
  await journal.close();
  return { directory, commands };
}

/** Seconds from the start of the process until it was ready, sample by sample. */
async function restarts(directory: string, flags: readonly string[], samples: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const exchange = await startExchange(flags, { data: directory });
    seconds.push(exchange.readySeconds);
    await exchange.stop();
  }
  return seconds;
}

async function measureJournal(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const limits = size.quick ? 59_000 : 590_000;
  const workload = withOwnedCancels(workloadOfW1(generateW1({ limits, depth: 10_000, seed: 11 })));
  const { directory, commands } = await writeData(workload);
  try {
    const flags = [...quiet, '--snapshot-every-commands', '100000000'];
    // The first start lets history catch up, which a running exchange would have done long before.
    await restarts(directory, flags, 1);
    const seconds = await restarts(directory, flags, size.samples);
    report(
      alone(
        {
          name: 'journal/restart',
          unit: 's',
          must: atMost(4),
          aim: atMost(2),
          note: `start to ready, ${commands} commands of journal, no snapshot`,
        },
        seconds,
      ),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureSnapshot(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const resting = size.quick ? million / 10 : million;
  const workload = withOwnedCancels(workloadOfW1(generateW1({ limits: 6, depth: resting, seed: 12 }), 10_000));
  const { directory } = await writeData(workload);
  try {
    const first = await startExchange([...quiet, '--snapshot-every-commands', '1000'], { data: directory });
    const snapshots = join(directory, 'snapshots');
    while (!readdirSync(snapshots).some((name) => name.endsWith('.snapshot'))) await wait(200);
    await first.stop();
    const seconds = await restarts(directory, [...quiet, '--snapshot-every-commands', '100000000'], size.samples);
    report(
      alone(
        {
          name: 'journal/restart-snapshot',
          unit: 's',
          must: atMost(4),
          aim: atMost(2),
          note: `start to ready, a snapshot of ${resting} resting orders`,
        },
        seconds,
      ),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `journal/restart`: how long a restart takes, without and with a snapshot; a tenth of a million each where quick. */
export const group: BenchGroup = {
  names: ['journal/restart', 'journal/restart-snapshot'],
  async run(size, report) {
    await measureJournal(size, report);
    await measureSnapshot(size, report);
  },
};
