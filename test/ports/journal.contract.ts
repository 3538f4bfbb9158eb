import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Journal, SnapshotStore } from '#journal/journal.ts';
import { JournalMoved } from '#journal/journal.ts';
import { batchFrom, entriesFrom, readAll, snapshotAt } from '../crash/journal-script.ts';

/** An adapter under test over a place of its own. */
export interface JournalHarness {
  open(): Promise<Journal>;
  /** Opens the same place again after `close`; `null` where nothing outlives the object. */
  readonly reopen: (() => Promise<Journal>) | null;
  cleanUp(): Promise<void>;
}

/** What every journal promises, whatever it is kept in. */
export function describeJournal(name: string, makeHarness: () => Promise<JournalHarness>): void {
  describe(`journal contract: ${name}`, () => {
    let harness: JournalHarness;
    let journal: Journal;
    beforeEach(async () => {
      harness = await makeHarness();
      journal = await harness.open();
    });
    afterEach(async () => {
      await journal.close();
      await harness.cleanUp();
    });

    test('a new journal is empty and begins at 1', async () => {
      expect(journal.first()).toBe(1);
      expect(journal.last()).toBe(0);
      expect(await readAll(journal, 1)).toEqual([]);
    });

    test('entries come back in order, as they were appended, from any position', async () => {
      for (let first = 1, count = 1; first < 2000; first += count, count = (count * 7) % 311) {
        await journal.append(as<Seq>(first - 1), batchFrom(first, count));
        expect(journal.last()).toBe(first + count - 1);
      }
      const last = journal.last();
      for (const from of [1, 2, 255, 256, 257, 1000, last, last + 1]) {
        expect(await readAll(journal, from)).toEqual(entriesFrom(from, last - from + 1));
      }
    });

    test('entries of one piece are all valid at once', async () => {
      await journal.append(as<Seq>(0), batchFrom(1, 50));
      for await (const piece of journal.read(as<Seq>(1)))
        expect(piece).toEqual(entriesFrom(piece[0]?.seq ?? 0, piece.length));
    });

    test('an append after another entry than the last is refused and changes nothing', async () => {
      await journal.append(as<Seq>(0), batchFrom(1, 5));
      await expect(journal.append(as<Seq>(4), batchFrom(5, 1))).rejects.toBeInstanceOf(JournalMoved);
      await expect(journal.append(as<Seq>(6), batchFrom(7, 1))).rejects.toBeInstanceOf(JournalMoved);
      expect(journal.last()).toBe(5);
      await journal.append(as<Seq>(5), batchFrom(6, 1));
      expect(await readAll(journal, 1)).toEqual(entriesFrom(1, 6));
    });

    test('a reader sees what was durable when it began, while more is appended', async () => {
      await journal.append(as<Seq>(0), batchFrom(1, 600));
      const seen: number[] = [];
      for await (const piece of journal.read(as<Seq>(1))) {
        seen.push(...piece.map((entry) => entry.seq));
        const last = journal.last();
        await journal.append(last, batchFrom(last + 1, 100));
      }
      expect(seen).toEqual(entriesFrom(1, 600).map((entry) => entry.seq));
    });

    test('released entries are gone from the front, and what is kept is whole', async () => {
      for (let first = 1; first < 500; first += 10) await journal.append(as<Seq>(first - 1), batchFrom(first, 10));
      await journal.release(as<Seq>(250));
      const first = journal.first();
      expect(first).toBeGreaterThan(1);
      expect(first).toBeLessThanOrEqual(251);
      expect(await readAll(journal, first)).toEqual(entriesFrom(first, 500 - first + 1));
      await journal.append(as<Seq>(500), batchFrom(501, 1));
      await journal.release(as<Seq>(3));
      expect(journal.first()).toBe(first);
    });

    test('what was acknowledged is there after closing and opening again', async () => {
      if (harness.reopen === null) return;
      for (let round = 0; round < 4; round += 1) {
        for (let batch = 0; batch < 20; batch += 1) {
          const last = journal.last();
          await journal.append(last, batchFrom(last + 1, 1 + batch));
        }
        await journal.release(as<Seq>(round * 30));
        const { first, last } = { first: journal.first(), last: journal.last() };
        await journal.close();
        journal = await harness.reopen();
        expect([journal.first(), journal.last()]).toEqual([first, last]);
        expect(await readAll(journal, first)).toEqual(entriesFrom(first, last - first + 1));
      }
    });
  });
}

/** What every snapshot store promises. */
export function describeSnapshotStore(name: string, makeStore: () => Promise<SnapshotStore>): void {
  describe(`snapshot store contract: ${name}`, () => {
    test('an empty store has nothing', async () => {
      const store = await makeStore();
      expect(await store.latest()).toBeNull();
      expect(await store.positions()).toEqual([]);
    });

    test('the newest comes back as it was saved, and the two newest are kept', async () => {
      const store = await makeStore();
      for (const at of [10, 700, 9000]) await store.save(snapshotAt(at));
      expect(await store.positions()).toEqual([9000, 700]);
      expect(await store.latest()).toEqual(snapshotAt(9000));
      expect(await store.latest(as<Seq>(9000))).toEqual(snapshotAt(9000));
      expect(await store.latest(as<Seq>(8999))).toEqual(snapshotAt(700));
      expect(await store.latest(as<Seq>(699))).toBeNull();
    });

    test('a position saved twice is kept once', async () => {
      const store = await makeStore();
      for (const at of [5, 6, 6]) await store.save(snapshotAt(at));
      expect(await store.positions()).toEqual([6, 5]);
    });

    test('what is handed out does not change with what is saved later', async () => {
      const store = await makeStore();
      const snapshot = snapshotAt(5);
      await store.save(snapshot);
      snapshot.image.fill(0);
      expect(await store.latest()).toEqual(snapshotAt(5));
    });
  });
}
