import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '#engine/create-engine.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { replay } from '#sequencer/recovery.ts';
import { streamOfW1, warmW1 } from './engine-run.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { compressInThread } from '#main/task-thread.ts';
import { atLeast, collectGarbage, compared } from './harness.ts';
import { RingSink } from './ring-sink.ts';
import type { Workload } from './workload.ts';
import { ownEntries, setUpCommands } from './workload-exchange.ts';
import { batchOf } from '../test/ports/memory-journal.ts';

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
    await journal.append(journal.last(), batchOf(entries));
  }
  return setUp + workload.prefill;
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const cut = size.quick ? { warmUp: 300_000, sample: 150_000 } : { warmUp: 500_000, sample: 500_000 };
  const stream = warmW1(cut, streamOfW1(cut, size.samples));
  const journal = await openJournal(directory);
  try {
    let next = (await writeJournal(journal, stream.workload)) + cut.warmUp + cut.sample;
    const replaying = createEngine();
    const replayed: number[] = [];
    const engine: number[] = [];
    let since = { at: 0, ms: performance.now() };
    // One replay reads all, as a start does. Where a sample of it ends, the engine beside it takes its own.
    await replay(replaying, journal, new RingSink(), (at) => {
      if (at < next) return;
      replayed.push((at - since.at) / ((performance.now() - since.ms) / 1000));
      collectGarbage();
      engine.push(stream.advance(cut.sample));
      collectGarbage();
      next += cut.sample;
      since = { at, ms: performance.now() };
    });
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
        // The first of each, with the warm-up, do not count.
        replayed.slice(1),
        engine.slice(1),
      ),
    );
  } finally {
    await journal.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `journal/replay`: how fast recovery reads back. */
export const group: BenchGroup = { names: ['journal/replay'], run };
