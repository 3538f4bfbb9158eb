import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createPrng, type Prng } from '#base/prng.ts';
import { ClusterClient } from './cluster-client.ts';
import { ClusterLoad } from './cluster-load.ts';
import { ClusterProcesses } from './cluster-processes.ts';
import { type FaultKind, faultKinds, type FaultResult } from './drill-table.ts';
import type { EtcdMembers } from './etcd-members.ts';
import { pair, type Trader } from './exchange-set-up.ts';
import { differences, faultsOfOrders, readJournal } from './journal-audit.ts';

/** How often each fault happens. */
export type Faults = Readonly<Partial<Record<FaultKind, number>>>;

/** What a drill is made with. */
export interface DrillOptions {
  readonly faults: Faults;
  /** The order of the faults, their moments and the orders come from it. */
  readonly seed: number;
  readonly etcd: EtcdMembers;
  /** An empty folder; it is deleted when nothing was wrong. */
  readonly folder: string;
  readonly firstPort: number;
  /** Connections, and as many accounts. */
  readonly lanes: number;
  /** Told what happens. */
  readonly tell: (line: string) => void;
}

/** What a drill came to. */
export interface DrillReport {
  readonly results: readonly FaultResult[];
  readonly acknowledged: number;
  /** Orders that were answered after an attempt of which nobody knew the outcome. */
  readonly repeated: number;
  readonly faults: readonly string[];
}

/** Within this time orders have to be acknowledged again; the promise is shorter, and the gap is measured. */
const backMs = 30_000;
/** From the loss of the quorum until new orders are refused for sure. */
const lostMs = 2500;
const shownFaults = 20;

/** Kills and freezes a cluster under load at random, and holds what its customers were told against its journals. */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const { seed, etcd, folder, firstPort, lanes } = options;
  const cluster = new ClusterProcesses({
    ...{ exchange: 'drill', folder, firstPort, endpoints: etcd.endpoints },
    ...{ masterKey: 'ab'.repeat(32), operatorToken: 'cd'.repeat(32) },
  });
  const client = new ClusterClient(cluster.nodes.map(({ url }) => url));
  try {
    const traders = await cluster.found(Array.from({ length: lanes }, (_, lane) => `trader ${lane}`));
    cluster.start();
    await cluster.leading();
    await cluster.untilTogether();
    const report = await new Drill(options, cluster, client, traders, createPrng(seed)).run();
    if (report.faults.length === 0) rmSync(folder, { recursive: true, force: true });
    return report;
  } finally {
    client.close();
    await cluster.close();
  }
}

interface Happened {
  readonly kind: FaultKind;
  readonly gapMs: number;
}

class Drill {
  private readonly options: DrillOptions;
  private readonly cluster: ClusterProcesses;
  private readonly client: ClusterClient;
  private readonly prober: Trader;
  private readonly prng: Prng;
  private readonly load: ClusterLoad;
  private readonly faults: string[] = [];
  private readonly happened: Happened[] = [];
  /** Client ids of orders that were refused while the quorum was lost. */
  private readonly refused: string[] = [];
  private probes = 0;

  constructor(
    options: DrillOptions,
    cluster: ClusterProcesses,
    client: ClusterClient,
    traders: readonly Trader[],
    prng: Prng,
  ) {
    [this.options, this.cluster, this.client, this.prng] = [options, cluster, client, prng];
    // One of them trades only when the drill wants to know.
    const [prober, ...others] = traders;
    this.prober = prober!;
    this.load = new ClusterLoad(client, others, options.seed);
  }

  async run(): Promise<DrillReport> {
    const { load, cluster, options } = this;
    const plan = this.plan();
    if (!(await load.untilAcknowledged(backMs))) throw new Error('nothing was acknowledged at the start');
    for (const [index, kind] of plan.entries()) {
      await setTimeout(500 + this.prng.below(1500));
      await this.happen(kind, `${String(index + 1).padStart(3)}/${plan.length}`);
    }
    await setTimeout(1000);
    await load.stop(backMs);
    await cluster.untilTogether();
    await this.compareAnswers();
    options.tell('All faults are over and all nodes are together: stopping, and reading the journals.');
    const codes = await cluster.stop();
    if (codes.some((code) => code !== 0)) this.faults.push(`SIGTERM ended the nodes with ${codes.join(', ')}`);
    return this.audit();
  }

  /** All faults in a random order. */
  private plan(): readonly FaultKind[] {
    const all = faultKinds.flatMap((kind) => Array.from({ length: this.options.faults[kind] ?? 0 }, () => kind));
    for (let left = all.length - 1; left > 0; left -= 1) {
      const other = this.prng.below(left + 1);
      [all[left], all[other]] = [all[other]!, all[left]!];
    }
    return all;
  }

  private async happen(kind: FaultKind, place: string): Promise<void> {
    const { load, cluster } = this;
    const before = await cluster.leading();
    load.phase += 1;
    load.measureGap();
    const gapMs = await this.strike(kind, before);
    this.happened.push({ kind, gapMs });
    const after = await cluster.leading();
    await cluster.untilTogether().catch((error: unknown) => {
      this.faults.push(`${place} ${kind}: ${(error as Error).message}`);
    });
    const names = `${cluster.nodes[before]!.name} → ${cluster.nodes[after]!.name}`;
    const gap = `${(gapMs / 1000).toFixed(2)} s`;
    this.options.tell(`${place}  ${kind.padEnd(14)}  ${names}  gap ${gap}  ${load.acknowledged.length} acknowledged`);
    if (load.faults.length > 0) throw new Error(`wrong answers: ${load.faults.slice(0, shownFaults).join('; ')}`);
  }

  /** Answers the longest time without an acknowledged order. */
  private async strike(kind: FaultKind, leader: number): Promise<number> {
    const { nodes } = this.cluster;
    const member = this.options.etcd.members[leader]!;
    switch (kind) {
      case 'kill':
        nodes[leader]!.kill();
        return this.untilBack();
      case 'killWithMember': {
        nodes[leader]!.kill();
        await member.kill();
        const gap = await this.untilBack();
        member.start();
        return gap;
      }
      case 'freeze': {
        nodes[leader]!.freeze();
        await setTimeout(3500 + this.prng.below(1000));
        nodes[leader]!.thaw();
        return this.untilBack();
      }
      case 'quorumLoss':
        return this.loseQuorum();
      case 'restartAll':
        for (const node of nodes) node.kill();
        return this.untilBack();
    }
  }

  /** Waits until orders are acknowledged again, and a while, so that a second gap would be seen. */
  private async untilBack(): Promise<number> {
    // What was answered before the fault may come still.
    await setTimeout(300);
    if (!(await this.load.untilAcknowledged(backMs))) throw new Error(`no order was acknowledged for ${backMs} ms`);
    await setTimeout(700);
    return this.load.gapMs;
  }

  /** Two members die, and later the other: nothing is acknowledged meanwhile, and new orders are refused. */
  private async loseQuorum(): Promise<number> {
    const { load } = this;
    const { members } = this.options.etcd;
    const spared = this.prng.below(members.length);
    const [one, other] = members.filter((_, index) => index !== spared);
    await Promise.all([one!.kill(), other!.kill()]);
    // A transaction that etcd agreed on before is answered still.
    await setTimeout(300);
    const { length } = load.acknowledged;
    await setTimeout(lostMs);
    await this.probe();
    await setTimeout(this.prng.below(3000));
    if (load.acknowledged.length > length)
      this.faults.push(`${load.acknowledged.length - length} orders were acknowledged without a quorum`);
    one!.start();
    load.restartGap();
    const gap = await this.untilBack();
    other!.start();
    return gap;
  }

  /** A new order to each node: none may take it, and one that listens refuses it for sure. */
  private async probe(): Promise<void> {
    let refusals = 0;
    for (const node of this.cluster.nodes.keys()) {
      const newClientOrderId = `probe-${this.probes}`;
      this.probes += 1;
      const attempt = await this.client.attempt(node, {
        ...{ key: this.prober, address: '10.1.0.1', method: 'POST', path: '/api/v3/order' },
        parameters: {
          symbol: pair.symbol,
          side: 'BUY',
          type: 'LIMIT',
          quantity: '0.05',
          price: '96',
          newClientOrderId,
        },
      });
      if (attempt.kind === 'notHere') this.refused.push(newClientOrderId);
      if (attempt.kind === 'notHere' && attempt.status === 503) refusals += 1;
      if (attempt.kind === 'answered') this.faults.push(`${newClientOrderId} was answered without a quorum`);
    }
    if (refusals === 0) this.faults.push('no node answered 503 to a new order without a quorum');
  }

  /** Some of the acknowledged orders, as the API shows them now. */
  private async compareAnswers(): Promise<void> {
    const { acknowledged, traders } = this.load;
    const count = Math.min(200, acknowledged.length);
    for (let asked = 0; asked < count; asked += 1) {
      const { clientOrderId, orderId, lane } = acknowledged[this.prng.below(acknowledged.length)]!;
      const call = { key: traders[lane]!, address: `10.2.0.${asked}`, method: 'GET', path: '/api/v3/order' };
      const parameters = { symbol: pair.symbol, orderId };
      const decided = await this.client.settle({ ...call, parameters }, () => false);
      const shown = decided!.body as { readonly clientOrderId?: string; readonly orderId?: string };
      if (shown.clientOrderId !== clientOrderId || shown.orderId !== orderId)
        this.faults.push(`${clientOrderId} was answered ${orderId}, and is shown as ${JSON.stringify(shown)}`);
    }
  }

  private async audit(): Promise<DrillReport> {
    const { cluster, load, faults } = this;
    const journals = [];
    for (const index of cluster.nodes.keys()) {
      journals.push(await readJournal(cluster.dataOf(index)));
      const { code, text } = await cluster.verify(index);
      if (code !== 0 || !text.includes('All sound.')) faults.push(`bourse verify of node ${index + 1}: ${text}`);
    }
    faults.push(...differences(journals));
    const told = { ...load, refused: [...load.refused, ...this.refused] };
    const found = journals.map((journal) => faultsOfOrders(told, journal));
    for (const { texts } of found) faults.push(...texts.slice(0, shownFaults));
    const worst = (of: 'lost' | 'double', phase: number): number =>
      Math.max(...found.map((each) => each[of].filter((at) => at === phase).length));
    const acknowledged = new Map<number, number>();
    for (const { phase } of load.acknowledged) acknowledged.set(phase, (acknowledged.get(phase) ?? 0) + 1);
    const results = this.happened.map((each, index) => ({
      ...each,
      acknowledged: acknowledged.get(index + 1) ?? 0,
      lost: worst('lost', index + 1),
      double: worst('double', index + 1),
    }));
    return { results, acknowledged: load.acknowledged.length, repeated: load.repeated, faults };
  }
}
