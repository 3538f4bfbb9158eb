import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { as } from '#model/units.ts';
import type { EncodedBatch } from '#journal/encoded-batch.ts';
import { tailListName } from '#journal/journal-tail.ts';
import { type ChainPoint, compareWithLog, cutAhead, type LogComparison } from '#journal/log-comparison.ts';
import { hashOf } from '#journal/segment-format.ts';
import { MachineCrashed, MemoryDisk } from '../ports/memory-file-operations.ts';
import { expectEntries, journalDirectory, openSnapshots, snapshotAt, snapshotDirectory } from './journal-script.ts';
import { clusterOrigin, lead, openReplica, usedBytes } from './replica-journal.ts';

const pointOf = ({ last, bytes }: EncodedBatch): ChainPoint => ({ last, hash: hashOf(bytes) });
const beginning: ChainPoint = { last: as<EncodedBatch['last']>(0), hash: clusterOrigin };

/** The batches of a log that rolls a few times, and the disk of a journal with the first `count` of them, closed. */
async function makeLog(sizes: readonly number[]): Promise<readonly EncodedBatch[]> {
  const leader = await openReplica(new MemoryDisk(createPrng(1)));
  const batches: EncodedBatch[] = [];
  for (const size of sizes) batches.push(await lead(leader, size));
  await leader.close();
  return batches;
}

async function journalOf(batches: readonly EncodedBatch[], own: readonly number[] = []): Promise<MemoryDisk> {
  const disk = new MemoryDisk(createPrng(2));
  const journal = await openReplica(disk);
  for (const batch of batches) await journal.write(batch);
  for (const size of own) await lead(journal, size);
  await journal.whenIdle();
  await journal.close();
  return disk;
}

const compare = (
  disk: MemoryDisk,
  points: readonly ChainPoint[],
  origin: Uint8Array = clusterOrigin,
): Promise<LogComparison> => compareWithLog({ files: disk, journal: journalDirectory }, { origin, points });

const cut = async (disk: MemoryDisk, points: readonly ChainPoint[]) => {
  const comparison = await compare(disk, points);
  if (comparison.kind !== 'ahead') return null;
  return cutAhead({
    files: disk,
    journal: journalDirectory,
    snapshots: snapshotDirectory,
    aside: 'data/cut',
    comparison,
  });
};

const sizes = Array.from({ length: 60 }, (_, index) => 1 + ((index * 7) % 11));

describe('a journal compared with the log of its cluster', () => {
  test('follows it wherever it ends in what the log keeps, is undecided before that, and is not changed', async () => {
    const log = await makeLog(sizes);
    expect(log.at(-1)!.segment).toBeGreaterThan(3);
    const all = [beginning, ...log.map(pointOf)];
    for (const count of [0, 1, 2, 17, 30, 45, 59, 60]) {
      const disk = await journalOf(log.slice(0, count));
      const files = (): unknown => disk.paths().map((path) => [path, hashOf(disk.content(path)).toString()]);
      const before = files();
      const end = all[count]!.last;
      for (const kept of [0, 1, 20, 44, 59, 60]) {
        const kind = kept <= count ? 'follows' : 'undecided';
        expect(await compare(disk, all.slice(kept)), `${count} of the log from ${kept} on`).toEqual({ kind, end });
      }
      expect(files()).toEqual(before);
    }
  });

  test('a directory without a journal is an empty one', async () => {
    const [first, second] = (await makeLog([3, 4])).map(pointOf);
    const disk = new MemoryDisk(createPrng(1));
    expect(await compare(disk, [beginning, first!, second!])).toEqual({ kind: 'follows', end: 0 });
    expect(await compare(disk, [first!, second!])).toEqual({ kind: 'undecided', end: 0 });
  });

  test('of another origin is foreign, also where it is empty', async () => {
    const log = (await makeLog([3, 4])).map(pointOf);
    const other = new Uint8Array(32).fill(8);
    expect(await compare(await journalOf([]), [beginning, ...log], other)).toEqual({ kind: 'foreign', end: 0 });
    expect(await compare(await journalOf(await makeLog([5])), log, other)).toEqual({ kind: 'foreign', end: 5 });
  });

  test('of which nothing is in the chain is foreign, where retention let go of its origin', async () => {
    const log = await makeLog(sizes);
    const disk = await journalOf(log);
    const journal = await openReplica(disk);
    await journal.release(as(150));
    const first = journal.first();
    expect(first).toBeGreaterThan(50);
    await journal.close();
    const all = [beginning, ...log.map(pointOf)];
    const { last } = log.at(-1)!;
    const others = [beginning, ...(await makeLog([7, ...sizes])).map(pointOf)];
    expect(await compare(disk, all, new Uint8Array(32))).toEqual({ kind: 'follows', end: last });
    expect(await compare(disk, others)).toEqual({ kind: 'foreign', end: last });
    const laterOnes = others.filter((point) => point.last >= first);
    expect(await compare(disk, laterOnes)).toEqual({ kind: 'undecided', end: last });
  });

  test('is ahead from the batch on that the log has not, or has otherwise', async () => {
    const log = await makeLog(sizes);
    const all = [beginning, ...log.map(pointOf)];
    let begun = 0;
    for (const count of [0, 1, 16, 17, 31, 44, 59, 60]) {
      const disk = await journalOf(log.slice(0, count), [2, 40, 3]);
      const last = all[count]!.last;
      const compared = await compare(disk, all.slice(Math.max(0, count - 9)));
      expect(compared).toMatchObject({ kind: 'ahead', last, end: last + 45, next: { last: last + 2 } });
      begun += [...(await usedBytes(disk)).keys()].length;
    }
    expect(begun).toBeGreaterThan(20);
  });

  test('follows the log beyond a batch of which the log cannot tell any more', async () => {
    const log = await makeLog(sizes);
    const points = log.map(pointOf).filter((_, index) => index !== 30 && index !== 33);
    const end = log[40]!.last;
    expect(await compare(await journalOf(log.slice(0, 41)), points)).toEqual({ kind: 'follows', end });
    const compared = await compare(await journalOf(log.slice(0, 41), [50]), points);
    expect(compared).toMatchObject({ kind: 'ahead', last: end, next: { last: end + 50 } });
  });

  test('that left the chain before the first batch of the log is undecided', async () => {
    const log = await makeLog(sizes);
    const all = [beginning, ...log.map(pointOf)];
    const disk = await journalOf(log.slice(0, 20), [70, 60]);
    const end = as<EncodedBatch['last']>(all[20]!.last + 130);
    expect(await compare(disk, all.slice(21))).toEqual({ kind: 'undecided', end });
    expect(await compare(disk, all.slice(20))).toMatchObject({ kind: 'ahead', last: all[20]!.last });
    expect(
      await compare(
        disk,
        all.filter(({ last }) => last > end),
      ),
    ).toEqual({ kind: 'undecided', end });
  });
});

describe('cutting what a quorum never had', () => {
  /** Ahead by three batches that fill the segment, begin the next one and go on; with snapshots on both sides. */
  const ahead = async () => {
    const log = await makeLog(sizes.slice(0, 28));
    const disk = await journalOf(log.slice(0, 20), [2, 40, 3]);
    const { last } = log[19]!;
    const snapshots = openSnapshots(disk);
    await snapshots.save(snapshotAt(last - 3));
    await snapshots.save(snapshotAt(last + 10));
    return { log, disk, last, points: [beginning, ...log.map(pointOf)].slice(12) };
  };

  /** Afterwards the journal follows the log, byte for byte. */
  const expectFollows = async (disk: MemoryDisk, log: readonly EncodedBatch[]): Promise<void> => {
    const journal = await openReplica(disk);
    for (const batch of log.slice(20)) await journal.write(batch);
    await expectEntries(journal, 1, log.at(-1)!.last);
    await journal.close();
    expect(await usedBytes(disk)).toEqual(await usedBytes(await journalOf(log)));
  };

  test('the journal ends in the chain, and what was cut lies aside with a list', async () => {
    const { log, disk, last, points } = await ahead();
    const result = (await cut(disk, points))!;
    expect(result).toMatchObject({ first: last + 1, last: last + 45 });
    expect(result.folder).toMatch(new RegExp(`^data/cut/0+${last + 1}-[0-9a-f]{16}$`));
    expect(await compare(disk, points)).toEqual({ kind: 'follows', end: last });
    const lines = Buffer.from(disk.content(`${result.folder}/${tailListName}`)).toString();
    const listed = lines.trimEnd().split('\n');
    expect(listed.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      Array.from({ length: 45 }, (_, index) => last + 1 + index),
    );
    expect(Buffer.from(disk.content(`${result.folder}/note.txt`)).toString()).toContain(`${last + 1} to ${last + 45}`);
    expect(await openSnapshots(disk).positions()).toEqual([last - 3]);
    expect(await cut(disk, points)).toBeNull();
    await expectFollows(disk, log);
  });

  test('a crash at every call, by kill and by loss of power, is finished by starting again', async () => {
    const { log, disk, last, points } = await ahead();
    const folders = new Set<string>();
    let crashes = 0;
    for (let failing = 1; ; failing += 1) {
      const copy = disk.afterKill(createPrng(failing));
      copy.plan = ({ index }) => (index === failing ? 'crash' : null);
      const result: unknown = await cut(copy, points).catch((error: unknown) => error);
      if (!(result instanceof MachineCrashed)) break;
      crashes += 1;
      for (const image of [copy.afterKill(createPrng(failing)), copy.afterPowerLoss(createPrng(failing))]) {
        const again = await cut(image, points);
        if (again !== null) folders.add(again.folder);
        expect(await compare(image, points)).toEqual({ kind: 'follows', end: last });
        const kept = image.paths().filter((path) => path.startsWith('data/cut/'));
        expect(kept.filter((path) => path.endsWith(tailListName)).length).toBe(1);
        if (failing % 20 === 0) await expectFollows(image, log);
      }
    }
    expect(crashes).toBeGreaterThan(100);
    expect(folders.size).toBe(1);
  });
});
