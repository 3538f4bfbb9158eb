import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachStreams, type Streams } from '#websocket/streams.ts';
import { keys, now, sign, startTestGateway, type TestGateway } from '../api/gateway-harness.ts';
import { until } from './stream-client.ts';

let gate: TestGateway;
let streams: Streams;
beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
  streams = await attachStreams({
    ...gate.gateway.context,
    server: gate.server,
    feed: gate.exchange.sequencer,
    settings: { rateLimits: false, connectionsMax: 100, connectionsPerAddressMax: 100, allowedOrigins: [] },
    limits: gate.gateway.limits,
    metrics: { connections: () => {}, subscriptions: () => {}, sent: () => {}, slowReaderClosed: () => {} },
    onTrouble: (what, error) => expect.unreachable(`${what}: ${String(error)}`),
  });
});
afterAll(async () => {
  await streams.close();
  await gate.close();
});

/** Sends a head as it is and answers what comes until the answer is whole or the server hangs up. */
async function answerTo(head: string): Promise<string> {
  const socket = connect(gate.port, '127.0.0.1');
  await once(socket, 'connect');
  let heard = '';
  let isOver = false;
  socket.on('data', (data) => {
    heard += data.toString('latin1');
  });
  socket.on('close', () => {
    isOver = true;
  });
  socket.on('error', () => {});
  socket.write(head);
  await until('an answer', () => isOver || /\r\n\r\n(\{.*\}|\[.*\])$/s.test(heard) || heard.startsWith('HTTP/1.1 101'));
  socket.destroy();
  return heard;
}

const handshake = 'Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';
const offersHttp2 =
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/** Node 24.9 is the first that can go on with a request whose upgrade the server does not take. */
const canIgnoreUpgrades = major > 24 || (major === 24 && minor >= 9);

describe('DEC-REQ-42: an offer to switch to HTTP/2', () => {
  const query = `symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=0.5&price=30000&timestamp=${now}`;
  const headers = `Host: x\r\nX-SVC-APIKEY: ${keys.alice}\r\nContent-Length: 0\r\n`;
  const order = `POST /api/v3/order?${query}&signature=${sign(query)} HTTP/1.1\r\n${headers}`;

  test.runIf(canIgnoreUpgrades)('is ignored: the request is answered as any other', async () => {
    const answer = await answerTo(`${order}${offersHttp2}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"orderId"');
  });

  test.runIf(!canIgnoreUpgrades)('is refused with what to switch off, and places no order', async () => {
    const before = gate.digest();
    for (const head of [order, 'GET /api/v3/ping HTTP/1.1\r\nHost: x\r\n', 'GET /ws HTTP/1.1\r\nHost: x\r\n']) {
      const answer = await answerTo(`${head}${offersHttp2}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":400');
      expect(answer).toContain('switch off the HTTP/2 upgrade (h2c)');
    }
    expect(gate.digest()).toBe(before);
  });
});

test('SPEC-STR-01, DEC-REQ-48: a websocket is a websocket in any spelling, at its own address only', async () => {
  for (const name of ['websocket', 'WebSocket', 'WEBSOCKET']) {
    const answer = await answerTo(`GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: ${name}\r\n${handshake}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 101 /);
  }
  const absolute = `GET http://x/ws?encoding=json HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n${handshake}\r\n`;
  expect(await answerTo(absolute)).toMatch(/^HTTP\/1\.1 101 /);
  const elsewhere = await answerTo(`GET /api/v3/ping HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n${handshake}\r\n`);
  expect(elsewhere).toMatch(/^HTTP\/1\.1 404 /);
});

test('DEC-REQ-43: every answer forbids sniffing and tells no referrer', async () => {
  const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const heads = {
    endpoint: get('/api/v3/ping'),
    'unknown path': get('/nothing'),
    'unsigned request': get('/api/v3/account'),
    'no request': 'BROKEN\r\n\r\n',
    'long address': get(`/api/v3/ping?a=${'a'.repeat(17_000)}`),
    'large headers': get('/api/v3/ping', `X-A: ${'a'.repeat(60_000)}\r\n`),
    'large body': 'POST /api/v3/order HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n',
    expectation: get('/api/v3/ping', 'Expect: a-miracle\r\n'),
    health: get('/healthz'),
    document: get('/openapi.json'),
    websocket: get('/ws', `Upgrade: websocket\r\n${handshake}`),
    'refused websocket': get('/elsewhere', `Upgrade: websocket\r\n${handshake}`),
    'broken handshake': get('/ws', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'),
  };
  for (const [name, head] of Object.entries(heads)) {
    const answer = (await answerTo(head)).toLowerCase();
    expect([name, answer.slice(0, 9)]).toEqual([name, 'http/1.1 ']);
    expect([name, answer.includes('\r\nx-content-type-options: nosniff\r\n')]).toEqual([name, true]);
    expect([name, answer.includes('\r\nreferrer-policy: no-referrer\r\n')]).toEqual([name, true]);
  }
  for (const path of ['/docs', '/docs/streams', '/metrics', '/proto/push.proto', '/docs/none']) {
    const { headers } = await gate.send('GET', path);
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
    expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer']);
  }
});
