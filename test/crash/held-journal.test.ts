import { mkdtempSync, openSync, readdirSync, readSync, rmSync, writeSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { HeldFiles } from '#journal/held-files.ts';
import { endJournal, holdSegments } from '#journal/held-journal.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { type VerifiedFiles, verifyJournalFiles } from '#journal/verify.ts';
import { batchFrom, smallSegment } from './journal-script.ts';

let root: string;
let directory: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'held-'));
  directory = join(root, 'journal');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const openJournal = (): Promise<FileJournal> =>
  FileJournal.open({ files: nodeFileOperations, directory, segmentSize: smallSegment, notice: () => undefined });

/** Appends random batches for ever, and releases old ones now and then; answers how to stop. */
function write(journal: FileJournal, keptMax: number): () => Promise<void> {
  const prng = createPrng(7);
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const batch = batchFrom(journal.last() + 1, 1 + prng.below(12));
      await journal.append(journal.last(), batch);
      if (prng.below(20) === 0 && journal.last() > keptMax) await journal.release(as<Seq>(journal.last() - keptMax));
      if (prng.below(5) === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  return async () => {
    isOver = true;
    await running;
  };
}

const checked = (held: HeldFiles): Promise<VerifiedFiles> =>
  verifyJournalFiles({
    files: held,
    journal: directory,
    snapshots: join(root, 'snapshots'),
    progress: () => undefined,
  });

async function hold(before: () => Promise<void> = async () => undefined): Promise<HeldFiles> {
  const held = new HeldFiles(nodeFileOperations);
  await holdSegments(nodeFileOperations, held, directory);
  await before();
  await endJournal(nodeFileOperations, held, directory);
  return held;
}

describe('a held journal', () => {
  test('DEC-OPR-274: is sound and has all that was acknowledged, while segments are compressed and deleted', async () => {
    const journal = await openJournal();
    const stop = write(journal, 400);
    let deleted = 0;
    for (let round = 0; round < 60; round += 1) {
      let acknowledged = 0;
      const held = await hold(async () => {
        if (round % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
        acknowledged = journal.last();
      });
      const found = await checked(held);
      expect(found.faults).toEqual([]);
      expect(found.notices).toEqual([]);
      expect(found.lastSeq).toBeGreaterThanOrEqual(acknowledged);
      expect(found.entries).toBe(found.lastSeq - found.firstSeq + 1);
      const there = new Set(readdirSync(directory));
      deleted += held.paths().filter((path) => !there.has(path.slice(directory.length + 1))).length;
      await held.release();
    }
    await stop();
    await journal.close();
    expect(deleted).toBeGreaterThan(0);
  });

  test('DEC-OPR-274: leaves out a batch that is not whole yet', async () => {
    const journal = await openJournal();
    const prng = createPrng(3);
    for (let batch = 0; batch < 3; batch += 1)
      await journal.append(journal.last(), batchFrom(journal.last() + 1, 1 + prng.below(12)));
    const last = journal.last();
    await journal.close();
    const sound = await hold();
    const { size } = await sizeOf(sound);
    await sound.release();
    spoil(join(directory, '0000000001.journal'), size, 0xff);
    const held = await hold();
    expect(await checked(held)).toMatchObject({ faults: [], notices: [], lastSeq: last });
    expect(await sizeOf(held)).toEqual({ size });
    await held.release();
  });

  test('DEC-OPR-274: is refused where a batch or a header is damaged and others follow', async () => {
    const journal = await openJournal();
    const prng = createPrng(3);
    for (let batch = 0; batch < 6; batch += 1)
      await journal.append(journal.last(), batchFrom(journal.last() + 1, 1 + prng.below(12)));
    await journal.whenIdle();
    await journal.close();
    const names = readdirSync(directory).filter((name) => name.endsWith('.journal'));
    const newest = (await held(names)).at(-1)!;
    for (const at of [100, 520]) {
      const before = spoil(newest, at, 0xa5);
      await expect(hold()).rejects.toThrow(JournalDamaged);
      spoil(newest, at, before);
    }
    await (await hold()).release();
  });
});

/** Paths of the segments that hold batches. */
async function held(names: readonly string[]): Promise<readonly string[]> {
  const sound = await hold();
  const paths = sound.paths().filter((path) => names.some((name) => path.endsWith(name)));
  await sound.release();
  return paths;
}

async function sizeOf(files: HeldFiles): Promise<{ readonly size: number }> {
  return { size: await (await files.open(files.paths().at(-1)!)).size() };
}

/** Writes a byte; answers the one before. */
function spoil(path: string, at: number, byte: number): number {
  const file = openSync(path, 'r+');
  const before = Buffer.alloc(1);
  readSync(file, before, 0, 1, at);
  writeSync(file, Buffer.from([byte]), 0, 1, at);
  closeSync(file);
  return before[0]!;
}
