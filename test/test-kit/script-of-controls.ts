import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { DemoFile } from '#sandbox/sandbox-files.ts';

/** What clients were told: every answer and every push, in their order. */
export interface Told {
  readonly answers: readonly string[];
  readonly pushes: readonly string[];
}

/** Longer than pushes are gathered, on the machine's clock. */
const gatheredMs = 150;
const channels = [
  'spot@private.account.v3.api.pb',
  'spot@private.orders.v3.api.pb',
  'spot@private.deals.v3.api.pb',
  'spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT',
];

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Both APIs of a sandbox, which keep what they answer. */
function keptClients(demo: DemoFile, answers: string[]) {
  const ask = async (url: string, options: Asked = {}) => {
    const reply = await fetch(url, options);
    const text = await reply.text();
    // How far a clock is from the machine's is another each time.
    answers.push(`${reply.status} ${text.replace(/"offsetMs":-?\d+/, '"offsetMs":0')}`);
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  };
  return {
    read: (path: string) => ask(demo.base_url + path),
    operate: (method: string, path: string, body?: object) =>
      ask(demo.operator_url + path, {
        method,
        headers: { authorization: `Bearer ${demo.operator_token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    signed: async (name: string, method: string, path: string, parameters: Readonly<Record<string, string>> = {}) => {
      const { apiKey, secretKey } = demo.accounts.find((account) => account.name === name)!;
      const { serverTime } = await ask(`${demo.base_url}/api/v3/time`);
      const query = `${new URLSearchParams({ ...parameters, timestamp: String(serverTime) })}`;
      const signature = createHmac('sha256', secretKey).update(query).digest('hex');
      const url = `${demo.base_url}${path}?${query}&signature=${signature}`;
      return ask(url, { method, headers: { 'X-SVC-APIKEY': apiKey } });
    },
  };
}

/**
 * Plays one script of controls and of two traders on a sandbox that was begun at the first moment of 2026, with a clock
 * that stands, and answers what its clients were told.
 */
export async function playScript(demo: DemoFile): Promise<Told> {
  const answers: string[] = [];
  const pushes: string[] = [];
  const { read, operate, signed } = keptClients(demo, answers);
  const { listenKey } = await signed('alice', 'POST', '/api/v3/userDataStream');
  const socket = new WebSocket(`${demo.ws_url}?listenKey=${listenKey}`);
  socket.on('message', (data, isBinary) => pushes.push((data as Buffer).toString(isBinary ? 'base64' : 'utf8')));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.send(JSON.stringify({ method: 'SUBSCRIPTION', params: channels }));
  await pause(gatheredMs);
  const place = (name: string, side: string, price: string) =>
    signed(name, 'POST', '/api/v3/order', { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '0.01', side, price });
  const lostAnswer = {
    match: { path: '/api/v3/order', method: 'POST', probabilityPpm: 600_000, seed: 5 },
    ...{ count: 2, fault: { kind: 'failAfter', status: 504 } },
  };
  const steps = [
    () => operate('POST', '/v1/faucet', { name: 'carol', grants: [{ asset: 'USDT', amount: '10000' }] }),
    () => place('alice', 'BUY', '95000'),
    () => place('bob', 'SELL', '95000'),
    () => operate('POST', '/v1/faults', lostAnswer),
    () => place('alice', 'BUY', '90000'),
    () => place('alice', 'BUY', '90001'),
    () => place('alice', 'SELL', '99000'),
    () => operate('POST', '/v1/clock/advance', { ms: 45_000 }),
    () => operate('PUT', '/v1/clock', { now: Date.UTC(2026, 0, 1, 0, 5) }),
    () => operate('POST', '/v1/clock/until', { limitMs: 600_000, candle: { interval: '1m' } }),
    () => signed('alice', 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' }),
    () => signed('alice', 'GET', '/api/v3/account'),
    () => signed('alice', 'GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' }),
    () => read('/api/v3/depth?symbol=BTCUSDT&limit=100'),
    () => read('/api/v3/klines?symbol=BTCUSDT&interval=1m'),
  ];
  for (const step of steps) {
    await step();
    await pause(gatheredMs);
  }
  socket.close();
  return { answers, pushes };
}
