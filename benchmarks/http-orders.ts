import { startBaseline } from './baseline.ts';
import { startExchange } from './exchange-process.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atMost, compared, interleave, median } from './harness.ts';
import { LoadClient, rateOf } from './load.ts';
import { costed, cpuMicroseconds } from './processor-time.ts';
import type { Signer } from './signed-requests.ts';
import { orderRequests } from './signed-requests.ts';

const connections = 64;
const prepared = 4000;
const durationMsMax = 30_000;

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const exchange = await startExchange(['--no-simulate', '--no-rate-limits', '--log-level', 'error']);
  const signers = ['alice', 'bob'].map((name) => exchange.demo.accounts.find((account) => account.name === name)!);
  const pair = [signers[0]!, signers[1]!] as const satisfies readonly [Signer, Signer];
  const secrets = Object.fromEntries(pair.map(({ apiKey, secretKey }) => [apiKey, secretKey]));
  const baseline = await startBaseline({ secrets, bodies: [] });
  const durationMs = size.quick ? 500 : 4000;
  const answersMax = size.quick ? 6000 : 20_000;
  const client = new LoadClient();
  const load = (port: number, rate: number | null) =>
    client.run({ port, requests: orderRequests(prepared, pair), connections, durationMs, rate });
  const busy = (port: number) =>
    client.run({
      port,
      requests: orderRequests(prepared, pair),
      connections,
      durationMs: durationMsMax,
      answersMax,
      rate: null,
    });
  try {
    const loads = await interleave(
      {
        exchange: () => costed(exchange.child.pid!, () => busy(exchange.port)),
        baseline: () => costed(baseline.pid, () => busy(baseline.port)),
      },
      size.samples,
    );
    const what = `POST /api/v3/order, durable, ${connections} connections`;
    const [must, aim] = [atMost(2.6), atMost(1.4)];
    const note = `${what}; processor time of the process; against Fastify + HMAC + such an answer`;
    const costs = [loads.exchange.map(cpuMicroseconds), loads.baseline.map(cpuMicroseconds)] as const;
    report(compared({ name: 'http/order-cpu', unit: 'µs/req', must, aim, note }, ...costs));
    const rates = loads.exchange.map(rateOf);
    const rateNote = `${what}; against the same as above`;
    const rateLine = { name: 'http/order-durable', unit: 'req/s', must: null, aim: null, note: rateNote };
    report(compared(rateLine, rates, loads.baseline.map(rateOf)));
    const half = median(rates) / 2;
    const tails = await interleave(
      {
        exchange: async () => (await load(exchange.port, half)).p99Ms,
        baseline: async () => (await load(baseline.port, half)).p99Ms,
      },
      size.samples,
    );
    report(
      compared(
        {
          name: 'http/order-latency',
          unit: 'ms',
          must: atMost(3),
          aim: atMost(1.5),
          note: `p99 at ${half.toFixed(0)} req/s, half of the rate above, counted from when each request fell due`,
        },
        tails.exchange,
        tails.baseline,
      ),
    );
  } finally {
    client.stop();
    baseline.stop();
    await exchange.stop();
  }
}

/** Order entry over HTTP, durable before each answer. */
export const group: BenchGroup = { names: ['http/order-cpu', 'http/order-durable', 'http/order-latency'], run };
