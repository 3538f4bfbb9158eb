import type { Prng } from '#base/prng.ts';
import { accountOf } from './simulated-client.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import { poison } from './simulated-poison.ts';
import type { SimulatedNode } from './simulated-node.ts';

type Fault = (cluster: SimulatedCluster, node: SimulatedNode) => void;

/** Whose orders break engines: nobody else's, for it is closed after three of them. */
const poisoner = accountOf(3);
/** Restarts, freezes and partitions take this long at most, in milliseconds. */
const longMs = 4000;

const someTime = (prng: Prng): number => (prng.below(3) === 0 ? prng.below(longMs) : prng.below(400));

/** What may go wrong, each with its weight. */
const faults: Readonly<Record<string, { readonly weight: number; readonly strike: Fault }>> = {
  kill: { weight: 4, strike: ({ prng }, node) => node.kill(someTime(prng)) },
  powerLoss: { weight: 6, strike: ({ prng }, node) => node.losePower(someTime(prng)) },
  stop: { weight: 2, strike: ({ prng }, node) => void node.stop(someTime(prng)) },
  freeze: {
    weight: 6,
    strike: ({ time, prng }, node) => {
      node.freeze();
      time.setTimer(someTime(prng), () => node.thaw());
    },
  },
  partition: {
    weight: 6,
    strike: ({ time, prng }, node) => {
      node.setReachable(false);
      time.setTimer(someTime(prng), () => node.setReachable(true));
    },
  },
  lostQuorum: {
    weight: 2,
    strike: ({ time, prng, nodes }) => {
      for (const node of nodes) node.setReachable(false);
      time.setTimer(someTime(prng), () => {
        for (const node of nodes) node.setReachable(true);
      });
    },
  },
  lostAnswers: { weight: 5, strike: ({ prng }, node) => node.faults?.loseAnswers(1 + prng.below(3)) },
  lostRequests: { weight: 2, strike: ({ prng }, node) => node.faults?.loseRequests(1 + prng.below(3)) },
  slowWatch: {
    weight: 3,
    strike: ({ time, prng }, node) => {
      node.faults?.delayWatch(prng.below(2000));
      time.setTimer(someTime(prng), () => node.faults?.delayWatch(0));
    },
  },
  brokenWatch: { weight: 2, strike: (_, node) => node.faults?.interruptWatch() },
  fullLog: {
    weight: 3,
    strike: ({ time, prng, quorum }) => {
      quorum.setFull(true);
      time.setTimer(someTime(prng), () => quorum.setFull(false));
    },
  },
  fullAfterLostAnswer: {
    weight: 2,
    strike: ({ time, prng, quorum }, node) => {
      node.faults?.loseAnswers(1);
      time.setTimer(prng.below(60), () => quorum.setFull(true));
      time.setTimer(60 + someTime(prng), () => quorum.setFull(false));
    },
  },
  endedLease: { weight: 3, strike: ({ quorum }) => quorum.expireLeader() },
  fullDisk: {
    weight: 2,
    strike: ({ time, prng }, node) => {
      node.setDiskFault('ENOSPC');
      time.setTimer(someTime(prng), () => node.setDiskFault(null));
    },
  },
  badDisk: {
    weight: 1,
    strike: ({ time, prng }, node) => {
      node.setDiskFault('EIO');
      time.setTimer(prng.below(200), () => node.setDiskFault(null));
    },
  },
  poison: {
    weight: 4,
    strike: ({ nodes, auditor, count }) => {
      const leader = nodes.find(({ isLeading }) => isLeading);
      if (leader === undefined) return;
      count('poisoned');
      leader.submit(poison(poisoner, `poison-${auditor.last}`)).catch(() => {});
    },
  },
  lostDisk: { weight: 2, strike: loseDisk },
  damagedBatch: { weight: 3, strike: damageBatch },
};

/** Replaces a node, if all have what the log has: those that stay can give it. */
function loseDisk({ nodes, prng, last }: SimulatedCluster, node: SimulatedNode): void {
  if (nodes.every(({ position }) => position.journaled === last())) node.loseDisk(someTime(prng));
}

/** Damages the last batch of the log, if all nodes have it: others can get it from them. */
function damageBatch({ nodes, quorum, prng, last }: SimulatedCluster): void {
  const at = last();
  if (!nodes.every(({ position }) => position.journaled === at)) return;
  try {
    if (prng.below(2) === 0) quorum.damageBytes(at as never);
    else quorum.damageBatch(at as never);
  } catch {
    // It was dropped from the log already.
  }
}

const total = Object.values(faults).reduce((sum, { weight }) => sum + weight, 0);

/** Lets something go wrong, more often with the leader than with others. */
export function strike(cluster: SimulatedCluster): void {
  const { prng, nodes, count } = cluster;
  const leader = nodes.find(({ isLeading }) => isLeading);
  const node = leader !== undefined && prng.below(2) === 0 ? leader : nodes[prng.below(nodes.length)]!;
  let roll = prng.below(total);
  for (const [name, fault] of Object.entries(faults)) {
    roll -= fault.weight;
    if (roll >= 0) continue;
    count(name);
    fault.strike(cluster, node);
    return;
  }
}
