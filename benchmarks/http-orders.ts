import { startBaseline } from './baseline.ts';
import { startExchange } from './exchange-process.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atMost, compared, interleave, isAsked, median } from './harness.ts';
import { LoadClient, rateOf } from './load.ts';
import { costed, cpuMicroseconds, warmUp } from './processor-time.ts';
import type { Signer } from './signed-requests.ts';
import { orderRequests } from './signed-requests.ts';

type Report = (line: BenchLine) => void;

/** Connections, and what the lines of the load on them are called; only those without a suffix have a budget. */
const loads = [
  { connections: 64, suffix: '' },
  { connections: 8, suffix: '-8' },
  { connections: 512, suffix: '-512' },
] as const;
type OrderLoad = (typeof loads)[number];

const lineNames = ['http/order-cpu', 'http/order-durable', 'http/order-latency'] as const;
const namesOf = ({ suffix }: OrderLoad): string[] => lineNames.map((name) => name + suffix);

const prepared = 4000;
const durationMsMax = 30_000;

/** A server under load. */
interface Server {
  readonly port: number;
  readonly pid: number;
}

interface Servers {
  readonly exchange: Server;
  readonly baseline: Server;
  readonly pair: readonly [Signer, Signer];
  readonly client: LoadClient;
}

/** Cost and rate of as many orders as the server answers; then the tail at half of that rate. */
async function measure(
  { exchange, baseline, pair, client }: Servers,
  { connections, suffix }: OrderLoad,
  size: BenchSize,
  report: Report,
): Promise<void> {
  const answersMax = size.quick ? 6000 : 20_000;
  const load = { connections, durationMs: size.quick ? 500 : 4000 };
  const busy = { connections, durationMs: durationMsMax, answersMax, rate: null };
  const run = (server: Server, task: typeof busy | (typeof load & { readonly rate: number })) =>
    client.run({ ...task, port: server.port, requests: orderRequests(prepared, pair) });
  const cost = (server: Server) => costed(server.pid, () => run(server, busy));
  const costs = await interleave({ exchange: () => cost(exchange), baseline: () => cost(baseline) }, size.samples);
  const what = `POST /api/v3/order, durable, ${connections} connections`;
  const guards = (must: number, aim: number) =>
    suffix === '' ? { must: atMost(must), aim: atMost(aim) } : { must: null, aim: null };
  const note = `${what}; processor time of the process; against Fastify + HMAC + such an answer`;
  const micros = [costs.exchange.map(cpuMicroseconds), costs.baseline.map(cpuMicroseconds)] as const;
  report(compared({ name: `http/order-cpu${suffix}`, unit: 'µs/req', ...guards(2.5, 1.4), note }, ...micros));
  const rates = costs.exchange.map(rateOf);
  const rateLine = { name: `http/order-durable${suffix}`, unit: 'req/s', must: null, aim: null };
  const rateNote = `${what}; against the same as above`;
  report(compared({ ...rateLine, note: rateNote }, rates, costs.baseline.map(rateOf)));
  const half = median(rates) / 2;
  const p99 = async (server: Server): Promise<number> => (await run(server, { ...load, rate: half })).p99Ms;
  const tails = await interleave({ exchange: () => p99(exchange), baseline: () => p99(baseline) }, size.samples);
  const tailNote = `p99 at ${half.toFixed(0)} req/s, half of the rate above, counted from when each request fell due`;
  const tailLine = { name: `http/order-latency${suffix}`, unit: 'ms', ...guards(5, 1.5), note: tailNote };
  report(compared(tailLine, tails.exchange, tails.baseline));
}

async function run(size: BenchSize, report: Report): Promise<void> {
  const exchange = await startExchange(['--no-simulate', '--no-rate-limits', '--log-level', 'error']);
  const signers = ['alice', 'bob'].map((name) => exchange.demo.accounts.find((account) => account.name === name)!);
  const pair = [signers[0]!, signers[1]!] as const satisfies readonly [Signer, Signer];
  const secrets = Object.fromEntries(pair.map(({ apiKey, secretKey }) => [apiKey, secretKey]));
  const baseline = await startBaseline({ secrets, bodies: [] });
  const client = new LoadClient();
  const servers = { exchange: { port: exchange.port, pid: exchange.child.pid! }, baseline, pair, client };
  try {
    for (const { port } of [servers.exchange, baseline]) {
      await warmUp(client, { port, requests: orderRequests(prepared, pair), connections: loads[0].connections }, size);
    }
    for (const each of loads) {
      if (namesOf(each).some((name) => isAsked(name, size))) await measure(servers, each, size, report);
    }
  } finally {
    client.stop();
    baseline.stop();
    await exchange.stop();
  }
}

/** Order entry over HTTP, durable before each answer. */
export const group: BenchGroup = { names: loads.flatMap(namesOf), run };
