import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrng, type Prng } from '#base/prng.ts';
import { faultsOfOrders } from './acknowledged-orders.ts';
import { changePairsUntilKilled, endPairs, type ListedPair } from './changing-pairs.ts';
import { type Acknowledged, MarketLoad } from './market-load.ts';
import { OperatorClient } from './operator-client.ts';
import { startServer, verifyData, type ServerProcess } from './server-process.ts';

/** What is asked of a run. */
export interface MarketRun {
  /** Orders a second. */
  readonly rate: number;
  readonly halts: number;
  readonly kills: number;
  /** How long trading is open, and how long halted, at least. */
  readonly phaseMs: number;
}

export interface MarketReport {
  readonly acknowledged: number;
  readonly unanswered: number;
  /** Orders that were answered in a second while pairs were halted and opened. */
  readonly seenRate: number;
  readonly delisted: number;
  readonly faults: readonly string[];
  readonly verify: string;
}

/** Ends of halts: of one pair by its status, or of all trading. */
const haltKinds = [
  {
    name: 'pair',
    path: '/v1/pairs/BTCUSDT',
    method: 'PATCH',
    halt: { status: 'paused' },
    resume: { status: 'online' },
    halted: ['BTCUSDT'],
    open: ['ETHUSDT'],
  },
  {
    name: 'exchange',
    path: '/v1/trading',
    method: 'PUT',
    halt: { state: 'halted', reason: 'A test.' },
    resume: { state: 'open', reason: 'A test.' },
    halted: ['BTCUSDT', 'ETHUSDT'],
    open: [],
  },
] as const;

/**
 * Trades at a steady rate while an operator halts and opens a pair and all trading in turn, then while he lists,
 * changes and delists others and the exchange is killed. Nothing fills between the answer of a halt and the opening;
 * whatever was acknowledged is there afterwards; at the end the data verify.
 */
export async function runMarketRounds({ rate, halts, kills, phaseMs }: MarketRun, seed: number): Promise<MarketReport> {
  const data = mkdtempSync(join(tmpdir(), 'bourse-markets-'));
  const prng = createPrng(seed);
  const faults: string[] = [];
  const acknowledged: Acknowledged[] = [];
  const from = Date.now() - 1000;
  const pairs: ListedPair[] = [];
  let unanswered = 0;
  const collect = (load: MarketLoad): void => {
    faults.push(...load.faults);
    acknowledged.push(...load.acknowledged);
    unanswered += load.unanswered;
  };
  let server = await startServer(data);
  try {
    const load = new MarketLoad(server, { name: 'h', rate });
    const began = performance.now();
    for (let halt = 0; halt < halts; halt += 1) await haltAndOpen(server, load, { halt, phaseMs }, faults);
    await load.stop();
    const seenRate = (load.answered * 1000) / (performance.now() - began);
    collect(load);
    for (let kill = 0; kill < kills; kill += 1) {
      const during = new MarketLoad(server, { name: `k${kill}`, rate });
      await killWhile(server, during, { pairs, prng, phaseMs });
      await during.stop();
      collect(during);
      server = await startServer(data);
      faults.push(...(await endPairs(server, pairs)));
    }
    faults.push(...(await faultsOfOrders(server, [...acknowledged, ...pairs.flatMap((pair) => pair.orders)], from)));
    server.process.kill('SIGTERM');
    const code = await server.ended;
    if (code !== 0) faults.push(`SIGTERM ended with ${code}: ${server.output().slice(-500)}`);
    const { text } = await verifyData(data);
    const delisted = pairs.filter(({ acknowledged: state }) => state === 'delisted').length;
    return { acknowledged: acknowledged.length, unanswered, seenRate, delisted, faults, verify: text };
  } finally {
    server.process.kill('SIGKILL');
    await server.ended;
    rmSync(data, { recursive: true, force: true });
  }
}

/** One halt and its end: what must fill fills before and after it, and what is halted fills nothing during it. */
async function haltAndOpen(
  { demo }: ServerProcess,
  load: MarketLoad,
  { halt, phaseMs }: { readonly halt: number; readonly phaseMs: number },
  faults: string[],
): Promise<void> {
  const kind = haltKinds[halt % haltKinds.length]!;
  const operator = new OperatorClient(demo);
  const lastTrade = async (symbol: string): Promise<number> => {
    const answer = await fetch(`${demo.base_url}/api/v3/trades?symbol=${symbol}&limit=1`);
    return ((await answer.json()) as { id: number }[])[0]?.id ?? 0;
  };
  /** Resolves when each of these pairs has traded; a machine may be as slow as it is. */
  const traded = async (symbols: readonly string[]): Promise<void> => {
    for (const symbol of symbols) {
      const before = await lastTrade(symbol);
      while ((await lastTrade(symbol)) === before) await pause(20);
    }
  };
  await traded([...kind.halted, ...kind.open]);
  await pause(phaseMs);
  await operator.must(kind.method, kind.path, kind.halt);
  const phase = `${kind.name} ${halt}`;
  load.phase = phase;
  const atHalt = await Promise.all(kind.halted.map(lastTrade));
  await traded(kind.open);
  await pause(phaseMs);
  while (kind.halted.some((symbol) => load.suspended(phase, symbol) === 0)) await pause(20);
  const atEnd = await Promise.all(kind.halted.map(lastTrade));
  load.phase = 'open';
  await operator.must(kind.method, kind.path, kind.resume);
  for (const [at, symbol] of kind.halted.entries()) {
    if (atEnd[at] !== atHalt[at]) faults.push(`${phase}: ${symbol} traded from ${atHalt[at]} to ${atEnd[at]}`);
    if (load.taken(phase, symbol) > 0) faults.push(`${phase}: ${load.taken(phase, symbol)} orders were taken`);
  }
  await traded(kind.halted);
}

/** Lists, changes and delists pairs under the load, until the process is killed in the midst of it. */
async function killWhile(
  server: ServerProcess,
  load: MarketLoad,
  { pairs, prng, phaseMs }: { readonly pairs: ListedPair[]; readonly prng: Prng; readonly phaseMs: number },
): Promise<void> {
  const changing = changePairsUntilKilled(server, pairs);
  let hasFailed = false;
  changing.catch(() => {
    hasFailed = true;
  });
  // One whole life of a pair first: on a slow machine none might end before.
  const wanted = pairs.length + 2;
  while (!hasFailed && (pairs.length < wanted || load.acknowledged.length === 0)) await pause(20);
  await pause(prng.below(phaseMs));
  server.process.kill('SIGKILL');
  await server.ended;
  await changing;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
