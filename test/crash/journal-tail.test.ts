import { beforeAll, describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { as } from '#model/units.ts';
import { JournalDamaged } from '#journal/journal.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { MemoryDisk } from '../ports/memory-file-operations.ts';
import { verifyJournalFiles } from '#journal/verify.ts';
import {
  batchFrom,
  expectEntries,
  journalDirectory,
  openJournal,
  openSnapshots,
  readAll,
  snapshotAt,
  snapshotDirectory,
} from './journal-script.ts';

const segment = (number: number): string => `${journalDirectory}/${String(number).padStart(10, '0')}.journal`;
const compressed = (number: number): string => `${segment(number)}.z`;

/** A journal of batches of the given sizes, closed, with every full segment compressed. */
async function journalOf(batches: readonly number[]): Promise<MemoryDisk> {
  const disk = new MemoryDisk(createPrng(1));
  const journal = await openJournal(disk);
  for (const count of batches) {
    const last = journal.last();
    await journal.append(last, batchFrom(last + 1, count));
    await journal.whenIdle();
  }
  await journal.close();
  return disk;
}

const copyOf = (disk: MemoryDisk): MemoryDisk => disk.afterKill(createPrng(1));

function changed(disk: MemoryDisk, path: string, change: (content: Uint8Array) => Uint8Array): MemoryDisk {
  const copy = copyOf(disk);
  copy.put(path, change(copy.content(path)));
  return copy;
}

/** Bits that are flipped, one at a time; `BOURSE_TEST_FLIPS` asks for more. */
const flips = Number(process.env['BOURSE_TEST_FLIPS'] ?? 400);

/** Where each batch of the active segment begins, and where the last one ends. */
function batchOffsets(content: Uint8Array): readonly number[] {
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const offsets = [512];
  for (let at = 512; view.getUint32(at + 8, true) !== 0; ) {
    at += view.getUint32(at + 8, true);
    offsets.push(at);
  }
  return offsets;
}

/** Remembers the files; the answer tells whether they are still the same. Comparing by `toEqual` would take seconds. */
function remembered(disk: MemoryDisk): () => boolean {
  const before = new Map(disk.paths().map((path) => [path, disk.content(path)]));
  return () => [...before].every(([path, content]) => Buffer.compare(disk.content(path), content) === 0);
}

async function expectPrefix(disk: MemoryDisk, last: number, mentions: string | null): Promise<void> {
  const isUntouched = remembered(disk);
  expect((await openJournalReader(disk, journalDirectory)).last()).toBe(last);
  expect(isUntouched()).toBe(true);
  const notices: string[] = [];
  const journal = await openJournal(disk, notices);
  expect(journal.last()).toBe(last);
  await expectEntries(journal, 1, last);
  await journal.append(as(last), batchFrom(last + 1, 2));
  await journal.close();
  const again = await openJournal(disk, notices);
  expect(again.last()).toBe(last + 2);
  await again.close();
  expect(notices.length).toBe(mentions === null ? 0 : 1);
  if (mentions !== null) expect(notices[0]).toContain(mentions);
}

async function expectDamaged(disk: MemoryDisk, file: string): Promise<JournalDamaged> {
  const isUntouched = remembered(disk);
  const failure = await openJournal(disk).then(
    async (journal) => {
      // Damage inside compressed blocks is found by reading them, which the start does as far as it replays them.
      return readAll(journal, journal.first()).then(
        () => null,
        (error: unknown) => error,
      );
    },
    (error: unknown) => {
      expect(isUntouched()).toBe(true);
      return error;
    },
  );
  expect(failure).toBeInstanceOf(JournalDamaged);
  const damage = failure as JournalDamaged;
  expect(damage.file).toBe(file);
  expect(damage.message).toContain(`${file} at byte ${damage.offset}`);
  return damage;
}

describe('torn tail', () => {
  const fills: Record<string, (content: Uint8Array, cut: number, end: number) => Uint8Array> = {
    'the file ends there': (content, cut) => content.slice(0, cut),
    'zeros stand from there on': (content, cut) => content.slice().fill(0, cut),
    'garbage stands from there to the end of the write': (content, cut, end) => {
      const prng = createPrng(cut);
      return content.slice().map((byte, at) => (at < cut || at >= end ? byte : (byte ^ (1 + prng.below(255))) & 0xff));
    },
    'garbage stands from there to the end of the file': (content, cut) => {
      const prng = createPrng(cut);
      return content.slice().map((byte, at) => (at < cut ? byte : prng.below(256)));
    },
  };
  test.each([
    ['one batch of three', [4, 1, 3]],
    ['three batches of one', [4, 1, 1, 1]],
  ])('a journal cut at any byte of its last three records, %s, keeps the whole batches before', async (_, sizes) => {
    const disk = await journalOf(sizes);
    const content = disk.content(segment(1));
    const offsets = batchOffsets(content);
    const end = offsets.at(-1) as number;
    const from = offsets[sizes.length - (sizes.length === 3 ? 1 : 3)] as number;
    for (const [name, fill] of Object.entries(fills)) {
      for (let cut = from; cut < end; cut += name.includes('file') && !name.includes('ends') ? 5 : 1) {
        const whole = sizes.filter((__, index) => (offsets[index + 1] as number) <= cut);
        const kept = whole.reduce((sum, count) => sum + count, 0);
        const torn = changed(disk, segment(1), (bytes) => fill(bytes, cut, end));
        const atBoundary = offsets.includes(cut) && !name.startsWith('garbage');
        await expectPrefix(torn, kept, atBoundary ? null : `at byte ${offsets[whole.length]}`);
      }
    }
  });

  test('a damaged batch that a whole one follows refuses the start and names the place', async () => {
    const disk = await journalOf([4, 1, 1, 1]);
    const offsets = batchOffsets(disk.content(segment(1)));
    for (let at = offsets[0] as number; at < (offsets[3] as number); at += 1) {
      const broken = changed(disk, segment(1), (content) => {
        content[at] = (content[at] as number) ^ 0x10;
        return content;
      });
      const { offset } = await expectDamaged(broken, segment(1));
      expect(offset).toBeLessThanOrEqual(at);
      expect(at - offset).toBeLessThan(512);
    }
  });

  test('half a header of a segment that was just begun is dropped', async () => {
    const disk = await journalOf([30, 30]);
    const next = Math.max(...disk.paths().map((path) => Number(/(\d{10})\.journal$/.exec(path)?.[1] ?? 0)));
    const torn = changed(disk, segment(next), (content) => {
      content.fill(0xab, 3, 40);
      return content;
    });
    await expectPrefix(torn, 60, 'at byte 0');
  });
});

describe('damage', () => {
  let disk: MemoryDisk;
  let last: number;
  beforeAll(async () => {
    const sizes = Array.from({ length: 60 }, (_, index) => 1 + (index % 7));
    last = sizes.reduce((sum, count) => sum + count, 0);
    disk = await journalOf(sizes);
    const snapshots = openSnapshots(disk);
    for (const at of [100, 150]) await snapshots.save(snapshotAt(at));
  });

  test('any flipped bit is found: the start refuses, or tells what it drops, or uses the older snapshot', {
    timeout: 30_000 + flips * 30,
  }, async () => {
    const prng = createPrng(77);
    const paths = disk.paths();
    const seen = { refused: 0, told: 0 };
    for (let flip = 0; flip < flips; flip += 1) {
      const path = paths[flip % paths.length] as string;
      const used = disk.content(path).findLastIndex((byte) => byte !== 0) + 1;
      const at = prng.below(Math.max(used, 64));
      const flipped = changed(disk, path, (content) => {
        content[at] = (content[at] as number) ^ (1 << prng.below(8));
        return content;
      });
      const { faults, notices } = await verifyJournalFiles({
        files: flipped,
        journal: journalDirectory,
        snapshots: snapshotDirectory,
        progress: () => undefined,
      });
      expect(faults.length + notices.length, `${path} byte ${at}`).toBe(1);
      expect([...faults, ...notices][0]).toContain(path);
      if (faults.length === 1) seen.refused += 1;
      else seen.told += 1;
      if (path.startsWith(snapshotDirectory)) {
        const passed: string[] = [];
        const found = await openSnapshots(flipped, passed).latest();
        expect(found).toEqual(snapshotAt(path.includes('150') ? 100 : 150));
        expect(passed.length).toBe(path.includes('150') ? 1 : 0);
      } else if (faults.length === 1) await expectDamaged(flipped, path);
    }
    expect(seen.refused).toBeGreaterThan(flips / 2);
    expect(seen.told).toBeGreaterThan(0);
  });

  test('a missing segment refuses the start', async () => {
    const numbers = disk.paths().flatMap((path) => (path.endsWith('.z') ? [Number(/(\d{10})/.exec(path)?.[1])] : []));
    expect(numbers.length).toBeGreaterThan(3);
    for (const number of numbers) {
      const broken = copyOf(disk);
      await broken.unlink(compressed(number));
      await expectDamaged(broken, segment(number));
    }
  });

  test('segments that were exchanged, doubled or come from another journal refuse the start', async () => {
    const other = await journalOf(Array.from({ length: 60 }, (_, index) => 1 + (index % 5)));
    for (let number = 1; number < 5; number += 1) {
      const next = disk.content(compressed(number + 1));
      const exchanged = changed(disk, compressed(number), () => next);
      exchanged.put(compressed(number + 1), disk.content(compressed(number)));
      await expectDamaged(exchanged, compressed(number));
      await expectDamaged(
        changed(disk, compressed(number), () => next),
        compressed(number),
      );
      const foreign = changed(disk, compressed(number), () => other.content(compressed(number)));
      await expectDamaged(foreign, compressed(number === 1 ? 2 : number));
    }
  });

  test('an error of the disk while reading refuses the start, whichever read it is', async () => {
    let calls = 0;
    const counted = copyOf(disk);
    counted.plan = (call) => {
      if (call.name === 'read') calls += 1;
      return null;
    };
    await readAll(await openJournal(counted), 1);
    expect(calls).toBeGreaterThan(10);
    for (let failing = 1; failing <= calls; failing += 1) {
      const broken = copyOf(disk);
      let reads = 0;
      broken.plan = (call) => {
        if (call.name !== 'read') return null;
        reads += 1;
        return reads === failing ? 'EIO' : null;
      };
      const reading = openJournal(broken).then((journal) => readAll(journal, 1));
      await expect(reading).rejects.toThrow('EIO');
    }
  });

  test('a sound journal with its snapshots has no faults, and its figures are told', async () => {
    const report = await verifyJournalFiles({
      files: disk,
      journal: journalDirectory,
      snapshots: snapshotDirectory,
      progress: () => undefined,
    });
    expect(report).toMatchObject({
      batches: 60,
      entries: last,
      firstSeq: 1,
      lastSeq: last,
      faults: [],
      notices: [],
      snapshots: [{ at: 150 }, { at: 100 }],
    });
  });
});
