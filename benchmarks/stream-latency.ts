import { fork } from 'node:child_process';
import { join } from 'node:path';
import { startExchange } from './exchange-process.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { alone, atMost } from './harness.ts';
import { listenKeyOf } from './listen-key.ts';
import type { PushLatency, PushLatencyTask } from './stream-latency-client.ts';

const rate = 1000;

/** Runs the client in a process of its own. */
function measureOnce(task: PushLatencyTask): Promise<PushLatency> {
  const child = fork(join(import.meta.dirname, 'stream-latency-client.js'), { execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as PushLatency));
    child.once('close', (code) => reject(new Error(`the latency client ended with ${code}`)));
    child.send(task);
  });
}

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const exchange = await startExchange(['--no-simulate', '--no-rate-limits', '--log-level', 'error']);
  try {
    const signers = ['alice', 'bob'].map((name) => exchange.demo.accounts.find((account) => account.name === name)!);
    const keys = await Promise.all(signers.map((signer) => listenKeyOf(exchange.port, signer)));
    const results: PushLatency[] = [];
    for (let sample = 0; sample <= size.samples; sample += 1) {
      const task = { port: exchange.port, signers, keys, rate, seconds: size.quick ? 1 : 5 };
      const result = await measureOnce(task);
      if (sample > 0) results.push(result);
    }
    const middle = results[results.length >> 1]!;
    report(
      alone(
        {
          name: 'stream/ack-to-push',
          unit: 'ms',
          must: atMost(10),
          aim: atMost(2),
          note:
            `p99 from an order's answer to its push at ${rate} orders/s, answers and pushes read by one client; p50 ` +
            `${middle.p50Ms.toFixed(2)} ms, ${(middle.before * 100).toFixed(0)} % of pushes came before the answer`,
        },
        results.map(({ p99Ms }) => p99Ms),
      ),
    );
  } finally {
    await exchange.stop();
  }
}

/** How long after its answer an order is pushed to who listens. */
export const group: BenchGroup = { names: ['stream/ack-to-push'], run };
