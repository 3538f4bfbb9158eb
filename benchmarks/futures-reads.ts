import { startBaseline } from './baseline.ts';
import type { ExchangeProcess } from './exchange-process.ts';
import { startExchange } from './exchange-process.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atMost, compared, interleaveSlices, isAsked } from './harness.ts';
import { LoadClient, rateOf } from './load.ts';
import { measureReadCosts, readRequest } from './read-costs.ts';
import { publicRequest, signedRequest } from './signed-requests.ts';

const connections = 64;
/** The machine's moods change within a second: a sample consists of so many loads, the other side's between them. */
const slices = 4;
const contract = 'BTC_USDT';
const levels = 100;
/** Around it both sides are quoted, and at it orders meet. */
const middle = 60_000;

/** A call of the operator API as bytes of HTTP/1.1. */
function operatorRequest({ demo }: ExchangeProcess, method: string, path: string, fields: object): string {
  const body = JSON.stringify(fields);
  const headers = `Host: 127.0.0.1\r\nAuthorization: Bearer ${demo.operator_token}\r\n`;
  const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\n${headers}${length}\r\n${body}`;
}

/** Sends a request that was made for a load, once. */
async function send(base: string, request: string): Promise<string> {
  const [head = '', body] = request.split('\r\n\r\n');
  const [line = '', ...rest] = head.split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = Object.fromEntries(rest.map((each) => each.split(': ') as [string, string]));
  const isPlain = method === 'GET' || body === '';
  const response = await fetch(base + target, { method, headers, ...(isPlain ? {} : { body: body! }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${line}: ${response.status} ${text}`);
  return text;
}

const order = (exchange: ExchangeProcess, uid: string, fields: object): string =>
  operatorRequest(exchange, 'POST', `/v1/accounts/${uid}/contracts/${contract}/orders`, { kind: 'limit', ...fields });

/** Prices of the book: the index is given by hand, and both sides are filled around it. */
async function buildBook(exchange: ExchangeProcess, makers: readonly string[]): Promise<void> {
  const operator = exchange.demo.operator_url;
  const given = { source: 'BENCH', price: String(middle), weight: 1_000_000, liveSeconds: 3600 };
  await send(operator, operatorRequest(exchange, 'POST', `/v1/contracts/${contract}/index/prices`, given));
  for (const name of ['alice', 'bob']) {
    const signer = exchange.demo.accounts.find((account) => account.name === name)!;
    const query = 'fromAccountType=SPOT&toAccountType=FUTURES&asset=USDT&amount=4000';
    const path = '/api/v3/capital/transfer';
    await send(exchange.demo.base_url, signedRequest(signer, { method: 'POST', path, query }));
  }
  for (let level = 1; level <= levels; level += 1) {
    for (const side of ['buy', 'sell']) {
      const price = String(side === 'buy' ? middle - 50 - level : middle + 50 + level);
      await send(operator, order(exchange, makers[level % 2]!, { side, price, lots: 1 + (level % 9) }));
    }
  }
}

/** Orders that meet each other in fours, so that positions close again. */
const movingOrders = (exchange: ExchangeProcess, [first, second]: readonly string[]): string[] =>
  Array.from({ length: 400 }, (_, index) => {
    const uid = index % 4 === 0 || index % 4 === 3 ? first! : second!;
    const side = index % 2 === 0 ? 'buy' : 'sell';
    return order(exchange, uid, { side, price: String(middle + (Math.floor(index / 4) % 40)), lots: 1 });
  });

interface Reading {
  readonly name: string;
  readonly target: string;
  readonly what: string;
}
const readings: readonly Reading[] = [
  { name: 'futures/depth', target: `/api/v1/contract/depth/${contract}`, what: `depth of ${levels} levels a side` },
  { name: 'futures/ticker', target: `/api/v1/contract/ticker?symbol=${contract}`, what: 'one ticker' },
];

async function measure(
  exchange: ExchangeProcess,
  { name, target, what }: Reading,
  { size, moving }: { readonly size: BenchSize; readonly moving: readonly string[] },
): Promise<BenchLine> {
  const [client, mover] = [new LoadClient(), new LoadClient()];
  const durationMs = (size.quick ? 700 : 4000) / slices;
  const bytes = await send(exchange.demo.base_url, publicRequest(target));
  const baseline = await startBaseline({ secrets: {}, bodies: [bytes] });
  const operatorPort = Number(new URL(exchange.demo.operator_url).port);
  const load = (port: number, path: string) =>
    client.run({ port, requests: [publicRequest(path)], connections, durationMs, rate: null });
  const moved = async (): Promise<number> => {
    const orders = { port: operatorPort, requests: moving, connections: 2, durationMs: durationMs + 50, rate: 100 };
    const running = mover.run(orders);
    const reads = await load(exchange.port, target);
    await running;
    return rateOf(reads);
  };
  try {
    const rates = await interleaveSlices(
      { exchange: moved, baseline: async () => rateOf(await load(baseline.port, '/bytes/0')) },
      size.samples,
      slices,
    );
    const note = `GET ${what}, 100 orders/s beside it; against Fastify sending ${bytes.length} such bytes`;
    const line = { name, unit: 'req/s', must: null, aim: null, note };
    return compared(line, rates.exchange, rates.baseline);
  } finally {
    client.stop();
    mover.stop();
    baseline.stop();
  }
}

/** What public reads cost, with orders beside them. */
async function measureCosts(
  exchange: ExchangeProcess,
  { size, moving }: { readonly size: BenchSize; readonly moving: readonly string[] },
): Promise<BenchLine> {
  const mover = new LoadClient();
  const operatorPort = Number(new URL(exchange.demo.operator_url).port);
  const calls = [
    { name: 'depth', path: `/api/v1/contract/depth/${contract}`, query: '' },
    { name: 'ticker', path: '/api/v1/contract/ticker', query: `symbol=${contract}` },
    { name: 'contract detail', path: '/api/v1/contract/detail', query: '' },
    { name: 'deals', path: `/api/v1/contract/deals/${contract}`, query: 'limit=20' },
    { name: 'index price', path: `/api/v1/contract/index_price/${contract}`, query: '' },
    { name: 'funding rate', path: `/api/v1/contract/funding_rate/${contract}`, query: '' },
  ].map((call) => ({ ...call, signer: null }));
  const move = (answersMax: number, rate: number | null = 200) =>
    mover.run({ port: operatorPort, requests: moving, connections: 2, durationMs: 10_000, answersMax, rate });
  try {
    // An order costs ten times as much before its code is compiled.
    await move(2000, null);
    const reads = await Promise.all(
      calls.map(async (call) => ({ ...call, bytes: await send(exchange.demo.base_url, readRequest(call)) })),
    );
    const line = { name: 'futures/reads-cpu', must: atMost(4), aim: atMost(1.1) };
    return await measureReadCosts(line, reads, { pid: exchange.child.pid!, port: exchange.port, move, size });
  } finally {
    mover.stop();
  }
}

/** Public reads of contracts over HTTP: a moving book and its ticker. */
export const group: BenchGroup = {
  names: ['futures/reads-cpu', ...readings.map(({ name }) => name)],
  async run(size, report) {
    const exchange = await startExchange(['--no-simulate', '--no-rate-limits', '--log-level', 'error']);
    try {
      const makers = ['alice', 'bob'].map(
        (name) => exchange.demo.accounts.find((account) => account.name === name)!.uid,
      );
      await buildBook(exchange, makers);
      const moving = movingOrders(exchange, makers);
      if (isAsked('futures/reads-cpu', size)) report(await measureCosts(exchange, { size, moving }));
      for (const reading of readings) {
        if (isAsked(reading.name, size)) report(await measure(exchange, reading, { size, moving }));
      }
    } finally {
      await exchange.stop();
    }
  },
};
