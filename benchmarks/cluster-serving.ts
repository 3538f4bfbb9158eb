import { setTimeout } from 'node:timers/promises';
import type { Epoch, Seq } from '#model/units.ts';
import { as } from '#model/units.ts';
import { createEtcdLog } from '#cluster/etcd/etcd-log.ts';
import { ClusterClient } from '../test/cluster/cluster-client.ts';
import type { BenchCluster, BenchExchange } from './cluster-set-up.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, atMost, compared, interleave, isAsked, median } from './harness.ts';
import { LoadClient, rateOf } from './load.ts';
import { startBaseline } from './baseline.ts';
import { costed, cpuMicroseconds, warmUp } from './processor-time.ts';
import { ordersOfAll, publicRequest, signedRequest } from './signed-requests.ts';

type Report = (line: BenchLine) => void;

const connections = 64;
const durationMsMax = 30_000;
const costName = 'cluster/order-cpu';
const leaseSeconds = 2;

const orderLines = [
  { name: 'cluster/order-64', connections: 64, must: 0.45 },
  { name: 'cluster/order-512', connections: 512, must: 0.55 },
] as const;

/** A group's work with what it needs. */
class Serving {
  private readonly bench: BenchCluster;
  private readonly size: BenchSize;
  private readonly client = new LoadClient();
  private readonly durationMs: number;

  constructor(bench: BenchCluster, size: BenchSize) {
    [this.bench, this.size, this.durationMs] = [bench, size, size.quick ? 1000 : 4000];
  }

  wants(name: string): boolean {
    return isAsked(name, this.size);
  }

  close(): void {
    this.client.stop();
  }

  private async rate({ port }: BenchExchange, requests: readonly string[], lines: number): Promise<number> {
    const { client, durationMs } = this;
    return rateOf(await client.run({ port, requests, connections: lines, durationMs, rate: null }));
  }

  async orders(report: Report): Promise<void> {
    const { bench, size } = this;
    for (const { name, connections: lines, must } of orderLines) {
      if (!this.wants(name)) continue;
      const place = (exchange: BenchExchange) => this.rate(exchange, ordersOfAll(8000, exchange.traders), lines);
      const rates = await interleave(
        { cluster: async () => place(await bench.leader()), single: () => place(bench.single) },
        size.samples,
      );
      const note = `POST /api/v3/order at the leader, ${lines} connections; against one process without a cluster`;
      const line = { name, unit: 'req/s', must: atLeast(must), aim: atLeast(must + 0.15), note };
      report(compared(line, rates.cluster, rates.single));
    }
  }

  /** Processor time of the leader, whatever its followers and etcd use. */
  async costs(report: Report): Promise<void> {
    if (!this.wants(costName)) return;
    const { bench, size, client } = this;
    const first = await bench.leader();
    const secrets = Object.fromEntries(first.traders.map(({ apiKey, secretKey }) => [apiKey, secretKey]));
    const baseline = await startBaseline({ secrets, bodies: [] });
    const load = { connections, durationMs: durationMsMax, answersMax: size.quick ? 6000 : 20_000, rate: null };
    const cost = async ({ port, pid, traders }: BenchExchange): Promise<number> => {
      const requests = ordersOfAll(8000, traders);
      return cpuMicroseconds(await costed(pid, () => client.run({ ...load, port, requests })));
    };
    const ofLeader = async (): Promise<number> => {
      const leader = await bench.leader();
      if (leader.pid !== first.pid) throw new Error('another node leads now');
      return cost(leader);
    };
    const bare = { ...first, ...baseline };
    try {
      for (const { port, traders } of [first, bench.single, bare])
        await warmUp(client, { port, requests: ordersOfAll(8000, traders), connections }, size);
      const costs = await interleave(
        { leader: ofLeader, single: () => cost(bench.single), bare: () => cost(bare) },
        size.samples,
      );
      const note =
        `POST /api/v3/order at the leader, ${connections} connections; processor time of its process, where one ` +
        `without a cluster takes ${median(costs.single).toFixed(0)} µs; against Fastify + HMAC + such an answer`;
      const line = { name: costName, unit: 'µs/req', must: atMost(6), aim: atMost(2), note };
      report(compared(line, costs.leader, costs.bare));
    } finally {
      baseline.stop();
    }
  }

  /** Private reads wait for the quorum's head, at the leader too; public ones do not. */
  async reads(report: Report): Promise<void> {
    const { bench, size } = this;
    const privately = (exchange: BenchExchange) => {
      const call = { method: 'GET', path: '/api/v3/account', query: '' } as const;
      return this.rate(
        exchange,
        exchange.traders.map((trader) => signedRequest(trader, call)),
        connections,
      );
    };
    const publicly = (exchange: BenchExchange) =>
      this.rate(exchange, [publicRequest('/api/v3/depth?symbol=BTCUSDT&limit=100', exchange.traders[0])], connections);
    const [account, depth] = ['GET /api/v3/account', 'GET /api/v3/depth'] as const;
    const kinds = [
      { name: 'cluster/read-index', read: privately, at: 'follower', what: account, must: 0.5, aim: 0.8 },
      { name: 'cluster/read-index-leader', read: privately, at: 'leader', what: account, must: 0.5, aim: 0.8 },
      { name: 'cluster/follower-reads', read: publicly, at: 'follower', what: depth, must: 0.8, aim: 0.95 },
    ] as const;
    for (const { name, read, at, what, must, aim } of kinds) {
      if (!this.wants(name)) continue;
      const rates = await interleave(
        { cluster: async () => read(await bench[at]()), single: () => read(bench.single) },
        size.samples,
      );
      const note = `${what} at a ${at}, ${connections} connections; against one process without a cluster`;
      const line = { name, unit: 'req/s', must: atLeast(must), aim: atLeast(aim), note };
      report(compared(line, rates.cluster, rates.single));
    }
  }

  /** From the death of the leader to the first order that another one acknowledges. */
  async takeover(report: Report): Promise<void> {
    if (!this.wants('cluster/takeover')) return;
    const { cluster, etcd } = this.bench;
    const count = this.size.quick ? 2 : 5;
    const took: number[] = [];
    const leases: number[] = [];
    for (let sample = 0; sample < count; sample += 1) {
      leases.push(await secondsOfLease(etcd.endpoints, sample));
      await cluster.untilTogether();
      took.push(await this.secondsToOrder(sample));
    }
    const note =
      'SIGKILL of the leader to the first order that is acknowledged; against the time until etcd ends a lease of ' +
      `${leaseSeconds} s that nobody prolongs`;
    const line = { name: 'cluster/takeover', unit: 's', must: atMost(1.5), aim: atMost(1.1), note };
    report(compared(line, took, leases));
  }

  private async secondsToOrder(sample: number): Promise<number> {
    const { cluster } = this.bench;
    const leader = await cluster.leading();
    const { traders } = await this.bench.leader();
    // In turns, so that no node's silence counts.
    const client = new ClusterClient(cluster.nodes.map(({ url }) => url));
    cluster.nodes[leader]!.kill();
    const began = performance.now();
    const others = [...cluster.nodes.keys()].filter((index) => index !== leader);
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.0002', price: '59000' };
    const call = { key: traders[0]!, address: traders[0]!.from!, method: 'POST', path: '/api/v3/order' };
    const parameters = { ...order, newClientOrderId: `takeover-${sample}` };
    try {
      for (let turn = 0; ; turn += 1) {
        const attempt = await client.attempt(others[turn % others.length]!, { ...call, parameters });
        if (attempt.kind === 'answered' && attempt.status === 200) return (performance.now() - began) / 1000;
        if (attempt.kind === 'answered') throw new Error(`refused: ${JSON.stringify(attempt.body)}`);
        await setTimeout(5);
      }
    } finally {
      client.close();
    }
  }
}

/** Seconds from the grant of a leader's lease until etcd forgets the leader, who does not prolong it. */
async function secondsOfLease(endpoints: readonly string[], sample: number): Promise<number> {
  const log = createEtcdLog({ exchange: `bench-lease-${sample}`, endpoints });
  try {
    const head = { epoch: as<Epoch>(1), last: as<Seq>(0), hash: new Uint8Array(32) };
    await log.found({ origin: head.hash, profile: 'production', keyFingerprint: '' }, head);
    const { at } = (await log.head())!;
    const term = as<Epoch>(2);
    const leader = { node: 'nobody', epoch: term, address: '', build: '' };
    const handover = { term, build: '', since: as<Seq>(0), broken: [] };
    const began = performance.now();
    await log.campaign(at, { ...head, epoch: term }, leader, leaseSeconds, { handover, after: null, shortened: null });
    while ((await log.leader()) !== null) await setTimeout(5);
    return (performance.now() - began) / 1000;
  } finally {
    await log.close();
  }
}

async function run(size: BenchSize, report: Report): Promise<void> {
  // Not before it is run: it looks for etcd, and says so when there is none.
  const { hasEtcd } = await import('../test/cluster/etcd-members.ts');
  if (!hasEtcd) return;
  const { startBenchCluster } = await import('./cluster-set-up.ts');
  const bench = await startBenchCluster();
  const serving = new Serving(bench, size);
  try {
    await serving.costs(report);
    await serving.orders(report);
    await serving.reads(report);
    await serving.takeover(report);
  } finally {
    serving.close();
    await bench.stop();
  }
}

/** What several machines cost, and what they give. */
export const group: BenchGroup = {
  names: [
    costName,
    ...orderLines.map(({ name }) => name),
    ...['cluster/read-index', 'cluster/read-index-leader', 'cluster/follower-reads', 'cluster/takeover'],
  ],
  run,
};
