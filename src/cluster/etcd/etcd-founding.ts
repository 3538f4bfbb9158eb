import { as } from '#model/units.ts';
import type { Seq } from '#model/units.ts';
import type { Foundation, FoundingRest, LogEnd, LogHead, Revision } from '#cluster/command-log.ts';
import { endOf, type EtcdKeys, txn } from '#cluster/etcd/etcd-keys.ts';
import { encodeApplied, encodeBatchValue, encodeEnd, encodeFoundation, encodeHead } from '#cluster/etcd/kept-values.ts';

/** Asks etcd to do something if something holds. @throws LogUnreachable, LogFull */
type Transact = (transaction: object) => Promise<{ readonly succeeded: boolean }>;

/** What a log begins with. */
interface Founding extends FoundingRest {
  readonly foundation: Foundation;
  readonly head: LogHead;
}

/**
 * As `CommandLog.found`. The batches are put first, and are of no use until the last transaction puts the head: no node
 * follows a log without a foundation, and a term deletes what stands behind its head.
 */
export async function foundLog(keys: EtcdKeys, transact: Transact, founding: Founding): Promise<boolean> {
  const { foundation, head, batches, over } = founding;
  const isVacant =
    over === undefined
      ? [txn.isAbsent(keys.foundation), txn.isAbsent(keys.head)]
      : [txn.isUnchanged(keys.head, over), txn.isAbsent(keys.leader)];
  const attempt = async (...success: readonly object[]): Promise<boolean> =>
    (await transact({ compare: isVacant, success })).succeeded;
  // Left by an attempt that was interrupted, maybe of another node.
  if (over === undefined && !(await attempt(txn.deleteFrom(keys.batches, endOf(keys.batches))))) return false;
  for await (const batch of batches ?? [])
    if (!(await attempt(txn.put(keys.batch(batch.last), encodeBatchValue(batch))))) return false;
  return attempt(
    txn.deleteFrom(keys.batch(as<Seq>(head.last + 1)), endOf(keys.batches)),
    txn.put(keys.foundation, encodeFoundation(foundation)),
    txn.put(keys.head, encodeHead(head)),
    txn.put(keys.applied, encodeApplied(head.last)),
    txn.delete(keys.end),
    txn.delete(keys.handover),
  );
}

/** As `CommandLog.end`. */
export async function endLog(keys: EtcdKeys, transact: Transact, at: Revision, end: LogEnd): Promise<boolean> {
  const { succeeded } = await transact({
    compare: [txn.isUnchanged(keys.head, at), txn.isAbsent(keys.leader)],
    success: [
      ...[keys.foundation, keys.head, keys.applied, keys.handover, keys.stepDown].map(txn.delete),
      ...[keys.batches, keys.nodes].map((prefix) => txn.deleteFrom(prefix, endOf(prefix))),
      txn.put(keys.end, encodeEnd(end)),
    ],
  });
  return succeeded;
}
