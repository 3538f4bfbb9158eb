import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BourseClient } from '#client/client.ts';
import { type ServerProcess, startServer } from '../crash/server-process.ts';
import { browserPath, openWatchedPage, refusedLoad, type WatchedPage } from './watched-page.ts';

const patience = { timeout: 20_000 };

describe.runIf(browserPath !== undefined)('the terminal while the exchange is killed', { timeout: 90_000 }, () => {
  const data = mkdtempSync(join(tmpdir(), 'bourse-killed-page-'));
  let server: ServerProcess;
  let watched: WatchedPage;
  beforeAll(async () => {
    server = await startServer(data);
    watched = await openWatchedPage(server.demo.base_url);
  }, 60_000);
  afterAll(async () => {
    await watched?.close();
    server?.process.kill('SIGKILL');
    await server?.ended;
    rmSync(data, { recursive: true, force: true });
  });

  test('DEC-WEB-07, DEC-WEB-15, DEC-WEB-16: every acknowledged order is there once, and the book is that of the exchange', async () => {
    const { page } = watched;
    const { base_url: baseUrl, accounts } = server.demo;
    const { apiKey, secretKey } = accounts[0] as (typeof accounts)[number];
    const alice = new BourseClient({ baseUrl, apiKey, secretKey });
    const openRows = page.getByRole('region', { name: 'Open orders' }).locator('tbody tr');
    const rowOf = (price: string) => openRows.filter({ hasText: price });
    const buy = async (price: string): Promise<void> => {
      await page.getByLabel('Price', { exact: true }).fill(price);
      await page.getByLabel('Quantity', { exact: true }).fill('0.01');
      await page.getByRole('button', { name: 'Buy BTC' }).click();
    };
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01' } as const;

    await page.goto(`${baseUrl}/trade/BTCUSDT`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click(patience);
    await page.getByRole('button', { name: 'alice trader' }).click(patience);
    await buy('48000');
    await rowOf('48,000.00').waitFor(patience);

    // Browsers note every attempt while it is away, and that an order which is looked for is not there.
    watched.allow(refusedLoad);
    watched.allow(/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED/);
    const placing = [1, 2, 3, 4].map((each) => alice.placeOrder({ ...order, price: String(47_000 + each) }));
    await placing[0];
    server.process.kill('SIGKILL');
    await server.ended;
    await page.getByText('The connection is lost').waitFor(patience);
    await buy('46000');
    const port = new URL(baseUrl).port;
    server = await startServer(data, ['--port', port]);
    const outcomes = await Promise.allSettled(placing);
    await page.getByText('The connection is lost').waitFor({ state: 'detached', timeout: 20_000 });
    // The order without an answer was not carried out, which is told once the exchange is sure of it.
    await page.getByText(/was not carried out|it may have happened/).waitFor(patience);
    await buy('45000');
    await rowOf('45,000.00').waitFor(patience);

    const open = await alice.openOrders({ symbol: 'BTCUSDT' });
    const ids = open.map(({ orderId }) => orderId);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') expect(ids).toContain(outcome.value.orderId);
    expect(outcomes[0]?.status).toBe('fulfilled');
    expect(open.map(({ price }) => price)).not.toContain('46000');
    const pricesOf = async (rows: typeof openRows): Promise<readonly string[]> =>
      (await rows.allTextContents()).map((text) => /4\d,\d{3}/.exec(text)?.[0].replace(',', '') ?? text).toSorted();
    expect(await pricesOf(openRows)).toEqual(open.map(({ price }) => price).toSorted());
    const { bids } = await alice.depth({ symbol: 'BTCUSDT' });
    await expect
      .poll(() => pricesOf(page.locator('.bids tr')), patience)
      .toEqual(bids.map(([price]) => price).toSorted());
    expect([...watched.complaints, ...watched.elsewhere]).toEqual([]);
    await alice.close();
  });
});
