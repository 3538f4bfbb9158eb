import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assert } from '#base/assert.ts';
import type { Seq, TimestampMs } from '#model/units.ts';
import { chunksOf } from '#journal/file-copy.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import { HeldFiles } from '#journal/held-files.ts';
import { endJournal, holdSegments } from '#journal/held-journal.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';
import { linkOrCopy } from '#main/states/content-files.ts';
import type { DataDirectory } from '#main/storage/data-directory.ts';
import { Sequencer } from '#sequencer/sequencer.ts';

const ownerOnly = 0o600;

/** The moment that a copy is of. */
export interface CopiedMoment {
  readonly exchangeTime: TimestampMs;
  readonly lastEntry: Seq;
}

/**
 * Copies the content of a running exchange into an empty folder, as it is behind one entry: commands wait meanwhile,
 * and are asked for nothing. An image of the engine is there too, so that opening the copy replays nothing. The
 * simulated chains may know more than the journal, as after a crash. DEC-KIT-11.
 */
export function copyExchange(
  core: ExchangeCore,
  directory: DataDirectory,
  to: string,
  files: FileOperations,
): Promise<CopiedMoment> {
  const { sequencer, engine, history, historyWriter } = core;
  assert(sequencer instanceof Sequencer, 'no node of a cluster is copied');
  return sequencer.hold(async () => {
    const { seq: lastEntry } = engine;
    await historyWriter.flush(lastEntry);
    await Promise.all([
      history.copyTo(join(to, 'history.db')),
      copyJournal(directory.journal, join(to, 'journal')),
      new FileSnapshotStore({ files, directory: join(to, 'snapshots'), notice: () => {} }).save({
        at: lastEntry,
        digest: engine.digest(),
        image: engine.snapshot(),
      }),
    ]);
    for (const name of ['secrets-made.json', 'simulated-chain.jsonl', 'exchange-time.json'])
      await copyIfThere(directory.root, to, name);
    return { lastEntry, exchangeTime: engine.at };
  });
}

/** Compressed segments are shared; of the others, what is written is copied. */
async function copyJournal(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const held = new HeldFiles(nodeFileOperations);
  try {
    await holdSegments(nodeFileOperations, held, from);
    await endJournal(nodeFileOperations, held, from);
    for (const path of held.paths()) {
      const target = join(to, basename(path));
      if (path.endsWith('.z')) await linkOrCopy(path, target);
      else await copyHeld(held, path, target);
    }
  } finally {
    await held.release();
  }
}

async function copyHeld(held: HeldFiles, path: string, to: string): Promise<void> {
  const file = await held.open(path);
  const size = await file.size();
  const copies = async function* (): AsyncGenerator<Uint8Array> {
    // The buffer of a chunk is used again.
    for await (const chunk of chunksOf(file, size)) yield Uint8Array.from(chunk);
  };
  await pipeline(Readable.from(copies()), createWriteStream(to, { mode: ownerOnly }));
}

async function copyIfThere(from: string, to: string, name: string): Promise<void> {
  try {
    await copyFile(join(from, name), join(to, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Writes a small file of a copy. */
export const writeCopied = (folder: string, name: string, content: object): Promise<void> =>
  writeFile(join(folder, name), `${JSON.stringify(content)}\n`, { mode: ownerOnly });
