import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createPrng, type Prng } from '#base/prng.ts';
import { startTamperingNode, type TamperingNode } from '../evm/tampering-node.ts';
import { ClusterProcesses } from './cluster-processes.ts';
import type { EtcdMembers } from './etcd-members.ts';
import { operatorAt } from './exchange-set-up.ts';
import { differences, readJournal } from './journal-audit.ts';
import { custodyFileIn, foundOnChain, startTestChain } from './on-chain-exchange.ts';
import { auditWithdrawals, mineUntil, type WithdrawalResults } from './withdrawal-audit.ts';
import { WithdrawalLoad } from './withdrawal-load.ts';

/**
 * When the leader is struck: before a payment that it sends reaches the chain, right after; after the last question
 * that it asks before it signs; when it hears of what is in a block; right after a withdrawal was acknowledged; at
 * random. `asleep…`: it is stopped for longer than its lease, goes on, and finds that it leads no more.
 */
export const strikeMoments = [
  'beforeSending',
  'afterSending',
  'signing',
  'random',
  'acknowledged',
  'beforeSending',
  'receipt',
  'asleepSigning',
  'afterSending',
  'random',
  'signing',
  'asleepSending',
] as const;
export type StrikeMoment = (typeof strikeMoments)[number];

/** Moments in turn until the leader is killed so often; those at which it only sleeps come besides. */
export function momentsOf(kills: number): readonly StrikeMoment[] {
  const moments: StrikeMoment[] = [];
  for (let left = kills; left > 0; ) {
    const moment = strikeMoments[moments.length % strikeMoments.length]!;
    moments.push(moment);
    if (!moment.startsWith('asleep')) left -= 1;
  }
  return moments;
}

/** What it is run with. */
export interface WithdrawalKillOptions {
  readonly moments: readonly StrikeMoment[];
  readonly etcd: EtcdMembers;
  /** An empty folder; it is deleted when nothing was wrong. */
  readonly folder: string;
  readonly firstPort: number;
  readonly customers: number;
  readonly seed: number;
  /** Told what happens. */
  readonly tell: (line: string) => void;
}

export interface WithdrawalKillReport extends WithdrawalResults {
  readonly acknowledged: number;
  /** Processes of nodes that were killed. */
  readonly kills: number;
  /** What `bourse reconcile` printed. */
  readonly reconciled: string;
}

const operatorToken = 'cd'.repeat(32);
const blockMs = 150;
const patienceMs = 45_000;
const asleepMs = 3500;
/** What reaches a leader before it is struck, by moment: the question that it asks of the chain. */
const questions: Partial<Record<StrikeMoment, string>> = {
  afterSending: 'eth_sendRawTransaction',
  asleepSending: 'eth_sendRawTransaction',
  signing: 'eth_estimateGas',
  asleepSigning: 'eth_estimateGas',
  receipt: 'eth_getTransactionReceipt',
};

/**
 * Kills leaders of a cluster while it takes deposits and pays withdrawals on a chain, lets everything end, and holds
 * the blocks of the chain against what customers were told.
 */
export async function runWithdrawalKills(options: WithdrawalKillOptions): Promise<WithdrawalKillReport> {
  const { etcd, folder, firstPort, customers, seed } = options;
  const chain = await startTestChain();
  const node = await startTamperingNode(chain.anvil.url);
  const cluster = new ClusterProcesses({
    ...{ exchange: 'pays', folder, firstPort, endpoints: etcd.endpoints, masterKey: 'ab'.repeat(32), operatorToken },
    startArguments: ['--custody-file', custodyFileIn(folder), '--settle-every-ms', '100'],
  });
  let load: WithdrawalLoad | null = null;
  let isOver = false;
  let mining: Promise<void> = Promise.resolve();
  try {
    const made = await foundOnChain({ cluster, chain, rpcUrl: node.url, folder, operatorToken, customers });
    cluster.start();
    await cluster.leading();
    await cluster.untilServing();
    const urls = cluster.nodes.map(({ url }) => url);
    load = await WithdrawalLoad.open(urls, made.customers, chain, seed);
    mining = mineUntil(chain.anvil, () => isOver, blockMs);
    const rounds = new WithdrawalKills(options, cluster, node, load);
    load.start();
    await rounds.run();
    const results = await auditWithdrawals(load, chain, made.hotWallet);
    const report = await rounds.report(results);
    if (report.faults.length === 0) rmSync(folder, { recursive: true, force: true });
    return report;
  } finally {
    isOver = true;
    await mining.catch(() => {});
    load?.close();
    await cluster.close();
    await node.stop();
    await chain.anvil.stop();
  }
}

class WithdrawalKills {
  private readonly options: WithdrawalKillOptions;
  private readonly cluster: ClusterProcesses;
  private readonly node: TamperingNode;
  private readonly load: WithdrawalLoad;
  private readonly prng: Prng;
  private readonly faults: string[] = [];

  constructor(options: WithdrawalKillOptions, cluster: ClusterProcesses, node: TamperingNode, load: WithdrawalLoad) {
    [this.options, this.cluster, this.node, this.load] = [options, cluster, node, load];
    this.prng = createPrng(options.seed + 1);
  }

  /** Strikes at every moment, then lets all withdrawals and deposits end. */
  async run(): Promise<void> {
    const { load, cluster, options } = this;
    const { moments } = options;
    for (const [index, moment] of moments.entries()) {
      await this.until('a withdrawal is acknowledged', this.acknowledgedMore());
      await setTimeout(200 + this.prng.below(800));
      const leader = await cluster.leading();
      await this.strikeAt(moment, leader);
      const began = performance.now();
      // What was answered before may come still.
      await setTimeout(300);
      await this.until('a withdrawal is acknowledged again', this.acknowledgedMore());
      const gap = `${((performance.now() - began) / 1000).toFixed(2)} s`;
      const place = `${String(index + 1).padStart(3)}/${moments.length}`;
      options.tell(`${place}  ${moment.padEnd(14)}  ${cluster.nodes[leader]!.name}  back after ${gap}`);
    }
    await load.stop(patienceMs);
    await this.until('every payment has ended', () => this.hasEnded(), 250);
    await cluster.untilTogether();
  }

  /** Resolves once the node that leads was struck at this moment. */
  private async strikeAt(moment: StrikeMoment, leader: number): Promise<void> {
    const { node, load, cluster } = this;
    const struck = cluster.nodes[leader]!;
    let isDone = false;
    const strike = (): void => {
      if (isDone) return;
      isDone = true;
      if (moment.startsWith('asleep')) {
        struck.freeze();
        void setTimeout(asleepMs).then(() => struck.thaw());
      } else struck.kill();
    };
    const question = questions[moment];
    if (moment === 'random') strike();
    else if (moment === 'acknowledged') {
      await this.until('a withdrawal is acknowledged', this.acknowledgedMore(), 1);
      strike();
    } else if (question === undefined) {
      const keeps = (calls: readonly { readonly method: string }[]): boolean => {
        const isSending = calls.some(({ method }) => method === 'eth_sendRawTransaction');
        if (isSending) strike();
        return isSending;
      };
      node.behaviour = { keeps };
    } else {
      node.behaviour = {
        tamper: (result, { method }) => {
          if (method === question) strike();
          return result;
        },
      };
    }
    await this.until(`the leader is struck, ${moment}`, () => isDone, 1);
    node.behaviour = {};
    if (load.faults.length > 0) throw new Error(`wrong answers: ${load.faults.slice(0, 20).join('; ')}`);
  }

  private acknowledgedMore(): () => boolean {
    const { acknowledged } = this.load;
    return () => this.load.acknowledged > acknowledged;
  }

  private async until(what: string, isSo: () => boolean | Promise<boolean>, everyMs = 20): Promise<void> {
    const end = performance.now() + patienceMs;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`not within ${patienceMs} ms: ${what}`);
      await setTimeout(everyMs);
    }
  }

  /** Whether nothing is on its way any more, in either direction. */
  private async hasEnded(): Promise<boolean> {
    const { load } = this;
    for (const lane of load.lanes.keys()) {
      const withdrawn = await load.ask<{ status: number }[]>(lane, '/api/v3/capital/withdraw/history');
      const came = await load.ask<{ status: number }[]>(lane, '/api/v3/capital/deposit/hisrec');
      const paid = load.paid.filter((each) => each.lane === lane);
      if (withdrawn.some(({ status }) => status < 7 || status > 9)) return false;
      if (came.length < paid.length || came.some(({ status }) => status !== 5)) return false;
    }
    return true;
  }

  /** What the exchange says of itself, then its journals. Stops it. */
  async report(results: WithdrawalResults): Promise<WithdrawalKillReport> {
    const { cluster, load, faults } = this;
    const kills = cluster.nodes.flatMap(({ ends }) => ends).filter((end) => end === 'SIGKILL').length;
    const { operatorUrl } = cluster.nodes[await cluster.leading()]!;
    const reconciled = await cluster.bourse(['reconcile', '--url', operatorUrl]).catch((error: unknown) => {
      faults.push((error as Error).message);
      return '';
    });
    const ask = operatorAt(operatorUrl, operatorToken);
    const { items } = await ask<{ items: { asset: string; sum: string }[] }>('GET', '/v1/ledger/trial-balance');
    for (const { asset, sum } of items) if (sum !== '0') faults.push(`the trial balance of ${asset} is ${sum}`);
    const codes = await cluster.stop();
    if (codes.some((code) => code !== 0)) faults.push(`SIGTERM ended the nodes with ${codes.join(', ')}`);
    const journals = [];
    for (const index of cluster.nodes.keys()) journals.push(await readJournal(cluster.dataOf(index)));
    faults.push(...differences(journals), ...load.faults, ...results.faults);
    return { ...results, faults, acknowledged: load.acknowledged, kills, reconciled };
  }
}
