import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClusterProcesses, untilReady } from '../test/cluster/cluster-processes.ts';
import { type EtcdMembers, startEtcdMembers } from '../test/cluster/etcd-members.ts';
import { operatorAt, setUpExchange, type Trader } from '../test/cluster/exchange-set-up.ts';
import { NodeProcess } from '../test/cluster/node-process.ts';
import type { Signer } from './signed-requests.ts';

const bourse = join(import.meta.dirname, '..', 'main', 'bourse.js');
/** An account has at most 64 requests on their way. */
const accounts = 16;
const firstPort = 28_500;
/** Where a proxy says that all load comes from: addresses of the machine itself have no limit of their own. */
export const loadAddress = '10.9.0.1';
/** As an exchange is run, but for what one address may do: all load comes from one. */
const startArguments = [
  ...['--journal-segment-mib', '16', '--snapshot-every-commands', '1000000', '--log-level', 'error'],
  ...['--connections-per-address-max', '5000'],
] as const;

/** An exchange with accounts that trade a pair. */
export interface BenchExchange {
  /** Where it takes requests. */
  readonly port: number;
  readonly pid: number;
  readonly traders: readonly BenchTrader[];
}
export type BenchTrader = Trader & Signer;

/** A cluster under test, and an exchange of one process that it is held against: both in production, on one disk. */
export interface BenchCluster {
  readonly etcd: EtcdMembers;
  readonly cluster: ClusterProcesses;
  readonly single: BenchExchange;
  /** The node that leads now. */
  leader(): Promise<BenchExchange>;
  /** A node that follows now. */
  follower(): Promise<BenchExchange>;
  stop(): Promise<void>;
}

const exchangeAt = (node: NodeProcess, traders: readonly BenchTrader[]): BenchExchange => ({
  port: Number(new URL(node.url).port),
  pid: node.pid!,
  traders,
});

/** Starts three members of etcd, three nodes and the single exchange. */
export async function startBenchCluster(): Promise<BenchCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
  const [masterKey, operatorToken] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const etcd = await startEtcdMembers();
  const cluster = new ClusterProcesses({
    ...{ exchange: 'bench', folder, firstPort, endpoints: etcd.endpoints, masterKey, operatorToken, startArguments },
    env: { NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '' },
  });
  const alone = singleProcess(folder, { BOURSE_MASTER_KEY: masterKey, BOURSE_OPERATOR_TOKEN: operatorToken });
  const stop = async (): Promise<void> => {
    await alone.stop();
    await cluster.stop();
    await cluster.close();
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const traders = await cluster.foundBy((url) => setUp(url, operatorToken));
    cluster.start();
    alone.start();
    await untilReady(alone);
    const ofSingle = await setUp(alone.operatorUrl, operatorToken);
    await cluster.leading();
    await cluster.untilTogether();
    const node = async (step: number): Promise<BenchExchange> => {
      const index = (await cluster.leading()) + step;
      return exchangeAt(cluster.nodes[index % cluster.nodes.length]!, traders);
    };
    return {
      ...{ etcd, cluster, stop, single: exchangeAt(alone, ofSingle) },
      leader: () => node(0),
      follower: () => node(1),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function singleProcess(folder: string, secrets: Readonly<Record<string, string>>): NodeProcess {
  const port = firstPort + 20;
  const ports = ['--port', `${port}`, '--operator-port', `${port + 1}`];
  const where = ['start', '--data', join(folder, 'single'), '--profile', 'production', ...ports];
  return new NodeProcess({
    name: 'single',
    ...{ url: `http://127.0.0.1:${port}`, operatorUrl: `http://127.0.0.1:${port + 1}` },
    env: { ...process.env, ...secrets },
    log: join(folder, 'single.log'),
    args: [bourse, ...where, '--trusted-proxies', '127.0.0.1', ...startArguments],
  });
}

/** Accounts, and leave for the address of the load to ask as much as it can. */
async function setUp(operatorUrl: string, token: string): Promise<readonly BenchTrader[]> {
  const names = Array.from({ length: accounts }, (_, index) => `trader ${index}`);
  const traders = await setUpExchange(operatorUrl, token, names);
  const ask = operatorAt(operatorUrl, token);
  const terms = { weight: 1_000_000, until: null, reason: 'A benchmark.' };
  await ask('PUT', `/v1/rate-limits/address/${loadAddress}`, terms);
  for (const { uid } of traders)
    await ask('PUT', `/v1/rate-limits/account/${uid}`, { ...terms, callsPerSecond: 100_000 });
  return traders.map((trader) => ({ ...trader, from: loadAddress }));
}
