import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Prng } from '#base/prng.ts';
import { createPrng } from '#base/prng.ts';
import { ClientOrderId } from '#model/client-order-id.ts';
import type { Command, Entry } from '#model/command.ts';
import type { AccountId, Digest, Lots, OrderNumber, PriceTicks, Seq, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { EntryBatch } from '#journal/entry-batch.ts';
import { FileJournal } from '#journal/file-journal.ts';
import type { FileOperations } from '#journal/file-operations.ts';
import { FileSnapshotStore } from '#journal/file-snapshot-store.ts';
import type { Journal, Snapshot } from '#journal/journal.ts';
import { JournalFull } from '#journal/journal.ts';
import { batchOf } from '../ports/memory-journal.ts';
import type { MemoryDisk } from '../ports/memory-file-operations.ts';

export const journalDirectory = 'data/journal';
export const snapshotDirectory = 'data/snapshots';
/** Small, so that a short script rolls often. */
export const smallSegment = 4096;

function commandOf(prng: Prng, seq: number): Command {
  const account = as<AccountId>(4 + prng.below(1000));
  switch (prng.below(4)) {
    case 0:
      return {
        kind: 'cancelOrder',
        account,
        symbol: as<SymbolId>(prng.below(9)),
        ref: { order: as<OrderNumber>(prng.below(1e9)) },
      };
    case 1:
      return {
        kind: 'createApiKey',
        account,
        accessKey: `key-${seq}`,
        sealedSecret: 'x'.repeat(prng.below(200)),
        note: 'é€',
        permissions: prng.below(1000),
        ips: ['10.0.0.0/8'],
        unboundLifeMs: 1 + prng.below(1e9),
      };
    case 2:
      return { kind: 'assertDigest', at: as<Seq>(seq), digest: as<Digest>(seq.toString(16).padStart(32, '0')) };
    default:
      return {
        kind: 'placeOrder',
        account,
        order: {
          symbol: as<SymbolId>(prng.below(20)),
          side: prng.below(2) === 0 ? 'buy' : 'sell',
          kind: 'limit',
          price: as<PriceTicks>(1 + prng.below(1e9)),
          quantity: as<Lots>(1 + prng.below(1e9)),
          budget: null,
          clientOrderId: prng.below(2) === 0 ? null : ClientOrderId.of(`c-${seq}`),
          stpMode: 'none',
        },
      };
  }
}

/** The entry that any run with any seed puts at `seq`. */
export function entryAt(seq: number): Entry {
  return {
    seq: as<Seq>(seq),
    epoch: as<Entry['epoch']>(seq % 3),
    at: as<TimestampMs>(1_700_000_000_000 + seq * 7),
    command: commandOf(createPrng(seq), seq),
  };
}

export const entriesFrom = (first: number, count: number): readonly Entry[] =>
  Array.from({ length: count }, (_, index) => entryAt(first + index));

export const batchFrom = (first: number, count: number): EntryBatch => batchOf(entriesFrom(first, count));

/** Every entry that the journal holds, copied. */
export async function readAll(journal: Pick<Journal, 'read'>, from: number): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const piece of journal.read(as<Seq>(from))) entries.push(...structuredClone(piece));
  return entries;
}

/** Entries as a journal gives them back, copied; made once each, because they are compared a million times. */
const copies = new Map<number, Entry>();
function copyAt(seq: number): Entry {
  const copy = copies.get(seq) ?? structuredClone(entryAt(seq));
  copies.set(seq, copy);
  return copy;
}

/** Fails unless the journal gives exactly the entries `from` to `last`. `toEqual` is slow, so it only tells how. */
export async function expectEntries(journal: Pick<Journal, 'read'>, from: number, last: number): Promise<void> {
  const entries = await readAll(journal, from);
  const wanted = Array.from({ length: last - from + 1 }, (_, index) => copyAt(from + index));
  if (!isDeepStrictEqual(entries, wanted)) expect(entries).toEqual(wanted);
}

export const snapshotAt = (at: number): Snapshot => ({
  at: as<Seq>(at),
  digest: as<Digest>(at.toString(16).padStart(32, '0')),
  image: new Uint8Array(2000 + (at % 700)).map((_, index) => (index * at) % 251),
});

export const openJournal = (files: FileOperations, notices: string[] = []): Promise<FileJournal> =>
  FileJournal.open({
    files,
    directory: journalDirectory,
    segmentSize: smallSegment,
    notice: (message) => notices.push(message),
    origin: new Uint8Array(32).fill(7),
  });

export const openSnapshots = (files: FileOperations, notices: string[] = []): FileSnapshotStore =>
  new FileSnapshotStore({ files, directory: snapshotDirectory, notice: (message) => notices.push(message) });

/** What a run was told, and what it asked for last. */
export interface Ledger {
  /** Last entry that was acknowledged. */
  acknowledged: number;
  /** Last entry that was sent to disk, whatever came of it. */
  attempted: number;
  /** Last snapshot that was saved, 0 for none. */
  snapshot: number;
  /** The newest entry that retention may have let go. */
  released: number;
}

export const newLedger = (): Ledger => ({ acknowledged: 0, attempted: 0, snapshot: 0, released: 0 });

/**
 * Opens what is there, appends `batches` batches of up to `batchMax` entries, with snapshots and releases between, and
 * closes. Whatever fails comes out as it is, with the ledger true up to there; no room means trying the same again.
 */
export async function runScript(
  files: FileOperations,
  ledger: Ledger,
  script: { readonly batches: number; readonly batchMax: number; readonly prng: Prng; readonly waitIdle: boolean },
): Promise<void> {
  const { prng } = script;
  const journal = await openJournal(files);
  const snapshots = openSnapshots(files);
  ledger.attempted = ledger.acknowledged = journal.last();
  for (let batch = 0; batch < script.batches; batch += 1) {
    const entries = entriesFrom(ledger.acknowledged + 1, 1 + prng.below(script.batchMax));
    ledger.attempted = ledger.acknowledged + entries.length;
    try {
      await journal.append(as<Seq>(ledger.acknowledged), batchOf(entries));
      ledger.acknowledged = ledger.attempted;
    } catch (error) {
      if (!(error instanceof JournalFull)) throw error;
      ledger.attempted = ledger.acknowledged;
    }
    if (script.waitIdle) await journal.whenIdle();
    if (batch % 8 === 5) {
      await snapshots.save(snapshotAt(ledger.acknowledged));
      ledger.snapshot = ledger.acknowledged;
    }
    if (batch % 16 === 13) {
      ledger.released = Math.max(ledger.released, ledger.snapshot);
      await journal.release(as<Seq>(ledger.snapshot));
    }
  }
  await journal.whenIdle();
  await journal.close();
}

/** Opens the disk after a crash and holds it against what was acknowledged; then goes on with it. */
export async function expectNothingLost(disk: MemoryDisk, ledger: Ledger): Promise<void> {
  const journal = await openJournal(disk);
  const last = journal.last();
  expect([ledger.acknowledged, ledger.attempted]).toContain(last);
  expect(journal.first()).toBeLessThanOrEqual(ledger.released + 1);
  const first = journal.first();
  await expectEntries(journal, first, last);
  const snapshot = await openSnapshots(disk).latest();
  if (snapshot === null) expect(ledger.snapshot).toBe(0);
  else {
    expect(snapshot.at).toBeGreaterThanOrEqual(ledger.snapshot);
    if (!isDeepStrictEqual(snapshot, snapshotAt(snapshot.at))) expect(snapshot).toEqual(snapshotAt(snapshot.at));
  }
  await journal.append(last, batchFrom(last + 1, 3));
  await journal.close();
  const again = await openJournal(disk);
  expect(again.last()).toBe(last + 3);
  await expectEntries(again, last + 1, last + 3);
  await again.close();
  expect(disk.paths().filter((path) => path.startsWith(journalDirectory) && path.endsWith('.tmp'))).toEqual([]);
}
