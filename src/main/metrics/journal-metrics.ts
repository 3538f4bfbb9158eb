import type { DurableBatch } from '#journal/file-journal.ts';
import {
  counter,
  declareMetrics,
  gauge,
  histogram,
  type MetricSource,
  sourceOf,
} from '#main/metrics/declare-metrics.ts';
import type { MonitoringQueries } from '#sequencer/queries/monitoring-queries.ts';
import type { SnapshotSchedule } from '#sequencer/snapshot-schedule.ts';

/** Upper bounds of the buckets of sync times, in seconds: from a fast disk to one that stalls. */
const syncBounds = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5] as const;

/** Metrics of the journal and of the snapshots that shorten a start. */
export const journalMetrics = declareMetrics(
  'Journal and snapshots',
  {},
  {
    bourse_journal_sync_seconds: histogram('Time that the disk took to make a batch of commands durable.'),
    bourse_journal_batches_total: counter('Batches made durable since the process started.'),
    bourse_journal_entries_total: counter('Entries in them: one for each command.'),
    bourse_journal_bytes_total: counter('Bytes of them.'),
    bourse_sequencer_queued_commands: gauge('Commands that wait for their batch.'),
    bourse_snapshot_age_seconds: gauge(
      'Time since the last snapshot, or since the start if none was made since; 0 while no entry came after it.',
    ),
    bourse_snapshot_entries_behind: gauge('Entries after the last snapshot: a start replays them.'),
    bourse_snapshot_failures_total: counter('Snapshots that could not be made since the process started.'),
    bourse_quarantined_tails_total: counter(
      'Times that the tail of the journal was put aside, because of an entry that could not be applied.',
    ),
    bourse_quarantined_entries_total: counter('Entries of the journal that were put aside so.'),
  },
);

/** Counts batches of the journal. */
export interface JournalCounts {
  add(batch: DurableBatch): void;
  read(): {
    readonly entries: number;
    readonly bytes: number;
    readonly syncs: { readonly counts: readonly number[]; readonly count: number; readonly sum: number };
  };
}

/** Counts from nothing. */
export function createJournalCounts(): JournalCounts {
  const counts: number[] = syncBounds.map(() => 0);
  let entries = 0;
  let bytes = 0;
  let count = 0;
  let sum = 0;
  return {
    add: (batch) => {
      const bucket = syncBounds.findIndex((bound) => batch.seconds <= bound);
      if (bucket >= 0) counts[bucket]! += 1;
      count += 1;
      sum += batch.seconds;
      entries += batch.entries;
      bytes += batch.bytes;
    },
    read: () => ({ entries, bytes, syncs: { counts: [...counts], count, sum } }),
  };
}

/** What the metrics of the journal are read from. */
export interface JournalParts {
  readonly counts: JournalCounts;
  readonly snapshots: Pick<SnapshotSchedule, 'ageMs' | 'entriesBehind' | 'failures'>;
  readonly sequencer: { readonly queued: number };
  readonly monitoring: Pick<MonitoringQueries, 'quarantined'>;
}

/** The source of the metrics of the journal. */
export const journalSource = ({ counts, snapshots, sequencer, monitoring }: JournalParts): MetricSource =>
  sourceOf(journalMetrics, async () => {
    const { entries, bytes, syncs } = counts.read();
    const quarantined = await monitoring.quarantined();
    return {
      bourse_journal_sync_seconds: { bounds: syncBounds, ...syncs },
      bourse_journal_batches_total: syncs.count,
      bourse_journal_entries_total: entries,
      bourse_journal_bytes_total: bytes,
      bourse_sequencer_queued_commands: sequencer.queued,
      bourse_snapshot_age_seconds: snapshots.ageMs / 1000,
      bourse_snapshot_entries_behind: snapshots.entriesBehind,
      bourse_snapshot_failures_total: snapshots.failures,
      bourse_quarantined_tails_total: quarantined.tails,
      bourse_quarantined_entries_total: quarantined.entries,
    };
  });
