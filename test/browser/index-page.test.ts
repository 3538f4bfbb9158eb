import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keys, startTestGateway, type TestGateway } from '../api/gateway-harness.ts';
import { openWatchedPage, type WatchedPage } from './watched-page.ts';

/** A browser of this machine; without one the tests have nothing to look through. */
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

describe.runIf(executablePath !== undefined)('the page at / in a browser', { timeout: 60_000 }, () => {
  let gate: TestGateway;
  let watched: WatchedPage;

  beforeEach(async () => {
    gate = await startTestGateway({ settings: { rateLimits: false } });
    watched = await openWatchedPage(executablePath as string, gate.url);
  });
  afterEach(async () => {
    await watched.close();
    await gate.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
  });

  async function trade(price: string): Promise<void> {
    const order = { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '0.2', price };
    await gate.signed('POST', '/api/v3/order', { ...order, side: 'SELL' });
    await gate.signed('POST', '/api/v3/order', { ...order, side: 'BUY' }, { key: keys.bob });
    gate.monotonic.time += 1000;
  }

  test('the page follows the market while somebody looks, says when nobody answers, and goes on when somebody does', async () => {
    const { page } = watched;
    const shows = (text: string) => page.getByText(text).first().waitFor({ timeout: 20_000 });
    await trade('30000');
    await page.goto(gate.url);
    await shows('30,000.00');
    expect(await page.evaluate('document.querySelector("section").getBoundingClientRect().width')).toBeGreaterThan(500);
    // What the page does when it is looked at again, without waiting until it does so by itself.
    const lookAgain = () => page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await trade('30100.5');
    await lookAgain();
    await shows('30,100.50');
    await page.route('**/*', (route) => route.abort());
    await lookAgain();
    await shows('No answer since');
    await page.unroute('**/*');
    await lookAgain();
    await shows('Ready');
    expect(await page.getByText('No answer since').count()).toBe(0);
  });
});
