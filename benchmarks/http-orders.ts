import { startBaseline } from './baseline.ts';
import { startExchange } from './exchange-process.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atLeast, atMost, compared, interleave, median } from './harness.ts';
import { LoadClient, rateOf } from './load.ts';
import type { Signer } from './signed-requests.ts';
import { orderRequests } from './signed-requests.ts';

const connections = 64;
const prepared = 4000;

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const exchange = await startExchange(['--no-simulate', '--no-rate-limits', '--log-level', 'error']);
  const signers = ['alice', 'bob'].map((name) => exchange.demo.accounts.find((account) => account.name === name)!);
  const pair = [signers[0]!, signers[1]!] as const satisfies readonly [Signer, Signer];
  const secrets = Object.fromEntries(pair.map(({ apiKey, secretKey }) => [apiKey, secretKey]));
  const baseline = await startBaseline({ secrets, bytes: '{}' });
  const durationMs = size.quick ? 500 : 4000;
  const client = new LoadClient();
  const load = (port: number, rate: number | null) =>
    client.run({ port, requests: orderRequests(prepared, pair), connections, durationMs, rate });
  try {
    const rates = await interleave(
      {
        exchange: async () => rateOf(await load(exchange.port, null)),
        baseline: async () => rateOf(await load(baseline.port, null)),
      },
      size.samples,
    );
    report(
      compared(
        {
          name: 'http/order-durable',
          unit: 'req/s',
          must: atLeast(0.7),
          aim: atLeast(0.95),
          note: `POST /api/v3/order, durable, ${connections} connections; against Fastify + HMAC + such an answer`,
        },
        rates.exchange,
        rates.baseline,
      ),
    );
    const half = median(rates.exchange) / 2;
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
export const group: BenchGroup = { names: ['http/order-durable', 'http/order-latency'], run };
