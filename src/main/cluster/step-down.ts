import { setTimeout } from 'node:timers/promises';
import { stopwatch } from '#base/clock.ts';
import type { Epoch } from '#model/units.ts';
import { type CommandLog, type Leader, LogUnreachable } from '#cluster/command-log.ts';
import { type ClusterCall, refused, unknownOutcome } from '#main/cluster/cluster-command.ts';

/** A node that reported so many seconds ago at most is alive. */
const aliveSeconds = 2;
/** Nodes report every second: whoever can take over says so within this time. */
const candidateMs = 4000;
/** So long another node may take to lead. */
const takeOverMs = 15_000;
const pollMs = 50;

/**
 * Asks the leader to end its term, and waits until another node leads. The leader takes no more commands, finishes what
 * is on its way and ends its process, which its supervisor starts again. Where no other node could lead at once,
 * nothing is done. DEC-CLU-16.
 */
export async function stepDown({ file: { exchange }, log }: ClusterCall): Promise<string> {
  const leader = await leaderOf(log, exchange);
  await requireCandidate(log, leader);
  try {
    await log.askToStepDown(leader.epoch);
    const next = await nextLeader(log, leader.epoch);
    if (next !== null && next.node !== leader.node)
      return `${leader.node} led the cluster ${exchange} until now; ${next.node} leads it in epoch ${next.epoch}.\n`;
    throw refused(
      next === null
        ? `${leader.node} was asked to step down, and no other node leads after ${takeOverMs / 1000} s`
        : `${leader.node} stepped down, and leads again: no other node took over`,
    );
  } catch (error) {
    if (!(error instanceof LogUnreachable)) throw error;
    throw unknownOutcome(`${leader.node} may have been asked to step down: ${error.message}`);
  }
}

async function leaderOf(log: CommandLog, exchange: string): Promise<Leader> {
  const [at, leader] = await Promise.all([log.head(), log.leader()]);
  if (at === null) throw refused(`the quorum keeps no cluster named ${exchange}`);
  if (leader === null) throw refused(`nobody leads the cluster ${exchange}`);
  return leader;
}

/** Waits until another candidate is alive and has everything that the log had when this began. */
async function requireCandidate(log: CommandLog, leader: Leader): Promise<void> {
  const last = (await log.head())?.head.last ?? 0;
  const began = stopwatch();
  do {
    for (const { node, isCandidate, journaled } of await log.nodes()) {
      if (node === leader.node || !isCandidate || journaled < last) continue;
      const silence = await log.silence(node);
      if (silence !== null && silence <= aliveSeconds) return;
    }
    await setTimeout(pollMs);
  } while (stopwatch() - began < candidateMs);
  throw refused(`no other node could lead now: ${leader.node} goes on`);
}

/** Who leads after the term of this epoch; `null`: nobody else in time. */
async function nextLeader(log: CommandLog, epoch: Epoch): Promise<Leader | null> {
  const began = stopwatch();
  for (;;) {
    const isLate = stopwatch() - began >= takeOverMs;
    try {
      const leader = await log.leader();
      if (leader !== null && leader.epoch !== epoch) return leader;
      if (isLate) return null;
    } catch (error) {
      if (!(error instanceof LogUnreachable) || isLate) throw error;
    }
    await setTimeout(pollMs);
  }
}
