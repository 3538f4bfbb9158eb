import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrng } from '#base/prng.ts';
import { startServer, verifyData, type ServerProcess } from './server-process.ts';
import { TradingClient } from './trading-client.ts';

/** What a client was told about one of its orders. */
interface Placed {
  readonly account: string;
  readonly clientOrderId: string;
  /** Public id if the order was acknowledged. */
  readonly orderId: string | null;
}

export interface KillReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly unanswered: number;
  /** Of the unanswered, those that turned out to have happened. */
  readonly happened: number;
  readonly faults: readonly string[];
  readonly verify: string;
}

const accounts = ['alice', 'bob'] as const;
const lanes = 8;

/** Of as many rounds one ends with a clean stop and a further start. */
const roundsPerStop = 5;

/**
 * Kills the exchange `kills` times at random moments under load. After each restart every acknowledged order of the
 * round must be there, once, under the number that was answered; an unanswered one wholly or not at all. The restarted
 * exchange carries the load of the next round. At the end the data directory must verify.
 */
export async function runKillRounds(kills: number, seed: number): Promise<KillReport> {
  const data = mkdtempSync(join(tmpdir(), 'bourse-kill-'));
  const prng = createPrng(seed);
  const faults: string[] = [];
  let acknowledged = 0;
  let unanswered = 0;
  let happened = 0;
  let server = await startServer(data);
  const stop = async (when: string): Promise<void> => {
    server.process.kill('SIGTERM');
    const code = await server.ended;
    if (code !== 0) faults.push(`${when}: SIGTERM ended with ${code}: ${server.output().slice(-500)}`);
  };
  try {
    for (let round = 0; round < kills; round += 1) {
      const placed = await loadUntilKilled(server, round, 30 + prng.below(400), prng.next());
      server = await startServer(data);
      for (const order of placed) {
        if (order.orderId === null) unanswered += 1;
        else acknowledged += 1;
      }
      happened += await compare(server, placed, faults);
      if (round % roundsPerStop !== roundsPerStop - 1) continue;
      await stop(`round ${round}`);
      server = await startServer(data);
    }
    await stop('the end');
    const report = await verifyData(data);
    if (report.code !== 0) faults.push('verify found faults');
    return { kills, acknowledged, unanswered, happened, faults, verify: report.text };
  } finally {
    server.process.kill('SIGKILL');
    await server.ended;
    rmSync(data, { recursive: true, force: true });
  }
}

/**
 * Trades on several lanes until the process is killed; answers every order that was sent. Who bought in one round sells
 * in the next, so that nobody runs out of funds.
 */
async function loadUntilKilled(
  server: ServerProcess,
  round: number,
  afterMs: number,
  chance: number,
): Promise<Placed[]> {
  const placed: Placed[] = [];
  let isOver = false;
  const clients = accounts.map((account) => new TradingClient(server.demo, account));
  const lane = async (number: number): Promise<void> => {
    const account = accounts[number % 2]!;
    const client = clients[number % 2]!;
    for (let step = 0; !isOver; step += 1) {
      const clientOrderId = `k${round}-${number}-${step}`;
      const isBuy = (account === 'alice') === (round % 2 === 0);
      const price = 50_000 + (((step * 7 + number * 13 + Math.floor(chance * 100)) % 21) - 10) * 10;
      const reply = await client.call('POST', '/api/v3/order', {
        symbol: 'BTCUSDT',
        side: isBuy ? 'BUY' : 'SELL',
        type: 'LIMIT',
        quantity: '0.001',
        price: String(price),
        newClientOrderId: clientOrderId,
      });
      if (reply !== null && reply.status !== 200) {
        if (reply.status < 500) throw new Error(`${clientOrderId}: ${reply.status} ${JSON.stringify(reply.body)}`);
        continue;
      }
      const orderId = reply === null ? null : (reply.body as { orderId: string }).orderId;
      placed.push({ account, clientOrderId, orderId });
      if (reply === null) return;
      if (step % 5 === 4) await client.call('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    }
  };
  const running = Array.from({ length: lanes }, (_, number) => lane(number));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  server.process.kill('SIGKILL');
  await server.ended;
  isOver = true;
  await Promise.all(running);
  for (const client of clients) client.close();
  return placed;
}

/** Asks the restarted exchange for every order; answers how many unanswered ones had happened. */
async function compare(server: ServerProcess, placed: readonly Placed[], faults: string[]): Promise<number> {
  let happened = 0;
  for (const account of accounts) {
    const client = new TradingClient(server.demo, account);
    const seen = new Map<string, string[]>();
    const everything = await client.call('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT', limit: '1000' });
    for (const order of (everything?.body ?? []) as { clientOrderId: string; orderId: string }[]) {
      seen.set(order.clientOrderId, [...(seen.get(order.clientOrderId) ?? []), order.orderId]);
    }
    for (const order of placed.filter((candidate) => candidate.account === account)) {
      const reply = await client.call('GET', '/api/v3/order', {
        symbol: 'BTCUSDT',
        origClientOrderId: order.clientOrderId,
      });
      const found = reply?.status === 200 ? (reply.body as { orderId: string }).orderId : null;
      if (order.orderId === null) happened += found === null ? 0 : 1;
      else if (found !== order.orderId)
        faults.push(`${order.clientOrderId} was answered ${order.orderId} and is now ${found}`);
      if ((seen.get(order.clientOrderId)?.length ?? 0) > 1) faults.push(`${order.clientOrderId} exists more than once`);
    }
    client.close();
  }
  return happened;
}
