import { readdirSync, readFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import { startExchange, type ExchangeProcess } from './exchange-process.ts';
import type { BenchGroup, BenchLine, BenchSize } from './harness.ts';
import { alone, atMost } from './harness.ts';
import { type Reading, slopePerMinute } from './least-squares.ts';
import { listenKeyOf } from './listen-key.ts';
import { LoadClient } from './load.ts';
import type { Signer } from './signed-requests.ts';
import { orderRequests } from './signed-requests.ts';

const ordersPerSecond = 500;
const orderConnections = 16;
/** Requests are signed for a minute: each load is shorter, and signs anew. */
const loadMs = 20_000;
const readingMs = 2000;
const publicSockets = 40;
const socketsPerKey = 5;

const publicChannels = [
  'spot@public.aggre.deals.v3.api.pb@10ms@BTCUSDT',
  'spot@public.aggre.depth.v3.api.pb@10ms@BTCUSDT',
  'spot@public.limit.depth.v3.api.pb@BTCUSDT@20',
  'spot@public.kline.v3.api.pb@BTCUSDT@Min1',
];
const privateChannels = ['deals', 'orders', 'account'].map((name) => `spot@private.${name}.v3.api.pb`);

/** Opens a websocket that reads whatever comes; resolves with it once its channels are acknowledged. */
function listen(port: number, query: string, channels: readonly string[]): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws${query}`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('message', () => resolve(socket));
    socket.once('open', () => socket.send(JSON.stringify({ method: 'SUBSCRIPTION', params: channels })));
  });
}

async function listeners(port: number, signers: readonly Signer[]): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = [];
  for (let index = 0; index < publicSockets; index += 1) sockets.push(await listen(port, '', publicChannels));
  for (const signer of signers) {
    const key = await listenKeyOf(port, signer);
    for (let index = 0; index < socketsPerKey; index += 1) {
      sockets.push(await listen(port, `?listenKey=${key}`, privateChannels));
    }
  }
  return sockets;
}

/** Resident megabytes and open descriptors of a process. Linux only. */
function readProcess(pid: number): { readonly resident: number; readonly descriptors: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    resident: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

interface Readings {
  readonly resident: Reading[];
  readonly descriptors: Reading[];
}

/** Loads the exchange for so many minutes and reads it all the while. */
async function soak(exchange: ExchangeProcess, signers: readonly [Signer, Signer], minutes: number): Promise<Readings> {
  const readings: Readings = { resident: [], descriptors: [] };
  const began = performance.now();
  const minute = (): number => (performance.now() - began) / 60_000;
  const reader = setInterval(() => {
    const { resident, descriptors } = readProcess(exchange.child.pid!);
    readings.resident.push({ minute: minute(), value: resident });
    readings.descriptors.push({ minute: minute(), value: descriptors });
  }, readingMs);
  const client = new LoadClient();
  try {
    while (minute() < minutes) {
      const durationMs = Math.min(loadMs, Math.max(1000, (minutes - minute()) * 60_000));
      const requests = orderRequests(2000, signers);
      await client.run({
        port: exchange.port,
        requests,
        connections: orderConnections,
        durationMs,
        rate: ordersPerSecond,
      });
    }
  } finally {
    clearInterval(reader);
    client.stop();
  }
  return readings;
}

/**
 * V8 doubles and halves the young generation as the rate of garbage goes, between 4 and 128 MB and minutes apart: over
 * that no slope can be read. It is held at its full size here, which `npm start` reaches as well.
 */
const nodeFlags = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Megabytes of the heap in use, and outside of it, as the exchange tells its operator. */
async function toldMemory(operatorUrl: string): Promise<string> {
  const text = await (await fetch(`${operatorUrl}/metrics`)).text();
  const megabytes = (kind: string): string => {
    const bytes = Number(new RegExp(`^bourse_memory_bytes\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
    return (bytes / 2 ** 20).toFixed(0);
  };
  return `heap ${megabytes('heapUsed')} of ${megabytes('heapTotal')} MB, external ${megabytes('external')} MB`;
}

/** What is read before this share of the run is warm-up. */
const warmUpShare = 1 / 3;

async function run(size: BenchSize, report: (line: BenchLine) => void): Promise<void> {
  const minutes = size.minutes ?? (size.quick ? 0.5 : 3);
  const exchange = await startExchange(['--no-simulate', '--no-rate-limits', '--log-level', 'error'], { nodeFlags });
  const signers = ['alice', 'bob'].map((name) => exchange.demo.accounts.find((account) => account.name === name)!);
  const pair = [signers[0]!, signers[1]!] as const satisfies readonly [Signer, Signer];
  try {
    const sockets = await listeners(exchange.port, pair);
    const readings = await soak(exchange, pair, minutes);
    const steady = (all: readonly Reading[]): readonly Reading[] =>
      all.filter((reading) => reading.minute >= minutes * warmUpShare);
    const closed = sockets.filter((socket) => socket.readyState !== WebSocket.OPEN).length;
    if (closed > 0) throw new Error(`${closed} websockets did not last`);
    const from = (minutes * warmUpShare).toFixed(1);
    const span = ({ resident }: Readings): string => {
      const after = steady(resident);
      return `${after[0]?.value.toFixed(0)} → ${after.at(-1)?.value.toFixed(0)} MB`;
    };
    const load = `${ordersPerSecond} orders/s, ${sockets.length} websockets`;
    const told = await toldMemory(exchange.demo.operator_url);
    report(
      alone(
        {
          name: 'soak/resident',
          unit: 'MB/minute',
          must: atMost(2),
          aim: atMost(0.2),
          note: `least squares from minute ${from} to ${minutes}; ${load}; ${span(readings)}; ${told}`,
        },
        [slopePerMinute(steady(readings.resident))],
      ),
    );
    report(
      alone(
        {
          name: 'soak/descriptors',
          unit: 'files/minute',
          must: atMost(0.5),
          aim: atMost(0.1),
          note: `open descriptors, the same run; ${readings.descriptors.at(-1)?.value} at its end`,
        },
        [slopePerMinute(steady(readings.descriptors))],
      ),
    );
    for (const socket of sockets) socket.terminate();
  } finally {
    await exchange.stop();
  }
}

/** Whether memory and descriptors grow under a steady load; `--minutes N` says how long it lasts. */
export const group: BenchGroup = { names: ['soak/resident', 'soak/descriptors'], onlyByName: true, run };
