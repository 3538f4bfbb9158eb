import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { accountOfCommand } from '#model/command-subject.ts';
import { moveTailAside, tailListName } from '#journal/journal-tail.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { openJournalReader } from '#journal/journal-reader.ts';
import { stepOf } from '../every-case.ts';
import { MachineCrashed, MemoryDisk } from '../ports/memory-file-operations.ts';
import {
  batchFrom,
  entriesFrom,
  expectEntries,
  journalDirectory,
  openJournal,
  openSnapshots,
  snapshotAt,
  snapshotDirectory,
} from './journal-script.ts';

const into = 'data/quarantine/tail';
const note = { name: 'note.json', text: '{"why":"a test"}\n' };
const move = (files: FileOperations, from: number): Promise<void> =>
  moveTailAside({ files, journal: journalDirectory, snapshots: snapshotDirectory, into, from: as<Seq>(from), note });

interface TailMoveHarness {
  readonly disk: MemoryDisk;
  /** First entry of each batch. */
  readonly batches: readonly number[];
  readonly last: number;
}

/** Segments in every form: let go, compressed, full but not compressed, being written to, and made ahead. */
async function makeJournal(released: number): Promise<TailMoveHarness> {
  const disk = new MemoryDisk(createPrng(5));
  const journal = await openJournal(disk);
  const batches: number[] = [];
  const prng = createPrng(11);
  let last = 0;
  const append = async (count: number): Promise<void> => {
    batches.push(last + 1);
    await journal.append(as<Seq>(last), batchFrom(last + 1, count));
    last += count;
  };
  while (last < 160) await append(1 + prng.below(9));
  await journal.whenIdle();
  await journal.release(as<Seq>(released));
  const snapshots = openSnapshots(disk);
  await snapshots.save(snapshotAt(last - 60));
  await snapshots.save(snapshotAt(last - 2));
  // Whole as it is, before the last of it is compressed.
  const compressed = disk.paths().filter((path) => path.endsWith('.z')).length;
  expect(compressed).toBeGreaterThan(1);
  await append(9);
  await append(9);
  await journal.close();
  return { disk, batches, last };
}

const copyOf = (disk: MemoryDisk): MemoryDisk => disk.afterKill(createPrng(1));

/** The journal ends before the tail and goes on; the tail is whole, and named in its list. */
async function expectMoved(before: MemoryDisk, disk: MemoryDisk, from: number, last: number): Promise<void> {
  const journal = await openJournal(disk);
  const first = journal.first();
  expect(journal.last()).toBe(from - 1);
  await expectEntries(journal, first, from - 1);
  await journal.append(as<Seq>(from - 1), batchFrom(from, 3));
  await journal.close();
  const again = await openJournal(disk);
  await expectEntries(again, first, from + 2);
  await again.close();
  expect((await openSnapshots(disk).positions()).filter((at) => at >= from)).toEqual([]);

  const lines = Buffer.from(disk.content(`${into}/${tailListName}`))
    .toString()
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
    entriesFrom(from, last - from + 1).map(({ seq }) => seq),
  );
  expect(Buffer.from(disk.content(`${into}/${note.name}`)).toString()).toBe(note.text);
  for (const path of disk.paths().filter((name) => name.startsWith(`${into}/`) && /journal|snapshot/.test(name))) {
    const folder = path.endsWith('.snapshot') ? snapshotDirectory : journalDirectory;
    const original = before.content(`${folder}/${path.slice(into.length + 1)}`);
    const kept = disk.content(path);
    expect(Buffer.compare(original.subarray(0, kept.length), kept), path).toBe(0);
    expect(original.subarray(kept.length).every((byte) => byte === 0)).toBe(true);
  }
}

describe('moving the tail of a journal aside', () => {
  test('it can begin at any entry: first, middle and last of a batch, of a segment, of all', async () => {
    const { disk, batches, last } = await makeJournal(0);
    const places = new Set([1, 2, last, ...batches, ...batches.map((seq) => Math.min(seq + 1, last))]);
    for (const from of places) {
      const copy = copyOf(disk);
      await move(copy, from);
      await expectMoved(disk, copy, from, last);
    }
    expect(places.size).toBeGreaterThan(40);
  });

  test('it can begin at the first entry that retention kept, and copies snapshots of its own entries', async () => {
    const { disk, last } = await makeJournal(90);
    const first = (await openJournalReader(disk, journalDirectory)).first();
    expect(first).toBeGreaterThan(1);
    for (const from of [first, first + 1, last - 30]) {
      const copy = copyOf(disk);
      await move(copy, from);
      expect(copy.paths().some((path) => path.startsWith(into) && path.endsWith('.snapshot'))).toBe(true);
      await expectMoved(disk, copy, from, last);
    }
  });

  test('a journal that ends before it is left as it is', async () => {
    const { disk, last } = await makeJournal(0);
    const copy = copyOf(disk);
    await move(copy, last + 1);
    expect(copy.paths()).toEqual(disk.paths());
  });

  test('a crash at every call, by kill and by loss of power, is finished by doing it again', async () => {
    const { disk, batches, last } = await makeJournal(0);
    const middle = batches.find((seq) => seq > 60)! + 1;
    for (const from of [middle, last - 4]) {
      const whole = copyOf(disk);
      await move(whole, from);
      let crashes = 0;
      for (let failing = 1; failing <= whole.calls; failing += stepOf(4)) {
        const copy = copyOf(disk);
        copy.plan = ({ index }) => (index === failing ? 'crash' : null);
        await expect(move(copy, from)).rejects.toBeInstanceOf(MachineCrashed);
        crashes += 1;
        const found = [
          copy.afterKill(createPrng(failing)),
          ...[1, 2].map((seed) => copy.afterPowerLoss(createPrng(failing * 7 + seed))),
        ];
        for (const image of found) {
          // Whatever was reached, what stands before the tail can be read.
          const reader = await openJournalReader(image, journalDirectory);
          expect(reader.last()).toBeGreaterThanOrEqual(from - 1);
          await move(image, from);
          await expectMoved(disk, image, from, last);
        }
      }
      expect(crashes).toBeGreaterThan(50 / stepOf(4));
    }
  });

  test('an error or a full disk at every call leaves a journal that the next attempt finishes', async () => {
    const { disk, last } = await makeJournal(0);
    const from = last - 12;
    const whole = copyOf(disk);
    await move(whole, from);
    for (let failing = 1; failing <= whole.calls; failing += stepOf(2)) {
      for (const fault of ['EIO', 'ENOSPC'] as const) {
        const copy = copyOf(disk);
        copy.plan = ({ index }) => (index === failing ? fault : null);
        await move(copy, from).catch((error: unknown) => expect(String(error)).toContain(fault));
        copy.plan = () => null;
        await move(copy, from);
        await expectMoved(disk, copy, from, last);
      }
    }
  });

  test('the list tells time, kind, account and client order ids, and nothing sealed', async () => {
    const { disk, last } = await makeJournal(0);
    const copy = copyOf(disk);
    await move(copy, 1);
    const text = Buffer.from(copy.content(`${into}/${tailListName}`)).toString();
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    entriesFrom(1, last).forEach((entry, index) => {
      const { command } = entry;
      const id = command.kind === 'placeOrder' ? command.order.clientOrderId : null;
      expect(lines[index]).toEqual({
        seq: entry.seq,
        epoch: entry.epoch,
        time: new Date(entry.at).toISOString(),
        kind: command.kind,
        account: accountOfCommand(command),
        clientOrderIds: id === null ? [] : [id.text],
      });
    });
    expect(text).not.toMatch(/xxxx/);
  });
});
