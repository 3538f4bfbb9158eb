import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrng, type Prng } from '#base/prng.ts';
import { OperatorClient } from './operator-client.ts';
import { startServer, verifyData, type ServerProcess } from './server-process.ts';
import { TradingClient } from './trading-client.ts';

const contract = 'XRP_USDT';
const terms = {
  ...{ base: 'XRP', settle: 'USDT', size: '1', priceDecimals: 4, fundingHours: 8, minLots: 1, maxLots: 1_000_000 },
  ...{
    makerFeePpm: 100,
    takerFeePpm: 400,
    bidLimitPpm: 100_000,
    askLimitPpm: 100_000,
    collarPpm: 50_000,
    fairLimitPpm: 10_000,
  },
  ...{ minFundingPpm: -1800, maxFundingPpm: 1800, liquidationFeePpm: 400 },
  tiers: [{ maxLots: 1_000_000, maintenancePpm: 4000, initialPpm: 10_000, maxLeverage: 100 }],
};
const people = ['alice', 'bob'] as const;
type Person = (typeof people)[number];

export interface ContractKillReport {
  /** Contracts of fills that were acknowledged. */
  readonly traded: number;
  readonly faults: readonly string[];
  readonly verify: string;
}

/** What bob was answered in one round, in contracts. */
interface Round {
  executed: number;
  /** Of orders that were not answered. */
  unknown: number;
}

/**
 * Kills the exchange `kills` times at random moments while bob sells contracts into the orders of alice. After each
 * restart both have as many as the fills that bob was told of gave them, and at most those of unanswered orders more.
 * At the end the data verify.
 */
export async function runContractKills(kills: number, seed: number): Promise<ContractKillReport> {
  const data = mkdtempSync(join(tmpdir(), 'bourse-contract-kill-'));
  const prng = createPrng(seed);
  const faults: string[] = [];
  let traded = 0;
  let before = 0;
  let server = await startServer(data);
  try {
    await open(server);
    for (let round = 0; round < kills; round += 1) {
      const { executed, unknown } = await tradeUntilKilled(server, 200 + prng.below(600), prng);
      server = await startServer(data);
      const [long, short] = await positions(server);
      if (long + short !== 0) faults.push(`round ${round}: ${long} long and ${short} short`);
      if (long < before + executed || long > before + executed + unknown)
        faults.push(`round ${round}: ${long} after ${before}, with ${executed} executed and ${unknown} unknown`);
      traded += executed;
      before = long;
    }
    server.process.kill('SIGTERM');
    const code = await server.ended;
    if (code !== 0) faults.push(`SIGTERM ended with ${code}: ${server.output().slice(-500)}`);
    return { traded, faults, verify: (await verifyData(data)).text };
  } finally {
    server.process.kill('SIGKILL');
    await server.ended;
    rmSync(data, { recursive: true, force: true });
  }
}

const pathOf = ({ demo }: ServerProcess, person: Person): string =>
  `/v1/accounts/${demo.accounts.find(({ name }) => name === person)!.uid}/contracts/${contract}`;

/** Lists the contract and gives both some money for it. */
async function open(server: ServerProcess): Promise<void> {
  const operator = new OperatorClient(server.demo);
  await operator.must('PUT', `/v1/contracts/${contract}`, terms);
  await operator.must('PUT', `/v1/contracts/${contract}/state`, { state: 'enabled' });
  for (const person of people) {
    const client = new TradingClient(server.demo, person);
    const transfer = { fromAccountType: 'SPOT', toAccountType: 'FUTURES', asset: 'USDT', amount: '10000' };
    const reply = await client.call('POST', '/api/v3/capital/transfer', transfer);
    client.close();
    if (reply?.status !== 200) throw new Error(`transfer: ${JSON.stringify(reply?.body)}`);
  }
}

/** Trades on two lanes a person until the process is killed: orders of alice only rest, those of bob only take. */
async function tradeUntilKilled(server: ServerProcess, afterMs: number, prng: Prng): Promise<Round> {
  const round: Round = { executed: 0, unknown: 0 };
  let isOver = false;
  const lane = async (person: Person): Promise<void> => {
    const operator = new OperatorClient(server.demo);
    const isAlice = person === 'alice';
    while (!isOver) {
      const lots = 1 + prng.below(20);
      const price = (1 + prng.below(5) / 1000).toFixed(4);
      const terms = isAlice ? { side: 'buy', kind: 'postOnly' } : { side: 'sell', kind: 'immediateOrCancel' };
      const path = `${pathOf(server, person)}/orders`;
      const reply = await operator.call('POST', path, { ...terms, lots, price });
      const { order, executed = 0 } = (reply?.body ?? {}) as { order?: string; executed?: number };
      if (!isAlice && (reply === null || reply.status >= 500)) round.unknown += lots;
      else if (!isAlice) round.executed += executed;
      else if (order !== undefined && prng.below(3) === 0) await operator.call('DELETE', `${path}/${order}`);
    }
  };
  const prices = async (): Promise<void> => {
    const operator = new OperatorClient(server.demo);
    while (!isOver) {
      const told = { source: 'DESK', price: (1 + prng.below(4) / 1000).toFixed(4), weight: 100 };
      await operator.call('POST', `/v1/contracts/${contract}/index/prices`, told);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const running = [prices(), ...people.flatMap((person) => [lane(person), lane(person)])];
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  server.process.kill('SIGKILL');
  await server.ended;
  isOver = true;
  await Promise.all(running);
  return round;
}

/** Contracts of alice and of bob, short ones below zero. */
async function positions(server: ServerProcess): Promise<readonly [number, number]> {
  const operator = new OperatorClient(server.demo);
  const lotsOf = async (person: Person): Promise<number> => {
    const uid = server.demo.accounts.find(({ name }) => name === person)!.uid;
    const { items } = await operator.must<{ items: { contract: string; lots: number }[] }>(
      'GET',
      `/v1/accounts/${uid}/positions`,
    );
    return items.find((item) => item.contract === contract)?.lots ?? 0;
  };
  return [await lotsOf('alice'), await lotsOf('bob')];
}
