import type { Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CommandLog } from '#cluster/command-log.ts';

/** Part of the log's space in which old batches stay: a node that was away for a while finds them there. */
const keptShare = 1 / 8;

/**
 * For a leader, again and again: drops what all nodes have, once the log is large. One that takes more than it may, or
 * whose store is full, drops all that is applied: who lacks some fetches segments of another node. Reports are refused
 * too by a full store, so nobody could say what all nodes have.
 */
export async function dropBatches(log: CommandLog, applied: Seq): Promise<void> {
  const { bytes, most, isFull } = await log.size();
  if (bytes > most || isFull) await log.trim(applied);
  else if (bytes > most * keptShare) await dropWhatAllHave(log, applied);
  else await log.trim(as<Seq>(0));
}

/**
 * Drops batches that the leader has applied and every node that reported lately, at least two, has in its own files.
 * For a log that takes nothing more; nobody needs to lead for it.
 */
export async function dropWhatAllHave(log: CommandLog, applied: Seq): Promise<void> {
  const nodes = await log.nodes();
  const everywhere = nodes.length < 2 ? 0 : Math.min(applied, ...nodes.map(({ journaled }) => journaled));
  await log.trim(as<Seq>(everywhere));
}
