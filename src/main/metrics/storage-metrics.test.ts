import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { as, type Seq } from '#model/units.ts';
import { FileJournal } from '#journal/file-journal.ts';
import { nodeFileOperations } from '#journal/node-file-operations.ts';
import { diskSource } from '#main/metrics/disk-metrics.ts';
import { createJournalCounts, type JournalParts, journalSource } from '#main/metrics/journal-metrics.ts';
import { projectionSource } from '#main/metrics/projection-metrics.ts';
import { layoutOf } from '#main/storage/data-directory.ts';
import { watchDisk } from '#main/storage/disk-watch.ts';
import { SnapshotSchedule } from '#sequencer/snapshot-schedule.ts';
import { batchFrom } from '#test/crash/journal-script.ts';
import { scrapeOf } from '#test/scraped-metrics.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'metrics-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const quiet: JournalParts = {
  counts: createJournalCounts(),
  snapshots: { ageMs: 0, entriesBehind: 0, failures: 0 },
  sequencer: { queued: 0 },
  monitoring: { quarantined: async () => ({ tails: 0, entries: 0 }) },
};

describe('DEC-OPR-286: metrics tell of the journal', () => {
  test('every durable batch is counted, with its entries, bytes and the time of its write', async () => {
    const counts = createJournalCounts();
    const bytes: number[] = [];
    const journal = await FileJournal.open({
      files: nodeFileOperations,
      directory: join(root, 'journal'),
      segmentSize: 1 << 20,
      notice: () => {},
      onDurable: (batch) => {
        expect(batch.seconds).toBeGreaterThan(0);
        bytes.push(batch.bytes);
        counts.add(batch);
      },
    });
    await journal.append(as(0), batchFrom(1, 3));
    await journal.append(as(3), batchFrom(4, 2));
    await journal.close();
    const scrape = await scrapeOf(journalSource({ ...quiet, counts }));
    expect(scrape.value('bourse_journal_batches_total')).toBe(2);
    expect(scrape.value('bourse_journal_entries_total')).toBe(5);
    expect(scrape.value('bourse_journal_bytes_total')).toBe(bytes[0]! + bytes[1]!);
    expect(scrape.value('bourse_journal_sync_seconds_count')).toBe(2);
    expect(scrape.value('bourse_journal_sync_seconds_sum')).toBeGreaterThan(0);
    expect(scrape.value('bourse_journal_sync_seconds_bucket', { le: '+Inf' })).toBe(2);
  });

  test('a write is counted in the first bucket that it does not exceed', async () => {
    const counts = createJournalCounts();
    for (const seconds of [0.0001, 0.00011, 0.3, 60]) counts.add({ entries: 1, bytes: 10, seconds });
    const scrape = await scrapeOf(journalSource({ ...quiet, counts }));
    const upTo = (le: string) => scrape.value('bourse_journal_sync_seconds_bucket', { le });
    expect(['0.0001', '0.0002', '0.25', '1', '5', '+Inf'].map(upTo)).toEqual([1, 2, 2, 3, 3, 4]);
  });

  test('a write that failed is not counted', async () => {
    const counts = createJournalCounts();
    const directory = join(root, 'journal');
    const journal = await FileJournal.open({
      files: {
        ...nodeFileOperations,
        open: async (path, purpose) => {
          const file = await nodeFileOperations.open(path, purpose);
          const fail = async (): Promise<void> => {
            throw new Error('the disk is gone');
          };
          return purpose === 'durable' && path.includes('journal')
            ? { ...file, writeThrough: writeOnce(file, fail) }
            : file;
        },
      },
      directory,
      segmentSize: 1 << 20,
      notice: () => {},
      onDurable: counts.add,
    });
    await expect(journal.append(as(0), batchFrom(1, 3))).rejects.toThrow('the disk is gone');
    expect(counts.read().syncs.count).toBe(0);
    await journal.close();
  });
});

/** The first write goes through: the header of the segment. */
function writeOnce(
  file: { writeThrough(bytes: Uint8Array, position: number): Promise<void> },
  after: () => Promise<void>,
) {
  let writes = 0;
  return (bytes: Uint8Array, position: number): Promise<void> => {
    writes += 1;
    return writes === 1 ? file.writeThrough(bytes, position) : after();
  };
}

describe('DEC-OPR-286: metrics tell of snapshots', () => {
  test('age and entries behind, which are 0 after one; failures are counted', async () => {
    const clock = { time: 5000, now: () => clock.time };
    let last = as<Seq>(10);
    let isFailing = true;
    const snapshots = new SnapshotSchedule(
      {
        clock,
        everyMs: 60_000,
        everyEntries: 100,
        last: () => last,
        projected: async () => last,
        make: async () => {
          if (isFailing) throw new Error('no room');
        },
        release: async () => {},
        onTrouble: () => {},
      },
      as<Seq>(10),
    );
    const told = async (): Promise<(number | null)[]> => {
      const scrape = await scrapeOf(journalSource({ ...quiet, snapshots }));
      return ['snapshot_age_seconds', 'snapshot_entries_behind', 'snapshot_failures_total'].map((name) =>
        scrape.value(`bourse_${name}`),
      );
    };
    clock.time += 30_000;
    expect(await told()).toEqual([0, 0, 0]);
    last = as<Seq>(14);
    expect(await told()).toEqual([30, 4, 0]);
    snapshots.begin();
    await snapshots.whenIdle();
    expect(await told()).toEqual([30, 4, 1]);
    isFailing = false;
    snapshots.begin();
    await snapshots.whenIdle();
    expect(await told()).toEqual([0, 0, 1]);
  });
});

describe('DEC-OPR-286: metrics tell of the disk', () => {
  test('free space, size, and what the exchange has there', async () => {
    const directory = layoutOf(root);
    mkdirSync(join(directory.quarantine, 'one'), { recursive: true });
    writeFileSync(join(directory.quarantine, 'one', 'entries'), Buffer.alloc(100_000, 1));
    writeFileSync(directory.history, Buffer.alloc(50_000, 1));
    writeFileSync(`${directory.history}-wal`, Buffer.alloc(50_000, 1));
    const disk = watchDisk(root, 1, () => {});
    const monotonic = { now: () => 0 };
    const read = () => scrapeOf(diskSource({ directory, monotonic, space: disk.space, reserve: 4096 }));
    expect((await read()).value('bourse_disk_free_bytes')).toBeNull();
    await expect.poll(disk.space, { timeout: 10_000 }).not.toBeNull();
    disk.stop();
    const scrape = await read();
    expect(scrape.value('bourse_disk_size_bytes')).toBeGreaterThan(scrape.value('bourse_disk_free_bytes')!);
    expect(scrape.value('bourse_disk_reserve_bytes')).toBe(4096);
    const sizeOf = (part: string) => scrape.value('bourse_data_bytes', { part });
    expect(sizeOf('quarantine')).toBeGreaterThanOrEqual(100_000);
    expect(sizeOf('history')).toBeGreaterThanOrEqual(100_000);
    expect([sizeOf('journal'), sizeOf('snapshots')]).toEqual([0, 0]);
  });
});

test('DEC-OPR-286: metrics tell how far history and market data are behind', async () => {
  const lag = { rows: 12, rowsMax: 100, entries: 7, lost: false };
  const historyWriter = { lag: () => lag };
  const source = projectionSource({ historyWriter, market: { position: () => as<Seq>(40) }, applied: () => 42 });
  const scrape = await scrapeOf(source);
  expect(scrape.value('bourse_event_lag_entries', { projection: 'history' })).toBe(7);
  expect(scrape.value('bourse_event_lag_entries', { projection: 'marketData' })).toBe(2);
  expect(scrape.value('bourse_history_queued_rows')).toBe(12);
  expect(scrape.value('bourse_history_queued_rows_max')).toBe(100);
  expect(scrape.value('bourse_history_lost')).toBe(0);
  lag.lost = true;
  expect((await scrapeOf(source)).value('bourse_history_lost')).toBe(1);
});
