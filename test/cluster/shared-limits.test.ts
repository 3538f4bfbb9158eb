import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '#base/bytes.ts';
import { ClusterLimits, type CountingNode } from '#cluster/limits/cluster-limits.ts';
import { writeCounts } from '#cluster/limits/count-codec.ts';
import { shareLimits } from '#http/limit-counts.ts';
import { WeightBudget } from '#http/weight-budget.ts';
import { sharedLimits, type SharedLimit } from '#model/shared-limits.ts';

const windowMs = 10_000;
const limit = 100;
const stepMs = 20;
/** As long as it takes until the last node knows, with a step for each way. */
const exchangeMs = 200;

interface SimulatedNode {
  readonly limits: ClusterLimits;
  readonly budget: WeightBudget;
  readonly tick: () => void;
  /** Its connection to the leader, which is the first node. */
  toLeader: CountingNode | null;
}

/** Nodes that count together, in steps of virtual time; each message arrives a step after it was sent. */
class SimulatedCluster {
  now = 0;
  readonly nodes: readonly SimulatedNode[];
  private arriving: (() => void)[] = [];

  constructor(count: number) {
    this.nodes = Array.from({ length: count }, () => this.makeNode());
    this.nodes[0]!.limits.lead();
    for (const node of this.nodes.slice(1)) this.connect(node);
  }

  connect(node: SimulatedNode): void {
    node.toLeader = this.nodes[0]!.limits.enter((_kind, _ref, content) => {
      this.send(content!, (reader) => node.limits.heard(reader));
      return 0;
    });
  }

  disconnect(node: SimulatedNode): void {
    node.toLeader?.leave();
    node.toLeader = null;
  }

  pass(ms: number): void {
    for (const end = this.now + ms; this.now < end; ) {
      this.now += stepMs;
      for (const arrive of this.arriving.splice(0)) arrive();
      for (const { tick } of this.nodes) tick();
    }
  }

  private makeNode(): SimulatedNode {
    const budgets = Object.fromEntries(
      sharedLimits.map((each) => [each, new WeightBudget({ windowMs, limit, bucketsMax: 1000 })]),
    ) as Record<SharedLimit, WeightBudget>;
    let tick: () => unknown = () => {};
    const clock = { now: () => this.now };
    const isConnected = (): boolean => node.toLeader !== null;
    const link = {
      get isConnected() {
        return isConnected();
      },
      tellCounts: (counts: Parameters<typeof writeCounts>[1]) => {
        const { toLeader } = node;
        this.send(
          (writer) => writeCounts(writer, counts),
          (reader) => toLeader?.receive(reader),
        );
      },
    };
    const limits = new ClusterLimits(link, clock);
    limits.share(shareLimits(budgets, clock));
    limits.start((_everyMs, run) => {
      tick = run;
      return () => {};
    });
    const node: SimulatedNode = { limits, budget: budgets.addressWeight, toLeader: null, tick: () => void tick() };
    return node;
  }

  private send(write: (writer: ByteWriter) => void, arrive: (reader: ByteReader) => void): void {
    const writer = new ByteWriter();
    write(writer);
    const bytes = writer.take();
    this.arriving.push(() => arrive(new ByteReader(bytes)));
  }
}

describe('DEC-CLU-22: nodes of a cluster count together', () => {
  test('a client that goes from node to node has one budget, and a new one at all of them after the window', () => {
    const cluster = new SimulatedCluster(3);
    const all = (): number => {
      let allowed = 0;
      for (let request = 0; request < 90; request += 1) {
        const { budget } = cluster.nodes[request % 3]!;
        if (budget.spend('a', 5, cluster.now).isAllowed) allowed += 5;
        cluster.pass(100);
      }
      return allowed;
    };
    const first = all();
    expect(first).toBeGreaterThanOrEqual(limit);
    expect(first).toBeLessThanOrEqual(limit + 10);
    cluster.pass(1000);
    const next = all();
    expect(next).toBeGreaterThanOrEqual(limit);
    expect(next).toBeLessThanOrEqual(limit + 10);
  });

  test('a node without a leader counts alone, and tells of its open windows when one is there', () => {
    const cluster = new SimulatedCluster(3);
    const [leader, one, other] = cluster.nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
    cluster.disconnect(one);
    one.budget.spend('old', 60, cluster.now);
    cluster.pass(9000);
    one.budget.spend('a', 60, cluster.now);
    other.budget.spend('a', 70, cluster.now);
    cluster.pass(2000);
    expect(one.budget.spent('a', cluster.now)?.used).toBe(60);
    expect(leader.budget.spent('a', cluster.now)?.used).toBe(70);
    cluster.connect(one);
    cluster.pass(exchangeMs);
    expect([leader, other].map(({ budget }) => budget.spent('a', cluster.now)?.used)).toEqual([130, 130]);
    expect(leader.budget.spent('old', cluster.now)).toBeNull();
    // What others told while it was away, it does not learn.
    expect(one.budget.spent('a', cluster.now)?.used).toBe(60);
  });

  test('against a sum of everything: each node knows what was spent before the last exchange, and nothing else', () => {
    const step = fc.record({
      node: fc.nat(3),
      key: fc.constantFrom('a', 'b'),
      cost: fc.integer({ min: 1, max: 40 }),
      waitMs: fc.oneof({ weight: 5, arbitrary: fc.nat(400) }, { weight: 1, arbitrary: fc.nat(15_000) }),
    });
    const run = fc.property(fc.array(step, { minLength: 1, maxLength: 80 }), (steps) => {
      const cluster = new SimulatedCluster(4);
      const spent: { readonly key: string; readonly cost: number; readonly at: number }[] = [];
      for (const { node, key, cost, waitMs } of steps) {
        cluster.pass(Math.ceil(waitMs / stepMs) * stepMs);
        const { now } = cluster;
        const { isAllowed, remainingMs } = cluster.nodes[node]!.budget.spend(key, cost, now);
        const since = now + remainingMs - windowMs;
        const sum = (from: number, to: number): number =>
          spent.filter((each) => each.key === key && each.at >= from && each.at <= to).reduce((a, b) => a + b.cost, 0);
        if (isAllowed) {
          expect(sum(since + exchangeMs, now - exchangeMs) + cost).toBeLessThanOrEqual(limit);
          spent.push({ key, cost, at: now });
        } else expect(sum(since - exchangeMs, now) + cost).toBeGreaterThan(limit);
      }
    });
    fc.assert(run, { numRuns: 300 });
  });
});
