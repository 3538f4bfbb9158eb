import { describe, expect, test } from 'vitest';
import { ByteWriter } from '#base/bytes.ts';
import { createPrng } from '#base/prng.ts';
import { as } from '#model/units.ts';
import type { EncodedBatch } from '#journal/encoded-batch.ts';
import { JournalFull, JournalUnavailable } from '#journal/journal.ts';
import { compressedPath, segmentPath } from '#journal/segment-directory.ts';
import { batchMark, encodeBatch } from '#journal/segment-format.ts';
import { MachineCrashed, MemoryDisk } from '../ports/memory-file-operations.ts';
import { batchFrom, expectEntries, journalDirectory, openJournal } from './journal-script.ts';
import { begunSegments, clusterOrigin, encodeNext, lead, moveTail, openReplica } from './replica-journal.ts';

const segment = (number: number): string => segmentPath(journalDirectory, number);
const compressed = (number: number): string => compressedPath(journalDirectory, number);
const newDisk = (seed = 1): MemoryDisk => new MemoryDisk(createPrng(seed));

describe('opening a journal of a cluster', () => {
  /** The second segment was begun, its batch was taken back; answers that batch too. */
  const begun = async (isIdle: boolean): Promise<{ disk: MemoryDisk; last: number; taken: EncodedBatch }> => {
    const disk = newDisk(9);
    const journal = await openReplica(disk);
    let batch = await lead(journal, 7);
    for (let last = batch; batch.segment === 1; last = batch) {
      batch = await lead(journal, 7);
      if (batch.segment === 1) continue;
      await journal.takeBack(batch);
      if (isIdle) await journal.whenIdle();
      await journal.close();
      expect(disk.content(segment(2)).subarray(0, 8).toString()).not.toBe('0,0,0,0,0,0,0,0');
      return { disk, last: last.last, taken: batch };
    }
    throw new Error('a segment was never full');
  };

  test.each([
    ['compressed', true],
    ['as it was written', false],
  ])('goes on in the segment of the last batch, which is %s, and leaves none empty', async (_, isIdle) => {
    const { disk, last, taken } = await begun(isIdle);
    expect(disk.paths().includes(compressed(1))).toBe(isIdle);
    const plain = disk.afterKill(createPrng(1));
    const alone = await openJournal(plain);
    expect(encodeNext(alone, 1).segment).toBe(2);
    await alone.close();
    const journal = await openReplica(disk);
    expect(journal.last()).toBe(last);
    expect(disk.paths()).not.toContain(compressed(1));
    expect(await begunSegments(disk)).toEqual([1]);
    // Another leader had more room in its first segment.
    const writer = new ByteWriter();
    const start = { number: 1, firstSeq: as<EncodedBatch['first']>(1), previousHash: clusterOrigin };
    encodeBatch(writer, batchMark(start), journal.lastHash(), batchFrom(last + 1, 9));
    const longer = { segment: 1, first: taken.first, last: as<EncodedBatch['last']>(last + 9) };
    await journal.write({ ...longer, bytes: writer.written() });
    const next = await lead(journal, 4);
    expect(next.segment).toBe(2);
    await journal.whenIdle();
    await expectEntries(journal, 1, last + 13);
    await journal.close();
    const again = await openReplica(disk);
    await expectEntries(again, 1, last + 13);
    await again.close();
  });

  test('goes on in the last segment if it was sealed and none was begun', async () => {
    const { disk, last } = await begun(true);
    for (const path of disk.paths().filter((name) => name === segment(2) || name === segment(3)))
      disk.takeAway(path, { copied: false });
    const journal = await openReplica(disk);
    expect(await begunSegments(disk)).toEqual([1]);
    expect(journal.last()).toBe(last);
    await journal.close();
  });

  test('a crash at every call of it, by kill and by loss of power, is mended by opening again', async () => {
    for (const isIdle of [true, false]) {
      const { disk, last } = await begun(isIdle);
      let crashes = 0;
      for (let failing = 1; ; failing += 1) {
        const copy = disk.afterKill(createPrng(failing));
        copy.plan = ({ index }) => (index === failing ? 'crash' : null);
        const opened: unknown = await openReplica(copy).catch((error: unknown) => error);
        for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
        if (!(opened instanceof MachineCrashed)) break;
        crashes += 1;
        const seeds = Array.from({ length: 12 }, (__, seed) => createPrng(failing * 70 + seed));
        for (const image of [copy.afterKill(createPrng(1)), ...seeds.map((prng) => copy.afterPowerLoss(prng))]) {
          const journal = await openReplica(image);
          expect(await begunSegments(image)).toEqual([1]);
          expect(journal.last()).toBe(last);
          await expectEntries(journal, 1, last);
          await journal.close();
        }
      }
      expect(crashes).toBeGreaterThan(10);
    }
  });

  test('an empty journal begins with the given origin', async () => {
    const journal = await openReplica(newDisk());
    expect(journal.lastHash()).toEqual(clusterOrigin);
    expect(encodeNext(journal, 1).segment).toBe(1);
    await journal.close();
    const disk = newDisk();
    await (await openReplica(disk)).close();
    const again = await openReplica(disk);
    expect([again.last(), encodeNext(again, 1).segment]).toEqual([0, 1]);
    await again.close();
  });

  test('keeps the last full segment, whatever is released', async () => {
    const disk = newDisk();
    const journal = await openReplica(disk);
    let batch = await lead(journal, 7);
    while (batch.segment < 3) batch = await lead(journal, 7);
    await journal.whenIdle();
    await journal.release(journal.last());
    expect(await begunSegments(disk)).toEqual([2, 3]);
    await journal.takeBack(batch);
    await journal.close();
    const again = await openReplica(disk);
    expect(again.last()).toBe(batch.first - 1);
    expect(await begunSegments(disk)).toEqual([2]);
    await expectEntries(again, again.first(), again.last());
    await again.close();
  });

  test('writes on into a segment that was cut short, as far as the disk has room', async () => {
    const disk = newDisk();
    const journal = await openReplica(disk);
    const leader = await openReplica(newDisk());
    for (let at = 0; at < 4; at += 1) await journal.write(await lead(leader, 5));
    await journal.close();
    await moveTail(disk, 11);
    const again = await openReplica(disk);
    await again.whenIdle();
    const same = await openReplica(newDisk());
    const batches = [await lead(same, 5), await lead(same, 5), await lead(same, 9), await lead(same, 3)];
    disk.plan = ({ name }) => (name === 'writeThrough' ? 'ENOSPC' : null);
    await expect(again.write(batches[2]!)).rejects.toThrow(JournalUnavailable);
    await again.close();
    disk.plan = () => null;
    const third = await openReplica(disk);
    await third.whenIdle();
    let failed = false;
    disk.plan = ({ name }) => {
      if (name !== 'writeThrough' || failed) return null;
      failed = true;
      return 'ENOSPC';
    };
    await expect(third.write(batches[2]!)).rejects.toBeInstanceOf(JournalFull);
    expect(third.last()).toBe(10);
    await third.write(batches[2]!);
    await third.write(batches[3]!);
    expect(third.lastHash()).toEqual(same.lastHash());
    await expectEntries(third, 1, 22);
    await third.close();
  });
});
