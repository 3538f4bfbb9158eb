import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { batchBefore, checkBatch } from '#journal/encoded-batch.ts';
import type { FileJournal } from '#journal/file-journal.ts';
import { JournalUnavailable } from '#journal/journal.ts';
import { tailListName } from '#journal/journal-tail.ts';
import { hashOf } from '#journal/segment-format.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { MemoryDisk } from '../ports/memory-file-operations.ts';
import { expectEntries, snapshotDirectory } from './journal-script.ts';
import { lead, moveTail, openReplica, usedBytes } from './replica-journal.ts';

const into = 'data/cut/open';
const tail = (from: number) => ({
  ...{ snapshots: snapshotDirectory, into, from: as<Seq>(from) },
  note: { name: 'note.txt', text: 'a test' },
});

interface Written {
  readonly disk: MemoryDisk;
  readonly journal: FileJournal;
  /** Last entries of batches, and the number of the segment that each stands in. */
  readonly batches: readonly { readonly last: number; readonly segment: number }[];
}

/** The journal of a node, with batches of one to nine entries in several segments. */
async function written(seed: number, entries = 120): Promise<Written> {
  const disk = new MemoryDisk(createPrng(seed));
  const journal = await openReplica(disk);
  const prng = createPrng(seed);
  const batches: { last: number; segment: number }[] = [];
  while (journal.last() < entries) {
    const { last, segment } = await lead(journal, 1 + prng.below(9));
    batches.push({ last, segment });
  }
  await journal.whenIdle();
  return { disk, journal, batches };
}

describe('ending an open journal before an entry', () => {
  test('leaves the bytes that a start leaves, whatever is cut, and what follows is the same too', {
    timeout: 60_000,
  }, async () => {
    const { batches } = await written(3);
    const ends = batches.map(({ last }) => last);
    const boundaries = batches.flatMap(({ segment, last }, index) =>
      segment === batches[index + 1]?.segment ? [] : [last, last + 1],
    );
    expect(new Set(batches.map(({ segment }) => segment)).size).toBeGreaterThan(3);
    // Within batches, between them, at the ends of segments, and all.
    const cuts = new Set([1, 2, ...ends.slice(-6), ...ends.slice(-6).map((last) => last + 1), ...boundaries]);
    for (const from of [...cuts].filter((cut) => cut <= ends.at(-1)!)) {
      const open = await written(3);
      const closed = await written(3);
      await open.journal.endBefore(tail(from));
      expect(open.journal.last()).toBe(from - 1);
      await closed.journal.close();
      await moveTail(closed.disk, from);
      const again = await openReplica(closed.disk);
      expect(open.journal.lastHash()).toEqual(again.lastHash());
      for (const list of [into, `data/cut/${from}`].map((folder) => `${folder}/${tailListName}`)) {
        const disk = list.startsWith(into) ? open.disk : closed.disk;
        const lines = Buffer.from(disk.content(list)).toString().trimEnd().split('\n');
        expect(lines.map((line) => JSON.parse(line).seq)).toEqual(
          Array.from({ length: ends.at(-1)! - from + 1 }, (_, index) => from + index),
        );
      }
      for (let count = 0; count < 12; count += 1) {
        const batch = await lead(open.journal, 5);
        await again.write(batch);
      }
      await expectEntries(open.journal, 1, from + 59);
      await Promise.all([open.journal.close(), again.close()]);
      expect(await usedBytes(open.disk)).toEqual(await usedBytes(closed.disk));
    }
  });

  test('tells its new last batch beforehand: the rest of the one that is cut', async () => {
    const { journal, batches } = await written(4);
    for (let from = batches.at(-1)!.last; from > batches.at(-5)!.last; from -= 1) {
      const batch = await journal.batchWith(as<Seq>(from));
      expect(batch.first <= from && from <= batch.last).toBe(true);
      const rest = batchBefore(batch, as<Seq>(from));
      const hash = rest === null ? checkBatch(batch).previousHash : hashOf(rest.bytes);
      if (rest !== null)
        expect(checkBatch(rest)).toMatchObject({ firstSeq: batch.first, entryCount: from - batch.first });
      await journal.endBefore({ ...tail(from), into: `${into}/${from}` });
      expect(Buffer.compare(journal.lastHash(), hash)).toBe(0);
    }
    await journal.close();
  });

  test('waits for a release, and releases go on afterwards', async () => {
    const { journal, batches } = await written(5);
    const from = batches.at(-2)!.last;
    await Promise.all([journal.release(as<Seq>(40)), journal.endBefore(tail(from))]);
    expect(journal.first()).toBeGreaterThan(1);
    await expectEntries(journal, journal.first(), from - 1);
    await journal.release(as<Seq>(60));
    await expectEntries(journal, journal.first(), from - 1);
    await journal.close();
  });

  test('that fails is final for this process, and the next start finds a whole journal', async () => {
    for (let strike = 1; ; strike += 1) {
      const { disk, journal, batches } = await written(6, 40);
      const from = batches.at(-2)!.last;
      let left = strike;
      disk.plan = ({ name }) =>
        ['write', 'writeThrough', 'rename', 'unlink'].includes(name) && --left === 0 ? 'EIO' : null;
      const failure = await journal.endBefore(tail(from)).then(
        () => null,
        (error: unknown) => error,
      );
      disk.plan = () => null;
      if (left > 0) {
        expect(failure).toBeNull();
        expect(strike).toBeGreaterThan(4);
        await journal.close();
        return;
      }
      const isFinal = await lead(journal, 1).then(
        () => false,
        (error: unknown) => error instanceof JournalUnavailable,
      );
      expect(isFinal).toBe(failure !== null);
      const survivor = disk.afterKill(createPrng(1));
      await moveTail(survivor, from);
      const again = await openReplica(survivor);
      expect(again.last()).toBe(from - 1);
      await again.close();
    }
  });
});
