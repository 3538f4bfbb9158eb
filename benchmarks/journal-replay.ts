import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { replay } from '#sequencer/recovery.ts';
import { quickW1, sampleEngine } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, compared, interleave } from './harness.ts';
import { RingSink } from './ring-sink.ts';
import { generateW1, w1PublishedSize } from './w1-workload.ts';
import { withOwnedCancels, workloadOfW1 } from './workload.ts';
import { engineMaker, ownEntries, setUpCommands } from './workload-exchange.ts';

const batch = 1000;

export const openJournal = (directory: string): Promise<FileJournal> =>
  FileJournal.open({ files: nodeFileOperations, directory, segmentSize: 64 << 20, notice: () => undefined });

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const workload = withOwnedCancels(workloadOfW1(generateW1(size.quick ? quickW1 : w1PublishedSize)));
  const operations = workload.count - workload.prefill;
  const make = engineMaker(workload);
  const journal = await openJournal(directory);
  try {
    const setUp = [...setUpCommands(workload)].length;
    for (let from = 0; from < setUp + workload.count; from += batch) {
      const entries = ownEntries(workload, from, Math.min(setUp + workload.count, from + batch));
      await journal.append(journal.last(), entries);
    }
    const replayed = async (): Promise<number> => {
      const engine = make();
      const sink = new RingSink();
      const began = performance.now();
      await replay(engine, journal, sink, () => undefined);
      engine.eventDigest();
      const seconds = (performance.now() - began) / 1000;
      if (sink.trades !== workload.totals.trades) throw new Error('the journal replayed something else');
      return operations / seconds;
    };
    const results = await interleave({ replayed, engine: () => sampleEngine(workload, make) }, size.samples);
    report(
      compared(
        {
          name: 'journal/replay',
          unit: 'op/s',
          must: atLeast(0.5),
          aim: atLeast(0.8),
          note: `${operations} commands of W1: read, CRC, chain, decode, apply, digest; against engine/pipeline`,
        },
        results.replayed,
        results.engine,
      ),
    );
  } finally {
    await journal.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `journal/replay`: how fast recovery reads back. */
export const group: BenchGroup = { names: ['journal/replay'], run };
