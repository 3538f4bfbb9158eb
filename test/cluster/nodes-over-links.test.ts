import { afterEach, expect, test } from 'vitest';
import { monotonicClock } from '#base/clock.ts';
import { shareLimits } from '#http/limit-counts.ts';
import { WeightBudget } from '#http/weight-budget.ts';
import { ClusterRefused } from '#main/cluster/join-chain.ts';
import { sharedLimits, type SharedLimit, sharedWindowMs } from '#model/shared-limits.ts';
import { foundQuorum, type MemoryNode, startMemoryNode } from '../memory-node.ts';
import type { MemoryQuorum } from '../ports/memory-command-log.ts';

const soon = { timeout: 20_000 };
const clock = { now: () => 1_700_000_000_000 };
const nodes: MemoryNode[] = [];
afterEach(async () => {
  // The one that leads ends last, so that nobody takes over.
  for (const node of nodes.splice(0).reverse()) await node.close();
});

async function begin(): Promise<MemoryQuorum> {
  const quorum = await foundQuorum();
  const leader = await startMemoryNode({ quorum, clock, name: 'leader' });
  nodes.push(leader);
  await leader.led;
  return quorum;
}

test('DEC-CLU-22: a budget that is used at one node is used at all of them', async () => {
  const quorum = await begin();
  for (const name of ['one', 'two']) {
    const node = await startMemoryNode({ quorum, clock, name, mayLead: false });
    nodes.push(node);
    await node.connected();
  }
  const budgets = nodes.map(({ node }) => {
    const counters = Object.fromEntries(
      sharedLimits.map((limit) => [limit, new WeightBudget({ windowMs: sharedWindowMs, limit: 100, bucketsMax: 10 })]),
    ) as Record<SharedLimit, WeightBudget>;
    node.limits.share(shareLimits(counters, monotonicClock));
    return counters.addressWeight;
  });
  const spent = (key: string) => budgets.map((budget) => budget.spent(key, monotonicClock.now())?.used);
  const spend = (node: number, key: string, cost: number) =>
    budgets[node]!.spend(key, cost, monotonicClock.now()).isAllowed;
  expect(spend(1, 'a', 60)).toBe(true);
  await expect.poll(() => spent('a'), soon).toEqual([60, 60, 60]);
  expect([spend(2, 'a', 41), spend(0, 'a', 41), spend(2, 'a', 40)]).toEqual([false, false, true]);
  await expect.poll(() => spent('a'), soon).toEqual([100, 100, 100]);
  expect([0, 1, 2].map((node) => spend(node, 'b', 3))).toEqual([true, true, true]);
  await expect.poll(() => spent('b'), soon).toEqual([9, 9, 9]);
});

test('DEC-CLU-29: of two processes of one name the second is told to end', async () => {
  const quorum = await begin();
  const ends: [string, Error][] = [];
  for (const process of ['first', 'second']) {
    const onEnded = (error: Error): void => void ends.push([process, error]);
    const node = await startMemoryNode({ quorum, clock, name: 'twin', mayLead: false, onEnded });
    nodes.push(node);
    await node.connected();
  }
  await expect.poll(() => ends.length, soon).toBe(1);
  expect(ends[0]![0]).toBe('second');
  expect(ends[0]![1]).toBeInstanceOf(ClusterRefused);
  expect(ends[0]![1].message).toBe(
    'another process runs as node twin of the cluster test: give this one a name of its own in its cluster file',
  );
});
