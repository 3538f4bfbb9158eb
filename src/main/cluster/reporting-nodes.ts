import { setTimeout } from 'node:timers/promises';
import { stopwatch } from '#base/clock.ts';
import type { CommandLog } from '#cluster/command-log.ts';
import { refused } from '#main/cluster/cluster-command.ts';

/** Nodes report every second: one that was silent for longer than this does not run, or does not reach the quorum. */
const silentSeconds = 2;
/** So long a node that has just ended is waited for. */
const waitMs = 4000;
const pollMs = 200;

/** Whether the node has reported in the last seconds. */
export async function isReporting(log: CommandLog, node: string): Promise<boolean> {
  const silence = await log.silence(node);
  return silence !== null && silence <= silentSeconds;
}

/**
 * Refuses while a node runs: somebody leads, or one has reported in the last seconds, which are waited for.
 * @throws CommandFailed
 */
export async function requireAllStopped(log: CommandLog, exchange: string): Promise<void> {
  const began = stopwatch();
  for (;;) {
    const leader = await log.leader();
    if (leader !== null) throw refused(`stop all nodes of the cluster ${exchange} first: ${leader.node} leads it`);
    const running: string[] = [];
    for (const { node } of await log.nodes()) if (await isReporting(log, node)) running.push(node);
    if (running.length === 0) return;
    if (stopwatch() - began > waitMs)
      throw refused(`stop all nodes of the cluster ${exchange} first: ${running.join(', ')} of it still runs`);
    await setTimeout(pollMs);
  }
}
