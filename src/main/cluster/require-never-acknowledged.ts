import type { Epoch } from '#model/units.ts';
import { BehindLog } from '#cluster/standby.ts';
import type { LogComparison } from '#journal/log-comparison.ts';
import { epochAt } from '#main/cluster/journal-end.ts';
import type { Membership } from '#main/storage/membership.ts';

/** What a start knows before it cuts its journal. */
interface BeforeCut {
  /** Directory of the journal. */
  readonly journal: string;
  readonly comparison: Extract<LogComparison, { kind: 'ahead' }>;
  /** The epoch of the log's head. */
  readonly epoch: Epoch;
  readonly membership: Membership | null;
}

/**
 * Entries that only the own journal has were acknowledged by nobody, unless the log is no longer the one that they were
 * meant for: a leader has one batch at most that the quorum has not, and none of a later epoch than the log's. Those of
 * a lone exchange were acknowledged without any quorum. DEC-CLU-06, DEC-CLU-17.
 * @throws BehindLog when they may have been acknowledged
 */
export async function requireNeverAcknowledged({ journal, comparison, epoch, membership }: BeforeCut): Promise<void> {
  const { end, last, next } = comparison;
  if (membership === null || membership.standing === 'left')
    throw new BehindLog(
      `the journal in ${journal} goes on to entry ${end}, where the cluster has other entries after ${last}: it was ` +
        'that of a lone exchange, which acknowledged them. Begin the cluster from it, or put a backup of another ' +
        'node in its place',
    );
  const written = await epochAt(journal, end);
  if (written < epoch || (written === epoch && next.last === end)) return;
  throw new BehindLog(
    `the log of the cluster ends after entry ${last} in epoch ${epoch}, and the journal in ${journal} at entry ` +
      `${end} in epoch ${written}: etcd keeps an older copy, which lacks what was acknowledged. Stop all nodes, and ` +
      'run bourse cluster reconcile on each',
  );
}
