import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Seq } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { createEngine } from '#engine/create-engine.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { replay } from '#sequencer/recovery.ts';
import { streamOfW1, warmW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { compressInThread } from '#main/compress-in-thread.ts';
import { atLeast, compared, interleave } from './harness.ts';
import { RingSink } from './ring-sink.ts';
import type { Workload } from './workload.ts';
import { ownEntries, setUpCommands } from './workload-exchange.ts';

const batch = 1000;

export const openJournal = (directory: string): Promise<FileJournal> =>
  FileJournal.open({
    files: nodeFileOperations,
    directory,
    segmentSize: 64 << 20,
    notice: () => undefined,
    compress: compressInThread,
  });

/** Writes set-up, prefill and operations of a workload; answers how many entries stand before the operations. */
async function writeJournal(journal: FileJournal, workload: Workload): Promise<number> {
  const setUp = [...setUpCommands(workload)].length;
  for (let from = 0; from < setUp + workload.count; from += batch) {
    const entries = ownEntries(workload, from, Math.min(setUp + workload.count, from + batch));
    await journal.append(journal.last(), entries);
  }
  return setUp + workload.prefill;
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const cut = size.quick ? { warmUp: 300_000, sample: 200_000 } : { warmUp: 500_000, sample: 500_000 };
  const stream = warmW1(cut, streamOfW1(cut, size.samples));
  const journal = await openJournal(directory);
  try {
    let at = (await writeJournal(journal, stream.workload)) + cut.warmUp;
    const replaying = createEngine();
    const sink = new RingSink();
    await replay(replaying, journal, sink, () => undefined, as<Seq>(at));
    const replayed = async (): Promise<number> => {
      const began = performance.now();
      at += cut.sample;
      await replay(replaying, journal, sink, () => undefined, as<Seq>(at));
      return cut.sample / ((performance.now() - began) / 1000);
    };
    const results = await interleave({ replayed, engine: () => stream.advance(cut.sample) }, size.samples);
    if (replaying.eventDigest() !== stream.engine.eventDigest()) throw new Error('the journal told another story');
    report(
      compared(
        {
          name: 'journal/replay',
          unit: 'op/s',
          must: atLeast(0.5),
          aim: atLeast(0.8),
          note: `${cut.sample} commands of W1 a sample: CRC, chain, decode, apply, digest; against engine/pipeline`,
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
