import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBourse } from '#testing/start-bourse.ts';
import type { TestExchange } from '#testing/test-exchange.ts';
import { axeFaults } from './axe-faults.ts';
import { browserPath, openWatchedPage, refusedLoad, type WatchedPage } from './watched-page.ts';

const run = promisify(execFile);
const patience = { timeout: 20_000 };
/** By how much the page is wider than the window. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const wide = { width: 1280, height: 900 };
const narrow = { width: 360, height: 740 };

describe.runIf(browserPath !== undefined)('reference and streams in a browser', { timeout: 90_000 }, () => {
  let exchange: TestExchange;
  let watched: WatchedPage;
  let page: Page;
  const sent: string[] = [];

  beforeAll(async () => {
    exchange = await startBourse({ settings: { rateLimits: false } });
    watched = await openWatchedPage(exchange.baseUrl);
    page = watched.page;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    page.on('request', (request) => {
      sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
    });
  });
  afterAll(async () => {
    await watched?.close();
    await exchange?.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
  });

  const chooser = () => page.getByLabel('Send as');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const answer = () => page.getByRole('status', { name: 'Answer' });

  /** Copies what a button copies, and answers it. */
  async function copied(name: string): Promise<string> {
    await button(name).click();
    return page.evaluate('navigator.clipboard.readText()') as Promise<string>;
  }

  /** Fits the narrowest phone, and keeps nobody out, in both schemes. */
  async function expectDecent(): Promise<void> {
    await page.setViewportSize(narrow);
    expect(await page.evaluate(overflow)).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFaults(page)).toEqual([]);
    await page.setViewportSize(wide);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await axeFaults(page)).toEqual([]);
  }

  test('DEC-WEB-70: all endpoints stand on one page, are found by name, and have a page each, on wide and narrow screens', async () => {
    await page.goto(`${exchange.baseUrl}/docs`);
    await page.getByRole('region', { name: 'Market data' }).waitFor(patience);
    await expectDecent();
    await page.getByLabel('Filter endpoints').fill('place order');
    await page.getByRole('navigation', { name: 'Endpoints' }).getByRole('link', { name: 'Place order' }).click();
    await page.getByRole('heading', { name: 'Place order', level: 1 }).waitFor(patience);
    expect(page.url()).toBe(`${exchange.baseUrl}/docs/placeOrder`);
    await page.keyboard.press('Control+k');
    await page.getByLabel(/^Pair, contract/).fill('account balances');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Account balances', level: 1 }).waitFor(patience);
    await page.setViewportSize(narrow);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect((await chooser().boundingBox())?.y).toBeLessThan(140);
    await page.getByLabel('Endpoint', { exact: true }).selectOption('placeOrder');
    await page.getByRole('heading', { name: 'Place order', level: 1 }).waitFor(patience);
    await page.setViewportSize(wide);
  });

  test('DEC-WEB-72, DEC-WEB-73: after an account was chosen, the copied command works when it is pasted into a shell', async () => {
    await page.goto(`${exchange.baseUrl}/docs/account`);
    expect(await copied('Copy the request (curl)')).toContain('# Choose an account above');
    const { apiKey, secretKey } = exchange.accounts.alice;
    await chooser().selectOption(apiKey, patience);
    await button('Send as alice').waitFor(patience);
    const { stdout } = await run('bash', ['-c', await copied('Copy the request (curl)')]);
    expect(JSON.parse(stdout).balances).toContainEqual(expect.objectContaining({ asset: 'USDT', locked: '0' }));
    // The secret is in what was copied: not on the page, in no request, and in no storage that outlives the tab.
    expect(await page.content()).not.toContain(secretKey);
    expect(await page.evaluate('JSON.stringify([localStorage, document.cookie])')).not.toContain(secretKey);
    expect(sent.filter((text) => text.includes(secretKey))).toEqual([]);
  });

  test('DEC-WEB-71: what the form holds is sent, signed, and the answer is shown; so are refusals', async () => {
    await page.goto(`${exchange.baseUrl}/docs/placeOrder`);
    await button('Send as alice').click(patience);
    await answer().getByText('200 OK').waitFor(patience);
    const open = await exchange.client('alice').openOrders({ symbol: 'BTCUSDT' });
    expect(open).toMatchObject([{ side: 'BUY', price: '50000', origQty: '0.001' }]);
    watched.allow(refusedLoad);
    await page.getByLabel('symbol').fill('<img src=x onerror=alert(1)>');
    await button('Send as alice').click();
    await answer().getByText('400').first().waitFor(patience);
    expect(await page.locator('img').count()).toBe(0);
    await expectDecent();
    // As a page of production asks before it acts.
    await page.route(/cancelOpenOrders$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: (await response.text()).replace('&quot;sandbox&quot;', '&quot;production&quot;'),
      });
    });
    await page.goto(`${exchange.baseUrl}/docs/cancelOpenOrders`);
    await button('Send as alice').click(patience);
    await page.getByRole('dialog').getByText('DELETE /api/v3/openOrders').waitFor(patience);
    expect(await exchange.client('alice').openOrders({ symbol: 'BTCUSDT' })).toHaveLength(1);
    await page.getByRole('dialog').getByRole('button', { name: 'Send as alice' }).click();
    await answer().getByText('200 OK').waitFor(patience);
    expect(await exchange.client('alice').openOrders({ symbol: 'BTCUSDT' })).toHaveLength(0);
    await page.goto(`${exchange.baseUrl}/docs/futuresPing`);
    await button('Send').click(patience);
    await answer().getByText('200 OK').waitFor(patience);
  });

  test('DEC-WEB-74, DEC-WEB-75: a chip listens, pushes are shown read and as they were sent, paused and cleared', async () => {
    const buy = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.001', price: '50000' } as const;
    await exchange.client('alice').placeOrder(buy);
    await page.goto(`${exchange.baseUrl}/docs/streams`);
    const pushes = page.getByRole('region', { name: /^Pushes/ });
    await button('Trades of BTCUSDT').click(patience);
    await page.getByRole('button', { name: 'Private as alice', exact: true }).click(patience);
    const heard = page.getByRole('list', { name: 'Channels that are listened to' });
    await expect.poll(() => heard.getByText('open', { exact: true }).count(), patience).toBe(4);
    const sell = { symbol: 'BTCUSDT', side: 'SELL', type: 'MARKET', quantity: '0.0001' } as const;
    await exchange.client('bob').placeOrder(sell);
    const trade = pushes.getByRole('button', { name: /aggre\.deals.*50000/ });
    await trade.click(patience);
    await page.getByRole('group', { name: 'frame in hex' }).waitFor(patience);
    await pushes
      .getByRole('button', { name: /account as alice/ })
      .first()
      .waitFor(patience);
    await expectDecent();
    await button('Pause').click();
    await exchange.client('bob').placeOrder(sell);
    await page.getByText(/ in all$/).waitFor();
    expect(await trade.count()).toBe(1);
    await button('Go on').click();
    await expect.poll(() => trade.count(), patience).toBe(2);
    await page.getByLabel('Encoding').selectOption('json');
    await expect.poll(() => heard.getByText('open', { exact: true }).count(), patience).toBe(4);
    expect(await pushes.getByRole('button').count()).toBe(0);
    await exchange.client('bob').placeOrder(sell);
    await trade.click(patience);
    expect(await page.getByRole('group', { name: 'frame', exact: true }).textContent()).toContain('"publicAggreDeals"');
    await page.getByText('The same as code').click();
    const code = await copied('Copy the listening (bourse/client)');
    expect(code).toContain('spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT');
    expect(code).toContain(exchange.accounts.alice.secretKey);
    expect(await page.content()).not.toContain(exchange.accounts.alice.secretKey);
  });

  test('DEC-WEB-74: a name that is no channel is refused by name, and the index leads home and to each channel', async () => {
    await page.getByLabel('Another channel').fill('spot@public.nothing@BTCUSDT');
    await button('Listen').click();
    await page.getByRole('alert').getByText('spot@public.nothing@BTCUSDT').waitFor(patience);
    const index = page.getByRole('navigation', { name: 'On this page' });
    await index.getByRole('link', { name: 'miniTickers' }).click();
    expect(page.url()).toBe(`${exchange.baseUrl}/docs/streams#miniTickers`);
    await page.getByRole('heading', { name: 'miniTickers' }).waitFor();
    expect((await index.boundingBox())?.y).toBeLessThan(60);
    expect(await page.getByRole('link', { name: /home$/ }).getAttribute('href')).toBe('/');
  });
});
