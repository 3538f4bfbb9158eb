import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrng, type Prng } from '#base/prng.ts';
import { OperatorClient } from './operator-client.ts';
import { startServer, type ServerProcess, verifyData } from './server-process.ts';
import { TradingClient } from './trading-client.ts';
import { compareWallet, differencesOf } from './wallet-comparison.ts';
import { type Addresses, depositors, isBeingChecked, loadedNetworks, WalletLoad } from './wallet-load.ts';

/**
 * When a process is killed: at random, right after an answer, once something is in this state, or right before one of
 * its next writes.
 */
export const killMoments = [
  'write',
  'random',
  'write',
  'acknowledged',
  'write',
  'processing',
  'write',
  'packaging',
  'write',
  'pending',
  'write',
  'confirming',
  'write',
] as const;
type KillMoment = (typeof killMoments)[number];

export interface WalletKillReport {
  readonly faults: readonly string[];
  readonly withdrawals: number;
  readonly deposits: number;
  /** Withdrawals that were not answered because the process was killed. */
  readonly unanswered: number;
  /** Withdrawals by what became of them. */
  readonly ended: Readonly<Record<string, number>>;
  readonly verify: string;
}

const seed = 20_260_707;
const settleEveryMs = '60';
const patienceMs = 60_000;
const plant = new URL('kill-at-write.mjs', import.meta.url).pathname;
/** Of the writes after the signal, the last that a kill comes before. */
const writesMost = 16;

/** Starts the exchange so that SIGUSR2 has it killed right before one of its next writes. */
function start(data: string, prng: Prng): Promise<ServerProcess> {
  const nth = 1 + prng.below(writesMost);
  const wrapper = ['env', `NODE_OPTIONS=--import=${plant}`, `KILL_AT_WRITE=${nth}`];
  return startServer(data, ['--settle-every-ms', settleEveryMs], wrapper);
}

/**
 * Kills the exchange once per moment while deposits and withdrawals are under way on four networks, then lets all of
 * them end. Nothing that was acknowledged may be missing, and nothing may have happened twice.
 */
export async function runWalletKillRounds(moments: readonly KillMoment[]): Promise<WalletKillReport> {
  const data = mkdtempSync(join(tmpdir(), 'bourse-wallet-kill-'));
  const prng = createPrng(seed);
  const load = new WalletLoad(prng);
  let server: ServerProcess | null = null;
  try {
    server = await start(data, prng);
    const addresses = await openWallet(server);
    let unanswered = 0;
    for (const moment of moments) {
      let isOver = false;
      const lanes = load.run(server, addresses, () => isOver);
      await momentCame(server, load, moment, prng);
      server.process.kill(moment === 'write' ? 'SIGUSR2' : 'SIGKILL');
      const end = await server.ended;
      if (end !== 'SIGKILL') throw new Error(`the process ended with ${end}: ${server.output()}`);
      isOver = true;
      await lanes;
      unanswered += load.asked.filter(({ id }) => id === null).length;
      server = await start(data, prng);
      await askAgain(server, load);
    }
    await letEverythingEnd(server);
    const { faults, ended } = await compareWallet(server, load);
    server.process.kill('SIGTERM');
    if ((await server.ended) !== 0) faults.push(`the stop failed: ${server.output().slice(-500)}`);
    faults.push(...load.faults, ...(await differencesOf(data)));
    const { code, text } = await verifyData(data);
    if (code !== 0) faults.push('verify found faults');
    return { faults, withdrawals: load.asked.length, deposits: load.paid.length, unanswered, ended, verify: text };
  } finally {
    server?.process.kill('SIGKILL');
    await server?.ended;
    rmSync(data, { recursive: true, force: true });
  }
}

/** Lets withdrawals begin at once, and makes the addresses that are paid to. */
async function openWallet(server: ServerProcess): Promise<Addresses> {
  const operator = new OperatorClient(server.demo);
  const rules = await operator.must<object>('GET', '/v1/wallet/rules');
  await operator.must('PUT', '/v1/wallet/rules', { ...rules, waitMs: 0 });
  const addresses = new Map<string, { address: string; memo: string | null }>();
  for (const person of depositors) {
    const client = new TradingClient(server.demo, person);
    for (const { network, coin } of loadedNetworks) {
      const reply = await client.call('POST', '/api/v3/capital/deposit/address', { coin, network });
      const [made] = reply!.body as { address: string; memo: string | null }[];
      addresses.set(`${person} ${network}`, { address: made!.address, memo: made!.memo });
    }
    client.close();
  }
  // Blocks that reorganisations can replace.
  for (const { network } of loadedNetworks) await operator.must('POST', `/v1/chains/${network}/blocks`, { blocks: 20 });
  return addresses;
}

/** Resolves at the moment; after some load in any case. */
async function momentCame(server: ServerProcess, load: WalletLoad, moment: KillMoment, prng: Prng): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 300 + prng.below(700)));
  const operator = new OperatorClient(server.demo);
  const end = performance.now() + patienceMs;
  const acknowledged = (): number => load.asked.filter(({ id }) => id !== null).length;
  const before = acknowledged();
  const list = moment === 'pending' ? 'deposits' : 'withdrawals';
  for (;;) {
    if (moment === 'random' || moment === 'write') return;
    if (performance.now() > end) throw new Error(`never ${moment}`);
    if (moment === 'acknowledged') {
      if (acknowledged() > before) return;
      await new Promise((resolve) => setTimeout(resolve, 1));
    } else {
      const { items } = await operator.must<{ items: unknown[] }>('GET', `/v1/${list}?status=${moment}&limit=1`);
      if (items.length > 0) return;
    }
  }
}

/**
 * Sends again what was not answered; the same withdrawOrderId asks for the same withdrawal. While a fork is judged, it
 * asks on.
 */
async function askAgain(server: ServerProcess, load: WalletLoad): Promise<void> {
  const end = performance.now() + patienceMs;
  for (const person of depositors) {
    const client = new TradingClient(server.demo, person);
    for (const asked of load.asked.filter((each) => each.person === person && each.id === null)) {
      const ask = () => client.call('POST', '/api/v3/capital/withdraw', asked.terms);
      let reply = await ask();
      while (reply !== null && isBeingChecked(reply) && performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        reply = await ask();
      }
      if (reply?.status === 200) asked.id = (reply.body as { id: string }).id;
      else load.faults.push(`${asked.terms.withdrawOrderId} again: ${JSON.stringify(reply?.body)}`);
    }
    client.close();
  }
}

/** Mines until nothing waits on any network. */
async function letEverythingEnd(server: ServerProcess): Promise<void> {
  const operator = new OperatorClient(server.demo);
  for (const { network } of loadedNetworks) await operator.must('PUT', `/v1/chains/${network}/delay`, { blocks: 0 });
  const end = performance.now() + patienceMs;
  for (;;) {
    for (const { network } of loadedNetworks)
      await operator.must('POST', `/v1/chains/${network}/blocks`, { blocks: 10 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const open: string[] = [];
    for (const [list, statuses] of [
      ['deposits', ['pending', 'small']],
      ['withdrawals', ['apply', 'wait', 'processing', 'packaging', 'confirming']],
    ] as const)
      for (const status of statuses) {
        const page = await operator.must<{ items: unknown[] }>('GET', `/v1/${list}?status=${status}`);
        open.push(...page.items.map((item) => JSON.stringify(item)));
      }
    if (open.length === 0) return;
    if (performance.now() > end)
      throw new Error(`stuck: ${open.slice(0, 5).join('\n')}\n${server.output().slice(-2000)}`);
  }
}
