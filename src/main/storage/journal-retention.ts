import type { Seq, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Journal, SnapshotStore } from '#journal/journal.ts';

const dayMs = 86_400_000;

/**
 * Deletes entries that neither of the two kept snapshots needs and that are more than `keepDays` older than the last
 * entry; `null` keeps all. With fewer than two snapshots nothing is deleted.
 */
export async function releaseOldEntries(
  journal: Journal,
  snapshots: SnapshotStore,
  keepDays: number | null,
  now: TimestampMs,
): Promise<void> {
  const [, older] = await snapshots.positions();
  if (older === undefined || keepDays === null) return;
  const upTo = keepDays === 0 ? older : Math.min(older, await lastBefore(journal, now - keepDays * dayMs));
  if (upTo >= journal.first()) await journal.release(as<Seq>(upTo));
}

/** Last entry before a time, or the one before the first kept entry. Costs a few short reads. */
async function lastBefore(journal: Journal, moment: number): Promise<number> {
  let low: number = journal.first() - 1;
  let high: number = journal.last();
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((await timeOf(journal, middle)) < moment) low = middle;
    else high = middle - 1;
  }
  return low;
}

async function timeOf(journal: Journal, seq: number): Promise<number> {
  for await (const entries of journal.read(as<Seq>(seq))) {
    if (entries[0] !== undefined) return entries[0].at;
  }
  return 0;
}
