import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPrng, type Prng } from '#base/prng.ts';
import { type Depth, type LocalBook, loadExampleBot, type Order, type Rest, until } from '../guides/example-bot.ts';
import { startBalancer } from './balancer.ts';
import { ClusterClient, type SignedCall } from './cluster-client.ts';
import { ClusterProcesses } from './cluster-processes.ts';
import { hasEtcd, startEtcdMembers } from './etcd-members.ts';
import { pair, type Trader } from './exchange-set-up.ts';
import { RecordedAccount } from './recorded-account.ts';

const bot = await loadExampleBot();
const { symbol } = pair;
const stepMs = 30;
const mostOpen = 12;
/**
 * A bot pauses twice as long after each try that failed, up to 10 s. Where a busy machine takes 8 s to elect a leader
 * and to serve again, its next try comes after 16 to 26 s.
 */
const backMs = 90_000;

/** Somebody who trades with an account through any node, one request after the other. */
class SteadyTrader {
  /** Client ids of orders that were acknowledged, in order. */
  readonly acknowledged: string[] = [];
  /** Why it trades no more; `null`: it does, or was stopped. */
  failure: unknown = null;
  private readonly client: ClusterClient;
  private readonly trader: Trader;
  private readonly name: string;
  private readonly prng: Prng;
  private open: string[] = [];
  private running: Promise<void> = Promise.resolve();
  private isOver = false;

  constructor(urls: readonly string[], trader: Trader, name: string, seed: number) {
    [this.client, this.trader, this.name, this.prng] = [new ClusterClient(urls), trader, name, createPrng(seed)];
  }

  start(): void {
    this.running = this.run().catch((error: unknown) => {
      this.failure = error;
    });
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
    this.client.close();
  }

  private async run(): Promise<void> {
    for (let step = 0; !this.isOver; step += 1) {
      const newClientOrderId = `${this.name}-${step}`;
      const side = this.prng.below(2) === 0 ? 'BUY' : 'SELL';
      const [price, quantity] = [String(99 + this.prng.below(3)), `0.0${2 + this.prng.below(8)}`];
      await this.ask('POST', { side, type: 'LIMIT', price, quantity, newClientOrderId });
      this.acknowledged.push(newClientOrderId);
      this.open.push(newClientOrderId);
      if (this.prng.below(3) > 0 && this.open.length > mostOpen) {
        const [origClientOrderId] = this.open.splice(this.prng.below(this.open.length), 1);
        await this.ask('DELETE', { origClientOrderId: origClientOrderId! }, 'or refused');
      }
      await setTimeout(stepMs);
    }
  }

  private async ask(method: string, parameters: SignedCall['parameters'], or?: 'or refused'): Promise<void> {
    const call = { key: this.trader, address: '10.4.0.1', method, path: '/api/v3/order' };
    const signed = { ...call, parameters: { symbol, ...parameters } };
    const decided = await this.client.settle(signed, () => false);
    if (decided!.status !== 200 && or === undefined) throw new Error(JSON.stringify(decided!.body));
  }
}

/** The guide's bot with the private and the public stream of one address. */
async function follow(urls: readonly string[], first: number, { apiKey, secretKey }: Trader) {
  const balancer = await startBalancer(urls, first);
  const rest = new bot.Rest({ base: `http://${balancer.host}`, apiKey, secretKey });
  const account = new RecordedAccount(new bot.OwnAccount());
  const where = { rest, wsUrl: `ws://${balancer.host}/ws`, symbol };
  const stream = bot.followAccount({ ...where, account, onFill: (deal) => account.takeDeal(deal) });
  const book = bot.followBook(where);
  await until('the bot is ready', () => account.isReady && book.book.isReady);
  const close = async (): Promise<void> => {
    book.close();
    await stream.close();
    await balancer.close();
  };
  return { balancer, rest, account, stream, book, close };
}
type Balance = { readonly asset: string; readonly free: string; readonly locked: string };
type Followed = Awaited<ReturnType<typeof follow>>;

/** Trades of the account, page after page. */
async function tradesOf(rest: Rest): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let startTime = 0; ; ) {
    const page = await rest.signed<{ id: string; orderId: string; time: number }[]>('GET', '/api/v3/myTrades', {
      ...{ symbol, limit: 100 },
      ...(startTime === 0 ? {} : { startTime }),
    });
    const before = ids.size;
    for (const { id, orderId } of page) ids.add(`${id} ${orderId}`);
    if (ids.size === before) return ids;
    startTime = page.at(-1)!.time;
  }
}

/** Waits until the bot is connected to another node, and has read what it missed. Answers the trades that it read. */
async function resynced(followed: Followed, connections: number): Promise<ReadonlySet<string>> {
  const { account, stream, book, rest, balancer } = followed;
  const isBack = (): boolean => stream.counted.connections > connections && account.isReady && book.book.isReady;
  await until('the bot is at another node', isBack, backMs).catch((cause: unknown) => {
    const isReady = { account: account.isReady, book: book.book.isReady };
    const told = { ...stream.counted, after: connections, node: balancer.node, isReady };
    throw new Error(`not within ${backMs} ms at another node: ${JSON.stringify(told)}`, { cause });
  });
  return tradesOf(rest);
}

/** What the bot heard, held against the orders that were acknowledged and what REST says at the end. */
async function compare(
  { rest, account, stream, book }: Followed,
  acknowledged: readonly string[],
  missed: readonly ReadonlySet<string>[],
): Promise<void> {
  expect(account.faults).toEqual([]);
  // Within a connection nothing is left out: what was not pushed lies between two of them.
  const heard = account.connections.filter((ids) => ids.length > 0);
  expect(heard).toHaveLength(stream.counted.connections);
  const placed = heard.map((ids) => ids.map((id) => acknowledged.indexOf(id)));
  for (const indices of placed) expect(indices).toEqual(indices.map((_, step) => indices[0]! + step));
  expect([placed[0]![0], placed.at(-1)!.at(-1)]).toEqual([0, acknowledged.length - 1]);

  const { balances } = await rest.signed<{ balances: Balance[] }>('GET', '/api/v3/account');
  const owned = balances.map(({ asset, free, locked }) => `${asset} ${free} ${locked}`).sort();
  await until(`the balances are ${owned.join()}`, () => account.balancesNow().join() === owned.join());
  const open = await rest.signed<Order[]>('GET', '/api/v3/openOrders', { symbol });
  expect([...account.orders.keys()].sort()).toEqual(open.map(({ clientOrderId }) => clientOrderId).sort());
  for (const { clientOrderId, executedQty } of open)
    expect(account.orders.get(clientOrderId)).toMatchObject({ filled: executedQty });
  const trades = await tradesOf(rest);
  const known = new Set([...account.deals, ...missed.flatMap((ids) => [...ids])]);
  expect([...known].sort()).toEqual([...trades].sort());
  expect(account.deals.size).toBeGreaterThan(0);
  await compareBook(rest, book.book);
}

async function compareBook(rest: Rest, book: LocalBook): Promise<void> {
  const { lastUpdateId, bids, asks } = await rest.get<Depth>('/api/v3/depth', { symbol, limit: 5000 });
  await until('the book is where the exchange is', () => book.version === lastUpdateId);
  expect(book.top('bids', 5000)).toEqual(bids);
  expect(book.top('asks', 5000)).toEqual(asks);
}

/** Half a minute of two cores: `BOURSE_TEST_STREAM_KILLS=1` asks for it. */
const isAsked = process.env['BOURSE_TEST_STREAM_KILLS'] !== undefined;

test.skipIf(!hasEtcd || !isAsked)(
  'DEC-CLU-07, DEC-STR-05, DEC-STR-19, DEC-STR-20: the client of a killed node is whole after its resync',
  async () => {
    const etcd = await startEtcdMembers();
    const folder = mkdtempSync(join(tmpdir(), 'bourse-streams-'));
    const cluster = new ClusterProcesses({
      ...{ exchange: 'streams', firstPort: 25_260, endpoints: etcd.endpoints, folder },
      ...{ masterKey: 'ef'.repeat(32), operatorToken: '12'.repeat(32) },
    });
    const urls = cluster.nodes.map(({ url }) => url);
    const followed: Followed[] = [];
    const traders: SteadyTrader[] = [];
    try {
      const [owner, other] = await cluster.found(['owner', 'other']);
      cluster.start();
      const leader = await cluster.leading();
      await cluster.untilTogether();
      const follower = (leader + 1) % urls.length;
      const atLeader = await follow(urls, leader, owner!);
      followed.push(atLeader);
      const atFollower = await follow(urls, follower, owner!);
      followed.push(atFollower);
      const own = new SteadyTrader(urls, owner!, 'own', 1);
      traders.push(own, new SteadyTrader(urls, other!, 'other', 2));
      for (const trader of traders) trader.start();
      const goOn = async (): Promise<void> => {
        const { length } = own.acknowledged;
        await until('orders are acknowledged', () => {
          for (const { failure } of traders) if (failure !== null) throw failure;
          return own.acknowledged.length > length + 20;
        });
      };

      await goOn();
      cluster.nodes[follower]!.kill();
      const ofFollower = [await resynced(atFollower, 1)];
      await goOn();
      // The stream at the leader did not notice.
      expect(atLeader.stream.counted.connections).toBe(1);
      const { connections } = atFollower.stream.counted;
      const wasAtLeader = atFollower.balancer.node === leader;
      cluster.nodes[leader]!.kill();
      const ofLeader = [await resynced(atLeader, 1)];
      if (wasAtLeader) ofFollower.push(await resynced(atFollower, connections));
      await goOn();

      await Promise.all(traders.splice(0).map((trader) => trader.stop()));
      await cluster.untilTogether();
      const depth = async ({ rest }: Followed) => rest.get<Depth>('/api/v3/depth', { symbol, limit: 5000 });
      expect(await depth(atLeader)).toEqual(await depth(atFollower));
      const isHeard = ({ account }: Followed): boolean =>
        account.connections.at(-1)!.at(-1) === own.acknowledged.at(-1);
      await until('the last order was pushed', () => followed.every(isHeard));
      await compare(atLeader, own.acknowledged, ofLeader);
      await compare(atFollower, own.acknowledged, ofFollower);
      rmSync(folder, { recursive: true, force: true });
    } finally {
      await Promise.all(traders.map((trader) => trader.stop().catch(() => {})));
      for (const each of followed) await each.close();
      await cluster.close();
      await etcd.stop();
    }
  },
  420_000,
);
