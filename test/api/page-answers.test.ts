import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keptBytes } from '#http/kept-bytes.ts';
import { startTestOperator } from '../operator/operator-harness.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

/** The largest of them. */
const large = '/openapi.json';
/** Pages with what they cost. */
const weights: Readonly<Record<string, number>> = {
  '/': 1,
  '/favicon.ico': 1,
  '/docs': 1,
  '/docs/': 1,
  '/docs/placeOrder': 1,
  '/docs/streams': 1,
  '/asyncapi.json': 5,
  '/proto/push.proto': 5,
  '/openapi.json': 5,
  '/healthz': 1,
  '/readyz': 1,
  '/version': 1,
  '/metrics': 10,
};
const operatorPages = ['/docs', '/docs/', '/favicon.ico', '/openapi.json', '/healthz', '/metrics'];

interface Page {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

/** Asks without the help of a client that decodes and follows. */
async function ask(url: string, headers: Record<string, string> = {}): Promise<Page> {
  const [response] = (await once(httpGet(url, { headers, agent: false }), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) };
}

describe('DEC-REQ-102: pages that are the same for everybody', () => {
  let gate: TestGateway;
  beforeAll(async () => {
    gate = await startTestGateway({ settings: { rateLimits: false } });
  });
  afterAll(() => gate.close());

  test('come plain or in the coding that is asked for, each with a tag of its own', async () => {
    const plain = await ask(gate.url + large);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    const tags = new Set([plain.headers.etag]);
    for (const [coding, decode] of Object.entries({ br: brotliDecompressSync, gzip: gunzipSync })) {
      const coded = await ask(gate.url + large, { 'accept-encoding': coding });
      expect([coded.headers['content-encoding'], coded.headers.vary]).toEqual([coding, 'accept-encoding']);
      expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(decode(coded.bytes).equals(plain.bytes)).toBe(true);
      tags.add(coded.headers.etag);
    }
    expect(tags.size).toBe(3);
    const refused = await ask(gate.url + large, { 'accept-encoding': 'br;q=0, gzip;q=0' });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  test('are not sent again to whoever has them', async () => {
    for (const path of ['/docs', '/docs/streams', '/openapi.json', '/asyncapi.json', '/favicon.ico', '/']) {
      const { etag = '' } = (await ask(gate.url + path)).headers;
      const again = await ask(gate.url + path, { 'if-none-match': `"other", ${etag}` });
      expect([path, again.status, again.bytes.length, again.headers.etag]).toEqual([path, 304, 0, etag]);
      expect((await ask(gate.url + path, { 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  test('are sent in parts', async () => {
    const { bytes, headers } = await ask(gate.url + large);
    const size = bytes.length;
    const part = (range: string, more: Record<string, string> = {}) => ask(gate.url + large, { range, ...more });
    const middle = await part('bytes=1000-1999', { 'accept-encoding': 'br' });
    expect([middle.status, middle.headers['content-range']]).toEqual([206, `bytes 1000-1999/${size}`]);
    expect(middle.bytes.equals(bytes.subarray(1000, 2000))).toBe(true);
    expect((await part('bytes=-5')).bytes.equals(bytes.subarray(size - 5))).toBe(true);
    const behind = await part(`bytes=${size}-`);
    expect([behind.status, behind.headers['content-range'], behind.bytes.length]).toEqual([416, `bytes */${size}`, 0]);
    expect((await part('bytes=0-9', { 'if-range': headers.etag ?? '' })).status).toBe(206);
    for (const whole of [part('bytes=0-9', { 'if-range': '"other"' }), part('bytes=0-1,5-6'), part('lines=1-2')]) {
      expect((await whole).bytes.length).toBe(size);
    }
  });

  test('many that ask over and over and read nothing cost one answer each, of shared bytes', async () => {
    await ask(gate.url + large);
    const before = process.memoryUsage();
    const sockets = Array.from({ length: 30 }, () => connect(gate.port, '127.0.0.1'));
    for (const socket of sockets) {
      socket.on('error', () => {});
      socket.pause();
      socket.write(`GET ${large} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(100));
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await gate.send('GET', '/api/v3/ping')).status).toBe(200);
    const { heapUsed, external } = process.memoryUsage();
    expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(60_000_000);
    for (const socket of sockets) socket.destroy();
  });
});

describe('DEC-LIM-101: every page costs its address weight', () => {
  test.each(Object.entries(weights))('%s costs %i', async (path, weight) => {
    const gate = await startTestGateway();
    const used = async () => Number((await ask(gate.url + path)).headers['x-svc-used-weight']);
    expect([await used(), await used()]).toEqual([weight, 2 * weight]);
    const affordable = Math.floor(500 / weight) - 2;
    for (let count = 0; count < affordable; count += 1) expect((await ask(gate.url + path)).status).toBeLessThan(400);
    const refused = await ask(gate.url + path);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10']);
    gate.monotonic.time += 10_000;
    expect((await ask(gate.url + path)).status).toBeLessThan(400);
    await gate.close();
  });

  test('what a browser takes of the reference leaves health and endpoints their budgets', async () => {
    const gate = await startTestGateway();
    for (let count = 0; count < 100; count += 1) await ask(gate.url + large);
    expect((await ask(`${gate.url}/docs/`)).status).toBe(429);
    expect((await ask(`${gate.url}/healthz`)).status).toBe(200);
    expect((await ask(`${gate.url}/metrics`)).status).toBe(200);
    expect((await ask(`${gate.url}/api/v3/ping`)).status).toBe(200);
    await gate.close();
  });

  test.each(operatorPages)('%s costs the same on the port of operators', async (path) => {
    const harness = await startTestOperator();
    // Reads the document before and after.
    const used = async (asked: string) => Number((await ask(harness.url + asked)).headers['x-svc-used-weight']);
    const before = await used('/openapi.json');
    const isOfPages = !['/healthz', '/metrics'].includes(path);
    expect(await used(path)).toBe((isOfPages ? before : 0) + (weights[path] as number));
    await harness.close();
  });
});

test('DEC-LIM-102: what is rendered for one is rendered for all who ask within the time', async () => {
  const clock = { time: 0, now: () => clock.time };
  let rendered = 0;
  const render = keptBytes(clock, 1000, async () => {
    rendered += 1;
    if (rendered === 3) throw new Error('not now');
    return `text ${rendered}`;
  });
  const [first, second] = await Promise.all([render(), render()]);
  expect([first === second, String(first)]).toEqual([true, 'text 1']);
  clock.time = 999;
  expect(await render()).toBe(first);
  clock.time = 1000;
  expect(String(await render())).toBe('text 2');
  clock.time = 2000;
  await expect(render()).rejects.toThrow('not now');
  expect(String(await render())).toBe('text 4');
});
