import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import type { Signer } from './signed-requests.ts';
import { orderHead } from './signed-requests.ts';

/** What the client is asked to do. */
export interface PushLatencyTask {
  readonly port: number;
  readonly signers: readonly Signer[];
  /** A listen key of each signer. */
  readonly keys: readonly string[];
  /** Orders per second. */
  readonly rate: number;
  readonly seconds: number;
}

/** From the answer's arrival to the push's; a push that came first counts 0. */
export interface PushLatency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Share of pushes that came before the answer. */
  readonly before: number;
}

const answered = new Map<string, number>();
const pushed = new Map<string, number>();

async function listen(port: number, key: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?listenKey=${key}&encoding=json`, {
    perMessageDeflate: false,
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const acknowledged = new Promise((resolve) => socket.once('message', resolve));
  socket.send(JSON.stringify({ method: 'SUBSCRIPTION', params: ['spot@private.orders.v3.api.pb'] }));
  await acknowledged;
  socket.on('message', (data) => {
    const now = performance.now();
    const { privateOrders } = JSON.parse(String(data)) as { privateOrders?: { id: string; status: number } };
    if (privateOrders?.status === 1) pushed.set(privateOrders.id, now);
  });
  return socket;
}

function place(task: PushLatencyTask, agent: Agent, number: number): void {
  const { path, headers } = orderHead(number, task.signers);
  const call = request({ agent, port: task.port, host: '127.0.0.1', method: 'POST', path, headers }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('end', () => {
      const { orderId } = JSON.parse(text) as { orderId?: string };
      if (orderId === undefined) throw new Error(`an order was refused: ${text}`);
      answered.set(orderId, performance.now());
    });
  });
  call.end();
}

async function measure(task: PushLatencyTask): Promise<PushLatency> {
  const sockets = await Promise.all(task.keys.map((key) => listen(task.port, key)));
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const began = performance.now();
  const total = task.rate * task.seconds;
  let sent = 0;
  await new Promise<void>((resolve) => {
    const tick = (): void => {
      const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * task.rate));
      for (; sent < due; sent += 1) place(task, agent, sent);
      if (sent === total) resolve();
      else setTimeout(tick, 1);
    };
    tick();
  });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (const socket of sockets) socket.terminate();
  agent.destroy();
  const delays = Float64Array.from([...answered].map(([id, at]) => (pushed.get(id) ?? Number.NaN) - at)).sort();
  if (answered.size !== total || delays.some(Number.isNaN)) throw new Error('an answer or a push is missing');
  const at = (share: number): number => Math.max(0, delays[Math.floor(delays.length * share)]!);
  return { p50Ms: at(0.5), p99Ms: at(0.99), before: delays.filter((delay) => delay < 0).length / total };
}

process.once('message', async (task: PushLatencyTask) => {
  process.send?.(await measure(task), () => process.exit(0));
});
