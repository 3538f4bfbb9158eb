import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExchangeProcess, startExchange } from './exchange-process.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { alone, atMost, isAsked } from './harness.ts';
import type { Attack } from './hostile-attack.ts';
import { attacks } from './hostile-attacks.ts';
import type { HostileResult, HostileTask } from './hostile-client.ts';
import { LoadClient } from './load.ts';
import { publicRequest } from './signed-requests.ts';

const pingsPerSecond = 40;
const idleMs = 2000;
const memoryEveryMs = 100;
/** Short pings after the attack until their median is that of an idle exchange again. */
const recoveryStepMs = 250;
const recoveryMaxMs = 60_000;
const mebibyte = 2 ** 20;

/** What became of the exchange under an attack; milliseconds. */
interface Outcome {
  readonly idle: { readonly p50Ms: number; readonly p99Ms: number };
  readonly met: { readonly p50Ms: number; readonly p99Ms: number };
  /** Greatest resident memory, in MiB; `null` where the system does not tell. */
  readonly memory: number | null;
  readonly backAfterMs: number;
  readonly attacked: HostileResult;
}

/** Runs the attacker in a process of its own. */
function attackOnce(task: HostileTask): Promise<HostileResult> {
  const child = fork(join(import.meta.dirname, 'hostile-client.js'), { execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as HostileResult));
    child.once('close', (code) => reject(new Error(`the attacker ended with ${code}`)));
    child.send(task);
  });
}

/** Measures the resident memory of a process until it is stopped, which answers the greatest, in MiB. */
function watchMemory(pid: number): () => number | null {
  const path = `/proc/${pid}/statm`;
  if (!existsSync(path)) return () => null;
  let greatest = 0;
  const timer = setInterval(() => {
    // The process may have ended.
    if (existsSync(path)) greatest = Math.max(greatest, Number(readFileSync(path, 'utf8').split(' ')[1]) * 4096);
  }, memoryEveryMs);
  return () => {
    clearInterval(timer);
    return greatest / mebibyte;
  };
}

async function untilCalm(ping: (ms: number) => Promise<{ p50Ms: number }>, idleP50Ms: number): Promise<number> {
  const began = performance.now();
  const calmMs = Math.max(2, 2 * idleP50Ms);
  while (performance.now() - began < recoveryMaxMs) {
    const startedAt = performance.now() - began;
    if ((await ping(recoveryStepMs)).p50Ms <= calmMs) return startedAt;
  }
  return recoveryMaxMs;
}

async function endure(exchange: ExchangeProcess, task: HostileTask): Promise<Outcome> {
  const bystander = new LoadClient();
  const requests = [publicRequest('/api/v3/ping')];
  const ping = (durationMs: number) =>
    bystander.run({
      port: exchange.port,
      requests,
      connections: 4,
      durationMs,
      rate: pingsPerSecond,
      countsUnanswered: true,
    });
  const memory = watchMemory(exchange.child.pid!);
  try {
    await ping(idleMs / 2);
    const idle = await ping(idleMs);
    const [met, attacked] = await Promise.all([ping(task.durationMs), attackOnce(task)]);
    return { idle, met, attacked, backAfterMs: await untilCalm(ping, idle.p50Ms), memory: memory() };
  } finally {
    memory();
    bystander.stop();
  }
}

/** Addresses of an attack, which no other has. */
const addressesOf = (index: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `127.${index + 1}.0.${at + 2}`);

async function measure(name: string, attack: Attack, durationMs: number): Promise<readonly BenchLine[]> {
  const exchange = await startExchange([
    ...(attack.hasMarket === true ? ['--seed', '1'] : ['--no-simulate']),
    ...['--log-level', 'fatal', ...attack.flags],
  ]);
  const operatorPort = Number(new URL(exchange.demo.operator_url).port);
  try {
    const { idle, met, memory, backAfterMs, attacked } = await endure(exchange, {
      attack: name,
      port: attack.port === 'public' ? exchange.port : operatorPort,
      from: addressesOf(Object.keys(attacks).indexOf(name), attack.addresses),
      signers: exchange.demo.accounts,
      durationMs,
    });
    const answers = Object.entries(attacked.statuses).map(([status, count]) => `${count} × ${status}`);
    const ping =
      `the ping of another client, median; p99 ${met.p99Ms.toFixed(1)}, idle ${idle.p50Ms.toFixed(2)} and ` +
      `p99 ${idle.p99Ms.toFixed(1)}; back to that ${(backAfterMs / 1000).toFixed(1)} s after ${durationMs / 1000} s ` +
      `in which ${attack.about}: ${attacked.connections} connections, first answers ${answers.join(', ')}`;
    const budgets = { must: atMost(10), aim: atMost(4) };
    const lines = [alone({ name: `hostile/${name}`, unit: 'ms', ...budgets, note: ping }, [met.p50Ms])];
    if (memory === null) return lines;
    const note = 'greatest resident memory of the exchange meanwhile';
    return [
      ...lines,
      alone({ name: `hostile/${name}-memory`, unit: 'MiB', must: atMost(600), aim: null, note }, [memory]),
    ];
  } catch (error) {
    const { exitCode, signalCode } = exchange.child;
    const ended = exitCode === null && signalCode === null ? 'is alive' : `ended with ${exitCode ?? signalCode}`;
    const note = `FAILED, the exchange ${ended}: ${String(error)}; ${attack.about}`;
    return [alone({ name: `hostile/${name}`, unit: 'ms', must: atMost(10), aim: null, note }, [Infinity])];
  } finally {
    await exchange.stop();
  }
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const durationMs = size.minutes === null ? (size.quick ? 4000 : 10_000) : size.minutes * 60_000;
  for (const [name, attack] of Object.entries(attacks)) {
    if (!isAsked(`hostile/${name}-memory`, size)) continue;
    for (const line of await measure(name, attack, durationMs)) report(line);
  }
}

/** What attacks cost another client, and the memory of the exchange; each lasts `--seconds N`. */
export const group: BenchGroup = {
  names: Object.keys(attacks).flatMap((name) => [`hostile/${name}`, `hostile/${name}-memory`]),
  run,
};
