import { startBaseline } from './baseline.ts';
import type { ExchangeProcess } from './exchange-process.ts';
import { startExchange } from './exchange-process.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { atMost, compared, interleave, interleaveSlices, isAsked } from './harness.ts';
import { LoadClient, rateOf } from './load.ts';
import { measureReadCosts, readRequest } from './read-costs.ts';
import type { Signer } from './signed-requests.ts';
import { orderRequests, publicRequest, signedRequest } from './signed-requests.ts';

const connections = 64;
const depthTarget = '/api/v3/depth?symbol=BTCUSDT&limit=100';
/** The machine's moods change within a second: a sample consists of so many loads, the other side's between them. */
const slices = 4;
const levels = 150;
const openOrders = 40;

const signerOf = (exchange: ExchangeProcess, name: string): Signer =>
  exchange.demo.accounts.find((account) => account.name === name)!;

async function send(exchange: ExchangeProcess, request: string): Promise<string> {
  const [line = '', ...rest] = request.split('\r\n');
  const [method = 'GET', target = ''] = line.split(' ');
  const key = rest.find((header) => header.startsWith('X-SVC-APIKEY'))?.split(': ')[1];
  const headers: Record<string, string> = key === undefined ? {} : { 'X-SVC-APIKEY': key };
  const response = await fetch(`${exchange.demo.base_url}${target}`, { method, headers });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${line}: ${response.status} ${body}`);
  return body;
}

/** Fills both sides of the book around the price at which the load trades. */
async function buildBook(exchange: ExchangeProcess): Promise<string> {
  const makers = [signerOf(exchange, 'alice'), signerOf(exchange, 'bob')];
  let orderId = '';
  for (let level = 1; level <= levels; level += 1) {
    for (const side of ['BUY', 'SELL']) {
      const price = side === 'BUY' ? 59_000 - level : 61_000 + level;
      const query = `symbol=BTCUSDT&side=${side}&type=LIMIT&quantity=0.001&price=${price}`;
      const request = signedRequest(makers[level % 2]!, { method: 'POST', path: '/api/v3/order', query });
      const body = await send(exchange, request);
      if (level % 2 === 0) orderId = (JSON.parse(body) as { orderId: string }).orderId;
    }
  }
  return orderId;
}

async function measureDepth(
  exchange: ExchangeProcess,
  client: LoadClient,
  size: BenchSize,
  report: (line: BenchLine) => void,
): Promise<void> {
  const mover = new LoadClient();
  const durationMs = (size.quick ? 700 : 4000) / slices;
  const bytes = await send(exchange, publicRequest(depthTarget));
  const baseline = await startBaseline({ secrets: {}, bodies: [bytes] });
  const pair = [signerOf(exchange, 'alice'), signerOf(exchange, 'bob')] as const;
  const moved = async (): Promise<number> => {
    const orders = {
      port: exchange.port,
      requests: orderRequests(2000, pair),
      connections: 4,
      durationMs: durationMs + 50,
    };
    const moving = mover.run({ ...orders, rate: 300 });
    const reads = await client.run({
      port: exchange.port,
      requests: [publicRequest(depthTarget)],
      connections,
      durationMs,
      rate: null,
    });
    await moving;
    return rateOf(reads);
  };
  try {
    const rates = await interleaveSlices(
      {
        exchange: moved,
        baseline: async () =>
          rateOf(
            await client.run({
              port: baseline.port,
              requests: [publicRequest('/bytes/0')],
              connections,
              durationMs,
              rate: null,
            }),
          ),
      },
      size.samples,
      slices,
    );
    report(
      compared(
        {
          name: 'http/depth',
          unit: 'req/s',
          must: null,
          aim: null,
          note: `GET depth?limit=100, 300 orders/s beside it; against Fastify sending ${bytes.length} such bytes`,
        },
        rates.exchange,
        rates.baseline,
      ),
    );
  } finally {
    mover.stop();
    baseline.stop();
  }
}

async function measureAccountReads(
  exchange: ExchangeProcess,
  client: LoadClient,
  orderId: string,
  size: BenchSize,
  report: (line: BenchLine) => void,
): Promise<void> {
  const durationMs = size.quick ? 400 : 4000;
  const alice = signerOf(exchange, 'alice');
  const calls = [
    { method: 'GET', path: '/api/v3/openOrders', query: 'symbol=ETHUSDT' },
    { method: 'GET', path: '/api/v3/account', query: '' },
    { method: 'GET', path: '/api/v3/order', query: `symbol=BTCUSDT&orderId=${orderId}` },
  ] as const;
  const bodies = await Promise.all(calls.map((call) => send(exchange, signedRequest(alice, call))));
  const baselines = await Promise.all(
    bodies.map((bytes) => startBaseline({ secrets: { [alice.apiKey]: alice.secretKey }, bodies: [bytes] })),
  );
  const over = async (port: (index: number) => number, path: (index: number) => string): Promise<number> => {
    let answers = 0;
    let seconds = 0;
    for (const [index, call] of calls.entries()) {
      const request = signedRequest(alice, { ...call, path: path(index) });
      const task = { port: port(index), requests: [request], connections, durationMs: durationMs / 2, rate: null };
      const result = await client.run(task);
      answers += result.answers;
      seconds += result.seconds;
    }
    return answers / seconds;
  };
  try {
    const rates = await interleave(
      {
        exchange: () =>
          over(
            () => exchange.port,
            (index) => calls[index]!.path,
          ),
        baseline: () =>
          over(
            (index) => baselines[index]!.port,
            () => '/signed/0',
          ),
      },
      size.samples,
    );
    report(
      compared(
        {
          name: 'http/account-reads',
          unit: 'req/s',
          must: null,
          aim: null,
          note: `GET openOrders (${openOrders}), account, order; against Fastify + HMAC sending the same bytes`,
        },
        rates.exchange,
        rates.baseline,
      ),
    );
  } finally {
    for (const baseline of baselines) baseline.stop();
  }
}

async function keepOpen(exchange: ExchangeProcess, signer: Signer, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const query = `symbol=ETHUSDT&side=BUY&type=LIMIT&quantity=0.01&price=${1000 + index}`;
    await send(exchange, signedRequest(signer, { method: 'POST', path: '/api/v3/order', query }));
  }
}

/** What public reads and an account's reads cost, with orders beside them. */
async function measureCosts(exchange: ExchangeProcess, orderId: string, size: BenchSize): Promise<BenchLine> {
  const mover = new LoadClient();
  const pair = [signerOf(exchange, 'alice'), signerOf(exchange, 'bob')] as const;
  const [alice] = pair;
  const calls = [
    { name: 'depth', path: '/api/v3/depth', query: 'symbol=BTCUSDT&limit=100', signer: null },
    { name: '24-hour ticker', path: '/api/v3/ticker/24hr', query: 'symbol=BTCUSDT', signer: null },
    { name: 'all book tickers', path: '/api/v3/ticker/bookTicker', query: '', signer: null },
    { name: 'exchange info', path: '/api/v3/exchangeInfo', query: '', signer: null },
    { name: 'trades', path: '/api/v3/trades', query: 'symbol=BTCUSDT&limit=20', signer: null },
    { name: 'open orders', path: '/api/v3/openOrders', query: 'symbol=ETHUSDT', signer: alice },
    { name: 'account', path: '/api/v3/account', query: '', signer: alice },
    { name: 'order', path: '/api/v3/order', query: `symbol=BTCUSDT&orderId=${orderId}`, signer: alice },
  ] as const;
  const move = (answersMax: number, rate: number | null = 200) => {
    const requests = orderRequests(400, pair);
    return mover.run({ port: exchange.port, requests, connections: 2, durationMs: 10_000, answersMax, rate });
  };
  try {
    // An order costs ten times as much before its code is compiled.
    await move(4000, null);
    const reads = await Promise.all(
      calls.map(async (call) => ({ ...call, bytes: await send(exchange, readRequest(call)) })),
    );
    const line = { name: 'http/reads-cpu', must: atMost(3), aim: atMost(1.1) };
    return await measureReadCosts(line, reads, { pid: exchange.child.pid!, port: exchange.port, move, size });
  } finally {
    mover.stop();
  }
}

/** Reads over HTTP: a moving public book, and an account's own state. */
export const group: BenchGroup = {
  names: ['http/reads-cpu', 'http/depth', 'http/account-reads'],
  async run(size, report) {
    const exchange = await startExchange(['--no-simulate', '--no-rate-limits', '--log-level', 'error']);
    const client = new LoadClient();
    try {
      const orderId = await buildBook(exchange);
      await keepOpen(exchange, signerOf(exchange, 'alice'), openOrders);
      if (isAsked('http/reads-cpu', size)) report(await measureCosts(exchange, orderId, size));
      if (isAsked('http/depth', size)) await measureDepth(exchange, client, size, report);
      if (isAsked('http/account-reads', size)) await measureAccountReads(exchange, client, orderId, size, report);
    } finally {
      client.stop();
      await exchange.stop();
    }
  },
};
