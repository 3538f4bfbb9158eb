import { setTimeout } from 'node:timers/promises';
import { stopwatch } from '#base/clock.ts';
import type { CommandLog } from '#cluster/command-log.ts';
import { refused } from '#main/cluster/cluster-command.ts';

/** Nodes report every second: one that was silent for longer than this does not run, or does not reach the quorum. */
export const silentSeconds = 3;
/** So long a node that has just ended is waited for. */
const waitMs = 6000;
const pollMs = 200;

/** Whether the node has reported in the last seconds. */
export async function isReporting(log: CommandLog, node: string): Promise<boolean> {
  const silence = await log.silence(node);
  return silence !== null && silence <= silentSeconds;
}

/**
 * Refuses while a node runs: nobody leads, and none has reported for some seconds, which are waited for.
 * @throws CommandFailed
 */
export async function requireAllStopped(log: CommandLog, exchange: string): Promise<void> {
  const began = stopwatch();
  for (;;) {
    const leader = await log.leader();
    const running: string[] = [];
    for (const { node } of await log.nodes()) if (await isReporting(log, node)) running.push(node);
    if (leader === null && running.length === 0) return;
    if (stopwatch() - began > waitMs) {
      const who = leader === null ? `${running.join(', ')} of it still runs` : `${leader.node} leads it`;
      throw refused(`stop all nodes of the cluster ${exchange} first: ${who}`);
    }
    await setTimeout(pollMs);
  }
}
