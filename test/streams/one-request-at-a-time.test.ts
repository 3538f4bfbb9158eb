import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { attachStreams } from '#websocket/streams.ts';
import type { GatewaySettings } from '#public-api/gateway-context.ts';
import { keys, now, sign, startTestGateway, type TestGateway } from '../api/gateway-harness.ts';
import { until } from './stream-client.ts';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** A gateway with streams on the same port. */
async function open(settings: Partial<GatewaySettings>): Promise<TestGateway> {
  const gate = await startTestGateway({ settings });
  const { rateLimits = true } = settings;
  const streams = await attachStreams({
    ...gate.gateway.context,
    server: gate.server,
    feed: gate.exchange.sequencer,
    settings: { rateLimits, connectionsMax: 1000, connectionsPerAddressMax: 1000, allowedOrigins: [] },
    limits: gate.gateway.limits,
    metrics: { connections: () => {}, subscriptions: () => {}, sent: () => {}, slowReaderClosed: () => {} },
    onTrouble: (what, error) => expect.unreachable(`${what}: ${String(error)}`),
  });
  closings.push(
    () => gate.close(),
    () => streams.close(),
  );
  return gate;
}

interface Line {
  readonly socket: Socket;
  heard: string;
  isClosed: boolean;
}

/** A connection that keeps what it hears. */
async function line(gate: TestGateway): Promise<Line> {
  const socket = connect({ port: gate.port, host: '127.0.0.1', noDelay: true });
  const opened: Line = { socket, heard: '', isClosed: false };
  socket.on('data', (data) => {
    opened.heard += data.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    opened.isClosed = true;
  });
  await once(socket, 'connect');
  return opened;
}

const statuses = ({ heard }: Line): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const ping = get('/api/v3/ping');
const query = `symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=0.001&price=30000&timestamp=${now}`;
const order =
  `POST /api/v3/order?${query}&signature=${sign(query)} HTTP/1.1\r\nHost: x\r\n` +
  `X-SVC-APIKEY: ${keys.alice}\r\nContent-Length: 0\r\n\r\n`;
const tooManyHeaders = get('/api/v3/ping', Array.from({ length: 70 }, (_, index) => `X-H${index}: 1\r\n`).join(''));
const upgrade = get(
  '/ws',
  'Connection: Upgrade\r\nUpgrade: websocket\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n',
);

test('DEC-REQ-101: requests and an upgrade behind an answer that closes are never read, however busy the process is', async () => {
  const gate = await open({ rateLimits: false });
  const busy = setInterval(() => {
    const end = performance.now() + 4;
    while (performance.now() < end) {}
  });
  try {
    for (let round = 0; round < 12; round += 1) {
      const attackers = await Promise.all(Array.from({ length: 12 }, () => line(gate)));
      for (const [index, { socket }] of attackers.entries()) {
        socket.write(order + tooManyHeaders + order);
        setTimeout(() => socket.write(order + upgrade), index % 7);
      }
      await until('all are hung up on', () => attackers.every(({ isClosed }) => isClosed));
      for (const attacker of attackers) expect(statuses(attacker)).toEqual([200, 431]);
    }
  } finally {
    clearInterval(busy);
  }
  expect((await gate.send('GET', '/api/v3/ping')).status).toBe(200);
}, 60_000);

test('DEC-REQ-100: an upgrade waits for the answers to what was asked before', async () => {
  const gate = await open({ rateLimits: false });
  const asking = await line(gate);
  asking.socket.write(order + ping + order + upgrade);
  await until('the upgrade', () => asking.heard.includes(' 101 '));
  expect(statuses(asking)).toEqual([200, 200, 200, 101]);
  asking.socket.destroy();
});

test('DEC-REQ-100: an expectation that is not met is answered in its turn, and is the last answer', async () => {
  const gate = await open({ rateLimits: false });
  const asking = await line(gate);
  asking.socket.write(order + get('/api/v3/ping', 'Expect: a-miracle\r\n') + ping);
  await until('the end', () => asking.isClosed);
  expect(statuses(asking)).toEqual([200, 417]);
  const continued = await line(gate);
  const body = query.replace('0.001', '0.002');
  continued.socket.write(
    order +
      `POST /api/v3/order?signature=${sign(body)} HTTP/1.1\r\nHost: x\r\nX-SVC-APIKEY: ${keys.alice}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n` +
      'Expect: 100-continue\r\n\r\n',
  );
  await until('it may go on', () => continued.heard.includes(' 100 '));
  continued.socket.write(body + ping);
  await until('all answers', () => statuses(continued).length === 4);
  expect(statuses(continued)).toEqual([200, 100, 200, 200]);
  continued.socket.destroy();
});

test('DEC-REQ-101: a body that breaks off behind its answer gets no second answer', async () => {
  const gate = await open({ rateLimits: false });
  const post = (headers: string, body: string) => `POST /api/v3/order HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;
  const cut = await line(gate);
  cut.socket.end(post('Content-Length: 50', 'abc'));
  await until('the end', () => cut.isClosed);
  const broken = await line(gate);
  broken.socket.write(post('Transfer-Encoding: chunked', '3\r\nabc\r\n'));
  await until('an answer', () => broken.heard !== '');
  broken.socket.write('no chunk\r\n');
  await until('the end', () => broken.isClosed);
  expect([statuses(cut), statuses(broken)]).toEqual([[400], [400]]);
});

test('DEC-LIM-09: the limits of a request hold for upgrades', async () => {
  const gate = await open({ rateLimits: false });
  const [, , ...headers] = upgrade.trimEnd().split('\r\n');
  const fields = `${headers.join('\r\n')}\r\n`;
  const crowd = Array.from({ length: 70 }, (_, index) => `X-H${index}: 1\r\n`).join('');
  const upgrades = [
    get('/ws', fields),
    get('/ws', fields + crowd),
    get('/ws', `${fields}X-A: ${'a'.repeat(17_000)}\r\n`),
    get(`/ws?a=${'a'.repeat(17_000)}`, fields),
    get('/ws', `Host: y\r\n${fields}`),
    `GET /ws HTTP/1.1\r\n${fields}\r\n`,
    get('/ws', fields).replace('HTTP/1.1', 'HTTP/1.0'),
  ];
  const answers: number[][] = [];
  for (const text of upgrades) {
    const asking = await line(gate);
    asking.socket.write(text);
    await until('an answer', () => asking.heard !== '');
    answers.push(statuses(asking));
    asking.socket.destroy();
  }
  expect(answers.flat()).toEqual([101, 431, 431, 414, 400, 400, 400]);
});

const banning: Partial<GatewaySettings> = { banLoopback: true, banAfter: 1 };

test('DEC-LIM-100: a ban ends every connection of its address, websockets too, once it was told', async () => {
  const gate = await open(banning);
  const [idle, websocket, guilty] = [await line(gate), await line(gate), await line(gate)];
  idle.socket.write(ping);
  websocket.socket.write(upgrade);
  await until('both are served', () => idle.heard.includes(' 200 ') && websocket.heard.includes(' 101 '));
  guilty.socket.write(ping.repeat(1000));
  await until('all are hung up on', () => [idle, websocket, guilty].every(({ isClosed }) => isClosed));
  expect(statuses(guilty).slice(-3)).toEqual([200, 429, 418]);
  expect(statuses(guilty)).toHaveLength(501);
  expect(statuses(idle)).toEqual([200]);
});

test('DEC-OPR-176: the ban of an operator ends every connection of its addresses, websockets too', async () => {
  const gate = await open({});
  const [idle, websocket] = [await line(gate), await line(gate)];
  idle.socket.write(ping);
  websocket.socket.write(upgrade);
  await until('both are served', () => idle.heard.includes(' 200 ') && websocket.heard.includes(' 101 '));
  const set = (target: string) =>
    gate.exchange.submit({ kind: 'setBan', banned: 'address', target, until: null, reason: 'A test.' });
  await set('198.51.100.0/24');
  expect([idle.isClosed, websocket.isClosed]).toEqual([false, false]);
  await set('127.0.0.0/8');
  await until('both are hung up on', () => idle.isClosed && websocket.isClosed);
  const late = await line(gate);
  late.socket.write(ping);
  await until('it is refused', () => late.isClosed);
  expect(statuses(late)).toEqual([418]);
});

test('DEC-LIM-100: a banned or denied address gets one answer a connection, and health pages as ever', async () => {
  const banned = await open(banning);
  await banned.exchange.submit({ kind: 'banAddress', address: '127.0.0.1', until: (now + 60_000) as never, times: 1 });
  const denied = await open({ deniedAddresses: ['127.0.0.1'] });
  for (const [gate, status] of [
    [banned, 418],
    [denied, 403],
  ] as const) {
    for (const path of ['/api/v3/ping', '/openapi.json']) {
      const asking = await line(gate);
      asking.socket.write(get(path).repeat(1000));
      await until('the end', () => asking.isClosed);
      expect(statuses(asking)).toEqual([status]);
      expect(asking.heard.toLowerCase()).toContain('\r\nconnection: close\r\n');
    }
    const health = await line(gate);
    health.socket.write(get('/healthz').repeat(3));
    await until('the answers', () => statuses(health).length === 3);
    expect(statuses(health)).toEqual([200, 200, 200]);
    health.socket.destroy();
  }
});

test('DEC-REQ-100: many that send without waiting leave the others their turn', async () => {
  const gate = await open({ rateLimits: false });
  const flooding = await Promise.all(Array.from({ length: 20 }, () => line(gate)));
  const each = 1500;
  for (const { socket } of flooding) socket.write(ping.repeat(each));
  const bystander = await line(gate);
  bystander.socket.write(ping);
  await until('the bystander is answered', () => bystander.heard !== '');
  const answered = flooding.reduce((sum, { heard }) => sum + heard.length, 0) / bystander.heard.length;
  expect(answered).toBeLessThan((20 * each) / 2);
  for (const { socket } of [...flooding, bystander]) socket.destroy();
  await pause(10);
});
