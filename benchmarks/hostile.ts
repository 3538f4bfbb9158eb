import { fork } from 'node:child_process';
import { join } from 'node:path';
import { startExchange } from './exchange-process.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { alone, atMost } from './harness.ts';
import type { HostileResult, HostileTask } from './hostile-client.ts';
import { LoadClient } from './load.ts';
import { publicRequest } from './signed-requests.ts';

/** Each attack comes from four addresses of its own, so that the budgets of one are not spent by the other. */
const addressesOf = (attack: number): string[] => [2, 3, 4, 5].map((last) => `127.0.${attack}.${last}`);
const connectionsPerAddress = 16;
/** 500 in 10 s is what an address may spend at an endpoint of weight 1. */
const ratePerAddress = 50;
const pingsPerSecond = 40;

const membersOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"m${index}":${index}`).join(',')}}`;

/** As large as 64 members and 8 KiB let a body be, escaped so that no quick reader takes it. */
function largestBody(): string {
  const filler = '\\u0041'.repeat(20);
  const members = Array.from({ length: 63 }, (_, index) => `"m${index}":"${filler}"`);
  return `{${members.join(',')}}`;
}

/** A signed order whose signature is wrong: its body is read first, and everything about it is refused. */
function attack(apiKey: string, body: string): string {
  const target = `/api/v3/order?recvWindow=59999&timestamp=${Date.now()}&signature=${'0'.repeat(64)}`;
  return (
    `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-SVC-APIKEY: ${apiKey}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
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

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const durationMs = size.minutes === null ? (size.quick ? 4000 : 10_000) : size.minutes * 60_000;
  const exchange = await startExchange(['--no-simulate', '--log-level', 'error']);
  const bystander = new LoadClient();
  const ping = (forMs: number) =>
    bystander.run({
      port: exchange.port,
      requests: [publicRequest('/api/v3/ping')],
      connections: 4,
      durationMs: forMs,
      rate: pingsPerSecond,
    });
  const { apiKey } = exchange.demo.accounts[0]!;
  const bodies = { 'ping-large': membersOf(15_000), 'ping-small': largestBody() };
  try {
    await ping(1000);
    const idle = await ping(2000);
    for (const [index, [name, body]] of Object.entries(bodies).entries()) {
      const addresses = addressesOf(index);
      const task = { port: exchange.port, from: addresses, connectionsPerAddress, rate: ratePerAddress, durationMs };
      const [met, attacked] = await Promise.all([
        ping(durationMs),
        attackOnce({ ...task, request: attack(apiKey, body) }),
      ]);
      const answers = Object.entries(attacked.statuses).map(([status, count]) => `${count} × ${status}`);
      report(
        alone(
          {
            name: `hostile/${name}`,
            unit: 'ms',
            must: atMost(10),
            aim: atMost(4),
            note:
              `the ping of another client, median (idle ${idle.p50Ms.toFixed(2)}, p99 ${met.p99Ms.toFixed(1)}) while ` +
              `${addresses.length} addresses send ${ratePerAddress} bodies/s each of ${body.length} bytes, signed ` +
              `wrongly, for ${durationMs / 1000} s; answered ${answers.join(', ')}, hung up on ${attacked.hungUp}`,
          },
          [met.p50Ms],
        ),
      );
    }
  } finally {
    bystander.stop();
    await exchange.stop();
  }
}

/** What clients with hostile bodies cost another client; the attack lasts `--minutes N`. */
export const group: BenchGroup = { names: ['hostile/ping-large', 'hostile/ping-small'], run };
