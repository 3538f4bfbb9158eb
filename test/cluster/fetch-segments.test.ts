import { beforeEach, afterEach, describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import { NotGiven, type PieceAsked } from '#cluster/link/file-frames.ts';
import { JournalDiverged } from '#cluster/standby.ts';
import { fetchSegments } from '#main/cluster/fetch-segments.ts';
import { as } from '#model/units.ts';
import { passingOf } from '../ports/log-story.ts';
import { expectEntries, journalDirectory } from '../crash/journal-script.ts';
import { lead, openReplica, usedBytes } from '../crash/replica-journal.ts';
import { MachineCrashed, MemoryDisk } from '../ports/memory-file-operations.ts';
import { FetchHarness, type GivingNode } from './fetch-harness.ts';

/** Batches that fill some segments. */
const sizes = Array.from({ length: 60 }, (_, index) => 1 + ((index * 7) % 11));
/** Calls at which a disk fails, of each kind; `BOURSE_TEST_FETCH_FAULTS` tries more. */
const faults = Number(process.env['BOURSE_TEST_FETCH_FAULTS'] ?? 12);
const empty = (): MemoryDisk => new MemoryDisk(createPrng(3));

let cluster: FetchHarness;
let one: GivingNode;
let two: GivingNode;
beforeEach(async () => {
  cluster = new FetchHarness();
  await cluster.found();
  one = await cluster.node('one');
  two = await cluster.node('two');
  await cluster.write(sizes);
});
afterEach(() => cluster.close());

const goal = () => cluster.batches.at(-6)!.last;
const fetch = (disk: MemoryDisk, upTo = goal()) => fetchSegments(cluster.partsOf(disk), upTo);

/** The journal is that of the others up to where it ends, can be opened, and follows with what the log has. */
async function expectWhole(disk: MemoryDisk, { from = goal() } = {}): Promise<void> {
  const left = disk.paths().filter((path) => path.includes('fetched') || path.endsWith('.tmp'));
  expect(left).toEqual([]);
  const journal = await openReplica(disk);
  expect(journal.last()).toBeGreaterThanOrEqual(from);
  for (const batch of cluster.batches) if (batch.first > journal.last()) await journal.write(batch);
  expect(journal.last()).toBe(cluster.batches.at(-1)!.last);
  await expectEntries(journal, 1, journal.last());
  await journal.whenIdle();
  await journal.close();
  // Retention may have taken some of them from the other node.
  const [found, wanted] = [await usedBytes(disk), await usedBytes(one.disk.afterKill(createPrng(1)))];
  expect(wanted.size).toBeGreaterThan(4);
  for (const [number, bytes] of wanted) expect(found.get(number)).toBe(bytes);
  expect(Math.max(...found.keys())).toBe(Math.max(...wanted.keys()));
}

describe('DEC-CLU-13: a node gets segments of another node', () => {
  test('an empty one gets all of them, compressed ones as they are, and goes on with the log', async () => {
    await cluster.keep(5);
    const disk = empty();
    expect(await fetch(disk)).toBeNull();
    expect(disk.paths().some((path) => path.endsWith('.z'))).toBe(true);
    await expectWhole(disk);
    expect(cluster.told.at(-1)).toBe(`Everything up to entry ${one.journal.last()} was fetched from node one.`);
    expect(cluster.told[0]).toMatch(/^Fetching segment 1 of [0-9]+ from node one: entry 1 and on\.$/);
  });

  test('wherever its journal ends, that stays, and only what follows is fetched', async () => {
    await cluster.keep(5);
    for (const count of [0, 1, 17, 30, 45, 54]) {
      one.asked = [];
      const disk = await cluster.diskWith(count);
      expect(await fetch(disk)).toBeNull();
      const first = cluster.batches[count]!.segment;
      expect(Math.min(...one.asked.map(({ number }) => number))).toBeGreaterThanOrEqual(first - 1);
      await expectWhole(disk);
    }
  });

  test('entries of its own that no quorum had are moved aside', async () => {
    await cluster.keep(5);
    for (const count of [0, 1, 16, 17, 31, 44]) {
      const disk = await cluster.diskWith(count, [13]);
      expect(await fetch(disk)).toBeNull();
      expect(disk.paths().some((path) => path.startsWith('data/quarantine/'))).toBe(true);
      await expectWhole(disk);
    }
  });

  test('entries of the other node that no quorum had are not taken', async () => {
    await cluster.keep(5);
    for (const own of [[3], [3, 60, 70, 80]]) {
      for (const size of own) await lead(one.journal, size);
      await one.journal.whenIdle();
      const disk = empty();
      expect(await fetch(disk)).toBeNull();
      const journal = await openReplica(disk);
      expect(journal.last()).toBe(cluster.batches.at(-1)!.last);
      await journal.close();
      const [mine, its] = [await usedBytes(disk), await usedBytes(two.disk.afterKill(createPrng(1)))];
      expect(mine).toEqual(its);
    }
  });

  test('a leader gives no batch of which the quorum has not decided', async () => {
    one.segments.endHere();
    const last = one.journal.last();
    await lead(one.journal, 60);
    await lead(one.journal, 60);
    expect(one.segments.list().at(-1)!.lastSeq).toBe(last);
    one.segments.endHere();
    expect(one.segments.list().at(-1)!.lastSeq).toBe(last + 120);
  });

  test('bytes that are wrong anywhere are refused by name, and another node is asked', async () => {
    await cluster.keep(5);
    const given = new Map<string, PieceAsked>();
    one.change = (asked, bytes) => {
      given.set(`${asked.number} ${asked.form}`, asked);
      return bytes;
    };
    await fetch(empty());
    expect(given.size).toBeGreaterThan(4);
    const prng = createPrng(11);
    for (const each of [...given.values()].slice(0, faults)) {
      one.change = (piece, bytes) => {
        if (piece.number !== each.number || piece.form !== each.form || bytes.length === 0) return bytes;
        const wrong = Uint8Array.from(bytes);
        wrong[prng.below(wrong.length)]! ^= 1 << prng.below(8);
        return wrong;
      };
      const disk = empty();
      expect(await fetch(disk)).toBeNull();
      expect(cluster.told.at(-1)).toMatch(/fetched from node two/);
      await expectWhole(disk);
    }
    two.change = one.change;
    const failed = await fetch(empty());
    expect(failed).toMatchObject({ isLasting: false });
    expect(failed!.why).toEqual([
      expect.stringMatching(/^one: what it gives is wrong/),
      expect.stringMatching(/^two: /),
    ]);
  });

  test('pieces that are too short are refused', async () => {
    await cluster.keep(5);
    two.before = () => {
      throw new Error('the connection has ended');
    };
    for (const change of [(bytes: Uint8Array) => bytes.subarray(1), () => new Uint8Array(0)]) {
      one.change = (_asked, bytes) => change(bytes);
      const failed = await fetch(empty());
      expect(failed!.why[0]).toMatch(/^one: a piece of segment 1 has [0-9]+ bytes, not [0-9]+/);
    }
  });

  test('one that dies in the middle is followed by another one, and nothing is fetched twice', async () => {
    await cluster.keep(5);
    const middle = cluster.batches[30]!.segment;
    one.before = ({ number }) => {
      if (number === middle) throw new Error('the connection has ended');
    };
    const disk = empty();
    expect(await fetch(disk)).toBeNull();
    expect(two.asked[0]!.number).toBe(middle);
    await expectWhole(disk);
  });

  test('a segment that is compressed meanwhile is fetched in its new form; one that is gone makes another node help', async () => {
    await cluster.keep(5);
    let refused = 0;
    one.before = () => {
      refused += 1;
      if (refused <= 2) throw new NotGiven('gone');
    };
    const disk = empty();
    expect(await fetch(disk)).toBeNull();
    await expectWhole(disk);
    one.before = () => {
      throw new NotGiven('gone');
    };
    expect(await fetch(empty())).toBeNull();
    expect(cluster.told.at(-1)).toMatch(/fetched from node two/);
  });

  test('a log that goes on meanwhile and drops what follows makes it fetch more', async () => {
    await cluster.keep(5);
    const upTo = goal();
    const last = cluster.batches.at(-1)!.segment;
    let isDone = false;
    one.before = async ({ number }) => {
      if (isDone || number < last) return;
      isDone = true;
      await cluster.write([5, 60, 60, 3]);
      await cluster.keep(1);
    };
    const disk = empty();
    expect(await fetch(disk, upTo)).toBeNull();
    expect(isDone).toBe(true);
    await expectWhole(disk, { from: cluster.batches.at(-2)!.last });
  });

  test('a segment that grows while it is fetched is fetched up to where it was listed', async () => {
    await cluster.keep(5);
    const upTo = goal();
    const last = cluster.batches.at(-1)!.segment;
    let written = 0;
    one.before = async ({ number }) => {
      if (number === last && written < 2) written += await cluster.write([1]).then(() => 1);
    };
    const disk = empty();
    expect(await fetch(disk, upTo)).toBeNull();
    expect(written).toBe(2);
    expect(cluster.told.at(-1)).toMatch(/fetched from node one/);
    await expectWhole(disk, { from: upTo });
  });

  test('followers are asked before the leader, and who has most before the others', async () => {
    await cluster.keep(5);
    const { head, at } = (await cluster.log.head())!;
    const leader = { node: 'one', epoch: as<typeof head.epoch>(2), address: 'one', build: 'test' };
    const passing = await passingOf(cluster.log, leader);
    await cluster.log.campaign(at, { ...head, epoch: leader.epoch }, leader, 2, passing);
    expect(await fetch(empty())).toBeNull();
    expect(cluster.told.at(-1)).toMatch(/fetched from node two/);
    expect(one.asked).toEqual([]);
  });

  test('nodes that are busy, behind or without the beginning are named', async () => {
    await cluster.keep(5);
    const disk = empty();
    one.before = () => {
      throw new NotGiven('busy');
    };
    await two.journal.release(as(150));
    expect(two.journal.first()).toBeGreaterThan(1);
    expect(await fetch(disk)).toEqual({
      why: [
        'one: it gives its files to other nodes now',
        `two: its journal begins at entry ${two.journal.first()}, because retention deleted what came before`,
      ],
      isLasting: false,
    });
    await one.journal.release(as(150));
    expect(await fetch(disk)).toMatchObject({ isLasting: true });
    const tooFar = await fetch(await cluster.diskWith(50), as(100_000));
    expect(tooFar!.why[0]).toBe(`one: its journal ends at entry ${one.journal.last()}, too`);
    // A journal that ends where the others still begin gets on.
    one.before = () => {};
    const later = await cluster.diskWith(50);
    expect(await fetch(later)).toBeNull();
    await expectWhole(later);
  });

  test('the journal of another chain is not taken, nor put over', async () => {
    await cluster.keep(5);
    const other = new FetchHarness();
    await other.found();
    const foreign = await other.node('foreign');
    await other.write([9, ...sizes]);
    const disk = empty();
    const parts = cluster.partsOf(disk);
    const failed = await fetchSegments(
      { ...parts, connect: other.partsOf(disk).connect.bind(null, 'foreign') },
      goal(),
    );
    expect(failed!.why).toEqual([1, 2].map(() => expect.stringMatching(/its journal is not that of the cluster/)));
    expect(disk.paths().filter((path) => path.startsWith(`${journalDirectory}/0`))).toEqual([]);
    await foreign.journal.release(as(200));
    const after = foreign.disk.afterKill(createPrng(1));
    await expect(fetch(after)).rejects.toThrow(JournalDiverged);
    expect(await usedBytes(after)).toEqual(await usedBytes(foreign.disk.afterKill(createPrng(1))));
    await other.close();
  });
});

describe('DEC-CLU-13: what goes wrong at the node that fetches', () => {
  /** Disks of which each has another thing to do: nothing there, a short journal, one that went on by itself. */
  const beginnings = [() => Promise.resolve(empty()), () => cluster.diskWith(50), () => cluster.diskWith(48, [13])];

  test.each([0, 1, 2])('a crash at every call leaves a journal that the next fetch completes (%i)', async (kind) => {
    await cluster.keep(5);
    const whole = await beginnings[kind]!();
    await fetch(whole);
    const { calls } = whole;
    expect(calls).toBeGreaterThan(60);
    for (let failing = 1; failing <= calls; failing += Math.max(1, Math.floor(calls / faults))) {
      const disk = await beginnings[kind]!();
      disk.calls = 0;
      disk.plan = ({ index }) => (index === failing ? 'crash' : null);
      const ended = await fetch(disk).catch((error: unknown) => error);
      if (!(ended instanceof MachineCrashed)) expect(ended).toBeNull();
      for (const image of [disk.afterKill(createPrng(failing)), disk.afterPowerLoss(createPrng(failing * 7 + 1))]) {
        const journal = await openReplica(image.afterKill(createPrng(1)));
        await expectEntries(journal, 1, journal.last());
        await journal.close();
        expect(await fetch(image)).toBeNull();
        await expectWhole(image);
      }
    }
  });

  test('a full disk is told, leaves no half file, and the next fetch goes on', async () => {
    await cluster.keep(5);
    const { calls } = await (async () => {
      const whole = empty();
      await fetch(whole);
      return whole;
    })();
    for (let failing = 1; failing <= calls; failing += Math.max(1, Math.floor(calls / faults))) {
      const disk = empty();
      disk.plan = ({ index, name }) => (index >= failing && name === 'write' ? 'ENOSPC' : null);
      const ended = await fetch(disk).catch((error: unknown) => error);
      if (ended !== null) expect(String(ended)).toContain('ENOSPC');
      expect(disk.paths().filter((path) => path.endsWith('.tmp') && !path.endsWith('retained.tmp'))).toEqual([]);
      disk.plan = () => null;
      expect(await fetch(disk)).toBeNull();
      await expectWhole(disk);
    }
  });

  test('one that is stopped ends between two segments', async () => {
    await cluster.keep(5);
    const disk = empty();
    let left = 2;
    const goOn = (): void => {
      left -= 1;
      if (left < 0) throw new Error('stopped');
    };
    await expect(fetchSegments({ ...cluster.partsOf(disk), goOn }, goal())).rejects.toThrow('stopped');
    one.asked = [];
    expect(await fetch(disk)).toBeNull();
    expect(one.asked[0]!.number).toBe(3);
    await expectWhole(disk);
  });
});
