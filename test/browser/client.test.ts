import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBourse, type TestExchange } from '#testing/testing.ts';
import { browserPath, openWatchedPage, refusedLoad } from './watched-page.ts';

/** The client as it is built, in a page of another server and in a worker of it. */

if (browserPath === undefined) console.warn('SKIPPED: the client in a browser; there is none on this machine');

const script = readFileSync(join(import.meta.dirname, '..', '..', 'dist', 'client', 'client.js'), 'utf8');

/** What a page does with it, as text: it runs in the page, or in a worker. */
const story = `
import { BourseClient, channels, UnknownOutcome } from './client.js';
export async function play(options) {
  const client = new BourseClient(options);
  const heard = [];
  const orders = client.subscribe(channels.orders(), ({ price }) => heard.push(price));
  const book = client.book('BTCUSDT', { speed: '10ms' });
  await Promise.all([orders.ready, book.ready]);
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' };
  const { orderId } = await client.placeOrder(order);
  while (heard.length === 0 || book.bestBid === null) await new Promise((go) => setTimeout(go, 5));
  const unknown = client.order({ symbol: 'BTCUSDT', orderId: 'none' });
  const refusal = await unknown.catch(({ name, code }) => ({ name, code }));
  const best = book.bestBid;
  const { status } = await client.cancelOrder({ symbol: 'BTCUSDT', orderId });
  await client.close();
  return { heard, best, status, refusal, isClass: typeof UnknownOutcome === 'function' };
}`;
const worker = `
import { play } from './story.js';
const tell = (told) => self.postMessage(told);
self.onmessage = ({ data }) => play(data).then(tell, (error) => tell(String(error)));`;
const page = `<!doctype html><title>A page of somebody</title>
<script type="module">
import { play } from './story.js';
globalThis.playBoth = async (options) => {
  const inWorker = new Promise((resolve) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage({ ...options, encoding: 'json' });
  });
  return [await play(options), await inWorker];
};
</script>`;
const files: Readonly<Record<string, string>> = {
  '/client.js': script,
  '/story.js': story,
  '/worker.js': worker,
};

describe.runIf(browserPath !== undefined)('the client in a browser', { timeout: 60_000 }, () => {
  let exchange: TestExchange;
  let server: Server;
  beforeEach(async () => {
    exchange = await startBourse({ seed: '7' });
    server = createServer(({ url = '/' }, response) => {
      const text = files[url];
      response.setHeader('Content-Type', text === undefined ? 'text/html' : 'text/javascript');
      response.end(text ?? page);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.close();
    await exchange.close();
  });

  test('DEC-KIT-84: it trades, listens and keeps a book in a page and in a worker, and needs nothing of Node', async () => {
    expect(script).not.toMatch(/^import |require\(|node:|process\./m);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const watched = await openWatchedPage(url);
    // An order that is not there.
    watched.allow(refusedLoad);
    try {
      await watched.page.goto(url);
      await watched.page.waitForFunction('globalThis.playBoth !== undefined');
      const { baseUrl, wsUrl, accounts } = exchange;
      const { apiKey, secretKey } = accounts.alice;
      const options = JSON.stringify({ baseUrl, wsUrl, apiKey, secretKey });
      const told = await watched.page.evaluate<object[]>(`playBoth(${options})`);
      for (const each of told) {
        expect(each).toMatchObject({ best: ['50000', expect.any(String)], status: 'CANCELED', isClass: true });
        expect(each).toMatchObject({ refusal: { name: 'BourseError', code: -2011 } });
      }
      expect(watched.complaints).toEqual([]);
    } finally {
      await watched.close();
    }
  });
});
