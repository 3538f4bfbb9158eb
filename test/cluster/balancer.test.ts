import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { ClusterProcesses } from './cluster-processes.ts';
import { type EtcdMembers, hasEtcd, startEtcdMembers } from './etcd-members.ts';
import { pair, type Trader } from './exchange-set-up.ts';
import { HaproxyProcess, hasHaproxy } from './haproxy-process.ts';

/** The balancer of `deploy` in front of three nodes, whose leader is killed, frozen and stopped. */

const ports = { balancer: 28_300, nodes: 28_310 } as const;
/** Of customers: HAProxy sees each of them at another address. */
const addresses = Array.from({ length: 6 }, (_, index) => `127.0.0.${11 + index}`);
/** `BOURSE_TEST_BALANCER=1` freezes and stops leaders too, and tells what was seen. */
const isAsked = process.env['BOURSE_TEST_BALANCER'] !== undefined;
const giveUpMs = 60_000;
const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** One customer, whose address says which node it is led to. */
class Customer {
  readonly address: string;
  /** When its requests were answered 200. */
  readonly answeredAt: number[] = [];
  /** Other answers, and what became of requests without one: how many of each. */
  readonly others = new Map<string, number>();
  private readonly agent: Agent;
  private readonly trader: Trader;
  private orders = 0;

  constructor(address: string, trader: Trader, ca: string) {
    this.address = address;
    this.trader = trader;
    this.agent = new Agent({ keepAlive: true, ca });
  }

  /** Sends a request once. Answers its status; `null`: there was no answer. */
  ask(method: string, path: string, headers: Record<string, string> = {}): Promise<number | null> {
    const { agent, address: localAddress } = this;
    const where = { host: '127.0.0.1', port: ports.balancer, agent, localAddress };
    return new Promise((resolve) => {
      const outgoing = request({ ...where, method, path, headers, timeout: 15_000 }, (incoming) => {
        incoming.resume();
        incoming.on('end', () => resolve(incoming.statusCode!));
        incoming.on('error', () => resolve(null));
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('silent')));
      outgoing.on('error', () => resolve(null));
      outgoing.end();
    });
  }

  /** Places an order once. */
  async order(): Promise<number | null> {
    this.orders += 1;
    const order = { symbol: pair.symbol, side: 'BUY', type: 'IMMEDIATE_OR_CANCEL', quantity: '0.001', price: '1000' };
    const query = new URLSearchParams({
      ...{ ...order, newClientOrderId: `${this.address.replaceAll('.', '-')}-${this.orders}` },
      timestamp: String(Date.now()),
    });
    const signature = createHmac('sha256', this.trader.secretKey).update(String(query)).digest('hex');
    const headers = { 'X-SVC-APIKEY': this.trader.apiKey, 'X-Forwarded-For': '203.0.113.9' };
    const status = await this.ask('POST', `/api/v3/order?${query}&signature=${signature}`, headers);
    if (status === 200) this.answeredAt.push(performance.now());
    else this.others.set(String(status), (this.others.get(String(status)) ?? 0) + 1);
    return status;
  }

  close(): void {
    this.agent.destroy();
  }
}

async function open(): Promise<{ cluster: ClusterProcesses; balancer: HaproxyProcess; traders: readonly Trader[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-balancer-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const etcd: EtcdMembers = await startEtcdMembers();
  ends.push(() => etcd.stop());
  const cluster = new ClusterProcesses({
    ...{ exchange: 'balanced', folder: join(folder, 'nodes'), firstPort: ports.nodes, endpoints: etcd.endpoints },
    ...{ masterKey: 'ab'.repeat(32), operatorToken: '34'.repeat(32) },
  });
  ends.push(() => cluster.close());
  const traders = await cluster.found(addresses.map((_, index) => `trader ${index}`));
  const nodes = cluster.nodes.map(({ url }) => url);
  const balancer = new HaproxyProcess({ folder, port: ports.balancer, nodes });
  ends.push(() => balancer.stop());
  expect(balancer.faults()).toBe('');
  cluster.start();
  await cluster.leading();
  await balancer.start(nodes.length);
  return { cluster, balancer, traders };
}

/** Lets customers trade until `isOver`, each as fast as its budget allows. */
function trade(customers: readonly Customer[]): () => Promise<void> {
  let isOver = false;
  const rounds = customers.map(async (customer) => {
    while (!isOver) {
      await customer.order();
      await setTimeout(60);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(rounds);
  };
}

/** Waits until each customer was answered again, after `since`. */
async function untilAllAnswered(customers: readonly Customer[], since: number): Promise<void> {
  while (!customers.every(({ answeredAt }) => (answeredAt.at(-1) ?? 0) > since)) {
    if (performance.now() > since + giveUpMs)
      throw new Error(`no answers: ${JSON.stringify(customers.map(({ others }) => [...others]))}`);
    await setTimeout(20);
  }
}

/** Longest time without an answer of each customer, from `since` on, in seconds. */
const gapsOf = (customers: readonly Customer[], since: number): string =>
  customers
    .map(({ answeredAt }) => {
      const times = [since, ...answeredAt.filter((at) => at > since)];
      return (Math.max(...times.slice(1).map((at, index) => at - times[index]!)) / 1000).toFixed(2);
    })
    .join(' ');

/** Tells what was seen of a fault, where `BOURSE_TEST_BALANCER` asks for it, and forgets it. */
function tell(fault: string, customers: readonly Customer[], since: number): void {
  const others = customers.map((customer) => JSON.stringify(Object.fromEntries(customer.others))).join(' ');
  if (isAsked) console.log(`${fault}: seconds without an answer ${gapsOf(customers, since)}; other answers ${others}`);
  for (const customer of customers) customer.others.clear();
}

/** Asks through a websocket and waits for the answer. */
async function ping(socket: WebSocket): Promise<void> {
  const answer = once(socket, 'message', { signal: AbortSignal.timeout(giveUpMs) });
  socket.send(JSON.stringify({ method: 'PING' }));
  expect(String((await answer)[0])).toContain('PONG');
}

/** The node that each customer is led to. */
async function nodesOf(customers: readonly Customer[], balancer: HaproxyProcess): Promise<readonly number[]> {
  const nodes: number[] = [];
  for (const customer of customers) {
    const before = await balancer.rows();
    for (let count = 0; count < 3; count += 1) expect(await customer.order()).toBe(200);
    const after = await balancer.rows();
    const used = after.flatMap(({ sessions }, node) => (sessions > before[node]!.sessions ? [node] : []));
    expect(used).toHaveLength(1);
    nodes.push(used[0]!);
  }
  return nodes;
}

test.skipIf(!hasEtcd || !hasHaproxy)(
  'DEC-CLU-25: through the balancer of deploy, trading and websockets go on when the leader is killed',
  async () => {
    const { cluster, balancer, traders } = await open();
    const customers = addresses.map((address, index) => new Customer(address, traders[index]!, balancer.certificate));
    ends.push(() => {
      for (const customer of customers) customer.close();
    });
    const nodes = await nodesOf(customers, balancer);
    expect(new Set(nodes).size).toBeGreaterThan(1);

    const leader = await cluster.leading();
    const ofFollower = customers[nodes.findIndex((node) => node !== leader)]!;
    const socket = new WebSocket(`wss://127.0.0.1:${ports.balancer}/ws?encoding=json`, {
      ...{ ca: balancer.certificate, localAddress: ofFollower.address },
    });
    ends.push(() => socket.terminate());
    await once(socket, 'open');
    await ping(socket);
    const stop = trade(customers);
    let since = performance.now();
    cluster.nodes[leader]!.kill();
    await untilAllAnswered(customers, since + 1000);
    tell('killed', customers, since);
    await ping(socket);
    if (!isAsked) return stop();

    await balancer.untilReady(3);
    const frozen = cluster.nodes[await cluster.leading()]!;
    since = performance.now();
    frozen.freeze();
    // Those of the frozen node are answered by another one, before it goes on.
    await untilAllAnswered(customers, since + 1000);
    tell('frozen', customers, since);
    frozen.thaw();

    await balancer.untilReady(3);
    const last = await cluster.leading();
    await balancer.ask(`set server ready/${['one', 'two', 'three'][last]} state drain`);
    await setTimeout(1000);
    since = performance.now();
    await cluster.nodes[last]!.stop();
    await untilAllAnswered(customers, performance.now() + 1000);
    tell('drained and stopped', customers, since);
    return stop();
  },
  240_000,
);
