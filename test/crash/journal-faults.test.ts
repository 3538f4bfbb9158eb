import { describe, expect, test } from 'vitest';
import { createPrng } from '#base/prng.ts';
import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { JournalFull, JournalUnavailable } from '#journal/journal.ts';
import { stepOf } from '../every-case.ts';
import type { FileCall, FileFault } from '../ports/memory-file-operations.ts';
import { MachineCrashed, MemoryDisk } from '../ports/memory-file-operations.ts';
import type { Ledger } from './journal-script.ts';
import {
  batchFrom,
  entriesFrom,
  expectNothingLost,
  newLedger,
  openJournal,
  readAll,
  runScript,
} from './journal-script.ts';

/** Rolls several segments, saves snapshots and lets segments go. */
const script = (seed: number, waitIdle: boolean) => ({ batches: 36, batchMax: 8, prng: createPrng(seed), waitIdle });

interface Run {
  readonly disk: MemoryDisk;
  readonly ledger: Ledger;
  readonly failure: unknown;
}

async function runWith(plan: (call: FileCall) => FileFault | null, seed: number, waitIdle: boolean): Promise<Run> {
  const disk = new MemoryDisk(createPrng(seed));
  disk.plan = plan;
  const ledger = newLedger();
  const failure = await runScript(disk, ledger, script(seed, waitIdle)).then(
    () => null,
    (error: unknown) => error,
  );
  // What went on in the background ends before the disk is looked at.
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
  return { disk, ledger, failure };
}

const seedsOf = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const extra = Number(process.env['BOURSE_TEST_POWER_LOSSES'] ?? 0);
const powerLosses = 50 + extra;
/** Possible states of the disk that are tried after a loss of power at each call. */
const imagesOfCall = extra > 0 ? [1, 2] : [1];

describe('crash', () => {
  test('the script without faults rolls, compresses, saves and releases', async () => {
    const { disk, ledger, failure } = await runWith(() => null, 1, true);
    expect(failure).toBeNull();
    expect(ledger).toMatchObject({ acknowledged: ledger.attempted });
    expect(ledger.released).toBeGreaterThan(0);
    expect(disk.paths().some((path) => path.endsWith('.z'))).toBe(true);
    expect(disk.paths().some((path) => path.endsWith('/retained'))).toBe(true);
    expect(disk.paths().filter((path) => path.endsWith('.snapshot')).length).toBe(2);
    await expectNothingLost(disk, ledger);
  });

  test('a crash at every call to the file system loses nothing, by kill and by loss of power', async () => {
    const { disk: whole } = await runWith(() => null, 1, true);
    let crashes = 0;
    for (let failing = 1; failing <= whole.calls; failing += stepOf(3)) {
      const { disk, ledger, failure } = await runWith(({ index }) => (index === failing ? 'crash' : null), 1, true);
      // Calls of the background may come in another order; one that was not reached is one that cannot crash.
      if (failure === null && disk.calls < failing) continue;
      expect(failure, `call ${failing}`).not.toBeNull();
      crashes += 1;
      await expectNothingLost(disk.afterKill(createPrng(failing)), ledger);
      for (const seed of imagesOfCall)
        await expectNothingLost(disk.afterPowerLoss(createPrng(failing * 7 + seed)), ledger);
    }
    expect(crashes).toBeGreaterThan(200 / stepOf(3));
  });

  test(
    'a loss of power at a random call of a random run loses nothing that was acknowledged',
    async () => {
      const calls = (await runWith(() => null, 1, false)).disk.calls;
      let images = 0;
      for (const seed of seedsOf(powerLosses)) {
        const failing = 1 + createPrng(seed).below(calls);
        const { disk, ledger } = await runWith(({ index }) => (index === failing ? 'crash' : null), seed, false);
        for (let image = 0; image < 8; image += 1) {
          await expectNothingLost(disk.afterPowerLoss(createPrng(seed * 1000 + image)), ledger);
          images += 1;
        }
      }
      expect(images).toBe(8 * powerLosses);
    },
    60_000 + powerLosses * 1000,
  );

  test('a crash while recovering from a crash loses nothing either', async () => {
    for (const seed of seedsOf(40)) {
      const first = await runWith(({ index }) => (index === 60 + 2 * seed ? 'crash' : null), seed, true);
      const image = first.disk.afterPowerLoss(createPrng(seed));
      for (let failing = 1; failing < 30; failing += 3) {
        const copy = image.afterKill(createPrng(failing));
        copy.plan = ({ index }) => (index === failing ? 'crash' : null);
        const reopened = await openJournal(copy).catch((error: unknown) => error);
        if (!(reopened instanceof MachineCrashed)) break;
        await expectNothingLost(copy.afterPowerLoss(createPrng(seed + failing)), first.ledger);
      }
    }
  });
});

describe('failing calls', () => {
  test('an I/O error at every call: no acknowledgement after a failed write, and nothing lost', async () => {
    const { disk: whole } = await runWith(() => null, 1, true);
    for (let failing = 1; failing <= whole.calls; failing += stepOf(3)) {
      const { disk, ledger } = await runWith(({ index }) => (index === failing ? 'EIO' : null), 1, true);
      disk.plan = () => null;
      await expectNothingLost(disk.afterKill(createPrng(failing)), ledger);
      await expectNothingLost(disk.afterPowerLoss(createPrng(failing)), ledger);
    }
  });

  test('a failed durable write is never followed by another: the journal stays unavailable', async () => {
    const disk = new MemoryDisk(createPrng(3));
    const journal = await openJournal(disk);
    await journal.append(as<Seq>(0), batchFrom(1, 4));
    await journal.whenIdle();
    disk.plan = ({ name }) => (name === 'writeThrough' ? 'EIO' : null);
    await expect(journal.append(as<Seq>(4), batchFrom(5, 2))).rejects.toBeInstanceOf(JournalUnavailable);
    const calls = disk.calls;
    disk.plan = () => null;
    await expect(journal.append(as<Seq>(4), batchFrom(5, 2))).rejects.toBeInstanceOf(JournalUnavailable);
    expect(disk.calls).toBe(calls);
    expect(journal.last()).toBe(4);
  });

  test('a full disk at every call: the outcome is known, and work goes on where it can', async () => {
    const { disk: whole } = await runWith(() => null, 1, true);
    let survived = 0;
    for (let failing = 1; failing <= whole.calls; failing += stepOf(3)) {
      const { disk, ledger, failure } = await runWith(({ index }) => (index === failing ? 'ENOSPC' : null), 1, true);
      if (failure === null) survived += 1;
      disk.plan = () => null;
      await expectNothingLost(disk.afterKill(createPrng(failing)), ledger);
      await expectNothingLost(disk.afterPowerLoss(createPrng(failing)), ledger);
    }
    expect(survived).toBeGreaterThan(50 / stepOf(3));
  });

  test('with a full disk appends go on into the segments made before, then are refused, then go on again', async () => {
    const disk = new MemoryDisk(createPrng(5));
    const notices: string[] = [];
    const journal = await openJournal(disk, notices);
    await journal.whenIdle();
    const isFull = ({ name, path }: FileCall): boolean =>
      name === 'write' || (name === 'open' && path.endsWith('.tmp'));
    disk.plan = (call) => (isFull(call) ? 'ENOSPC' : null);
    const room = journal.room();
    let taken = 0;
    let refusal: unknown = null;
    while (refusal === null && taken < 1000) {
      const last = journal.last();
      refusal = await journal.append(last, batchFrom(last + 1, 1)).then(
        () => null,
        (error: unknown) => error,
      );
      if (refusal === null) taken += 1;
    }
    expect(refusal).toBeInstanceOf(JournalFull);
    expect(room).toBeGreaterThan(4096);
    expect(journal.room()).toBeLessThan(400);
    expect(journal.last()).toBe(taken);
    await journal.whenIdle();
    expect(notices.some((notice) => notice.includes('ENOSPC'))).toBe(true);
    expect(disk.paths().some((path) => path.endsWith('.tmp'))).toBe(false);
    await expect(journal.append(as<Seq>(taken), batchFrom(taken + 1, 1))).rejects.toBeInstanceOf(JournalFull);
    disk.plan = () => null;
    await journal.append(as<Seq>(taken), batchFrom(taken + 1, 3));
    expect(await readAll(journal, 1)).toEqual(entriesFrom(1, taken + 3));
    await journal.close();
  });

  test('a write without room in the midst of a batch leaves no trace of it', async () => {
    const disk = new MemoryDisk(createPrng(9));
    const journal = await openJournal(disk);
    await journal.append(as<Seq>(0), batchFrom(1, 4));
    let strikes = 1;
    disk.plan = ({ name }) => (name === 'writeThrough' && strikes-- > 0 ? 'ENOSPC' : null);
    await expect(journal.append(as<Seq>(4), batchFrom(5, 9))).rejects.toBeInstanceOf(JournalFull);
    const notices: string[] = [];
    const copy = await openJournal(disk.afterKill(createPrng(1)), notices);
    expect(copy.last()).toBe(4);
    expect(notices).toEqual([]);
    await journal.append(as<Seq>(4), batchFrom(5, 1));
    expect(await readAll(journal, 1)).toEqual(entriesFrom(1, 5));
  });

  test('a batch larger than a segment gets a segment of its own', async () => {
    const disk = new MemoryDisk(createPrng(11));
    const journal = await openJournal(disk);
    await journal.append(as<Seq>(0), batchFrom(1, 1));
    await journal.append(as<Seq>(1), batchFrom(2, 200));
    await journal.append(as<Seq>(201), batchFrom(202, 1));
    await journal.close();
    const again = await openJournal(disk);
    expect(await readAll(again, 1)).toEqual(entriesFrom(1, 202));
    await again.close();
  });
});
