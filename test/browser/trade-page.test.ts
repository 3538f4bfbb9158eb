import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBourse } from '#testing/start-bourse.ts';
import type { TestExchange } from '#testing/test-exchange.ts';
import { startFuturesDesk } from '../api/futures-desk.ts';
import { axeFaults } from './axe-faults.ts';
import { browserPath, openWatchedPage, type WatchedPage } from './watched-page.ts';

/** By how much the page is wider than the window. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const patience = { timeout: 20_000 };

describe.runIf(browserPath !== undefined)('the terminal in a browser', { timeout: 90_000 }, () => {
  let exchange: TestExchange;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    exchange = await startBourse({ settings: { rateLimits: false } });
  });
  afterAll(() => exchange.close());
  beforeEach(async () => {
    watched = await openWatchedPage(exchange.baseUrl);
    page = watched.page;
  });
  afterEach(async () => {
    await watched.close();
    await exchange.client('alice').cancelOpenOrders({ symbol: 'BTCUSDT' });
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
  });

  const bob = () => exchange.client('bob');
  const limit = (side: 'BUY' | 'SELL', quantity: string, price: string) =>
    ({ symbol: 'BTCUSDT', side, type: 'LIMIT', quantity, price }) as const;

  async function openAsAlice(path = '/trade/BTCUSDT'): Promise<void> {
    await page.goto(exchange.baseUrl + path);
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click(patience);
    await page
      .getByRole('button', { name: /^alice/ })
      .first()
      .click(patience);
    await page.getByRole('button', { name: 'Sign out' }).waitFor(patience);
  }

  const fillRows = () => page.getByRole('region', { name: 'Fills' }).locator('tbody tr');
  const openRows = () => page.getByRole('region', { name: 'Open orders' }).locator('tbody tr');

  async function fill(price: string, quantity: string): Promise<void> {
    await page.getByLabel('Price', { exact: true }).fill(price);
    await page.getByLabel('Quantity', { exact: true }).fill(quantity);
  }

  /** A line of the preview: its figure and asset. */
  const previewOf = (name: string) =>
    page.locator('.preview-line').filter({ hasText: name }).locator('dd').textContent(patience);

  test('DEC-WEB-09, DEC-WEB-10, DEC-WEB-13: an order is placed, stands in book and list, is filled for what was shown, and cancelled', async () => {
    await openAsAlice();
    await page.keyboard.press('b');
    await fill('50000', '0.1');
    expect(await previewOf('Cost')).toBe('5,000 USDT');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await openRows().first().waitFor(patience);
    const own = page.locator('.bids tr').filter({ has: page.locator('.own-mark') });
    await own.waitFor(patience);
    expect(await own.textContent()).toContain('50,000.00');
    expect(await openRows().count()).toBe(1);

    await bob().placeOrder(limit('SELL', '0.04', '50000'));
    await page.getByRole('region', { name: 'Trades' }).getByText('50,000.00').first().waitFor(patience);
    await page.getByRole('tab', { name: 'Fills' }).click();
    const filled = fillRows().first();
    await filled.waitFor(patience);
    expect(await filled.textContent()).toContain('Maker');

    await bob().placeOrder(limit('SELL', '0.5', '50100'));
    await page.locator('.asks tr').filter({ hasText: '50,100.00' }).click(patience);
    await page.getByLabel('Quantity', { exact: true }).fill('0.2');
    await page.locator('.preview-line').filter({ hasText: 'Trades at once0.2' }).waitFor(patience);
    const [cost, fee] = [await previewOf('Cost'), await previewOf('Fee')];
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await fillRows().nth(1).waitFor(patience);
    const [trade] = (await exchange.client('alice').myTrades({ symbol: 'BTCUSDT', limit: 1 })) as readonly {
      readonly quoteQty: string;
      readonly commission: string;
      readonly commissionAsset: string;
    }[];
    expect(cost?.replace(',', '')).toBe(`${trade?.quoteQty} USDT`);
    expect(fee).toBe(`${trade?.commission} ${trade?.commissionAsset}`);

    await page.getByRole('tab', { name: /Open orders/ }).click();
    await openRows()
      .getByRole('button', { name: /^Cancel/ })
      .click(patience);
    await page.getByText('No open orders.').waitFor(patience);
    await page.getByRole('tab', { name: 'Order history' }).click();
    await page.getByText('Rest cancelled').waitFor(patience);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    expect((await saving).suggestedFilename()).toBe('past.csv');
  });

  test('DEC-WEB-11, DEC-WEB-12: a far price is asked about, and moving an order says that it is a new one', async () => {
    await bob().placeOrder(limit('SELL', '0.5', '50100'));
    await openAsAlice();
    await page.locator('.asks tr').first().waitFor(patience);
    await fill('53000', '0.01');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').getByText('5 % worse').waitFor(patience);
    await page.getByRole('button', { name: 'Back' }).click();
    expect(await exchange.client('alice').openOrders({ symbol: 'BTCUSDT' })).toEqual([]);

    await fill('49000', '0.01');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('button', { name: /^Move the order/ }).click(patience);
    await page.getByText(/placed again as a new order/).waitFor(patience);
    await page.getByLabel('New price').fill('49500');
    await page.getByRole('button', { name: 'Cancel and place again' }).click();
    await page.getByRole('region', { name: 'Open orders' }).getByText('49,500.00').waitFor(patience);
    expect(await exchange.client('alice').openOrders({ symbol: 'BTCUSDT' })).toMatchObject([{ price: '49500' }]);
  });

  test('DEC-WEB-07, DEC-WEB-15, DEC-WEB-16: after the exchange was away every order is there once, also one without an answer, and the book is exact', async () => {
    await openAsAlice();
    await fill('48000', '0.01');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await openRows().first().waitFor(patience);
    await exchange.restart(1500);
    await page
      .getByText('The connection is lost')
      .waitFor(patience)
      .catch(() => {
        // It may be back already.
      });
    await exchange.client('alice').placeOrder(limit('BUY', '0.02', '47000'));
    await page.getByText('The connection is lost').waitFor({ state: 'detached', timeout: 30_000 });
    await openRows().nth(1).waitFor(patience);
    expect(await openRows().count()).toBe(2);
    await page.locator('.bids').getByText('47,000.00').waitFor(patience);
    const { bids } = (await exchange.client().depth({ symbol: 'BTCUSDT' })) as { bids: readonly [string, string][] };
    expect(await page.locator('.bids tr').count()).toBe(bids.length);

    const match = { path: '/api/v3/order', method: 'POST', nth: 1 } as const;
    await exchange.operator.addFault({ match, fault: { kind: 'drop', at: 'answer' } });
    await fill('46000', '0.03');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByText('Buy order of BTC placed.').waitFor(patience);
    await openRows().nth(2).waitFor(patience);
    expect(await openRows().count()).toBe(3);
    expect(await exchange.client('alice').openOrders({ symbol: 'BTCUSDT' })).toHaveLength(3);
  });

  test('axe finds nothing on the terminal, in light and dark, wide and narrow', async () => {
    await openAsAlice();
    await page.locator('.preview').waitFor(patience);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await axeFaults(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const parts = page.locator('.picture-panel, .book-panel, .trades-panel, .pair-list').filter({ visible: true });
    expect(await parts.count()).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(overflow)).toBe(0);
  });

  test('DEC-WEB-14: a contract shows index, fair price, funding and tiers, and offers no order', async () => {
    const { gate } = await startFuturesDesk();
    const other = await openWatchedPage(gate.url);
    try {
      const { page: shown } = other;
      await shown.goto(`${gate.url}/contracts/BTC_USDT`);
      for (const name of ['Index', 'Fair price', 'Funding rate', 'Paid in', 'Open interest'])
        await shown.locator('.figure dt').filter({ hasText: name }).first().waitFor(patience);
      await shown.getByRole('tab', { name: 'Risk tiers' }).click();
      await shown.getByText('Maintenance margin').waitFor(patience);
      expect(await shown.getByRole('button', { name: /^(Buy|Sell)/ }).count()).toBe(0);
      expect(await axeFaults(shown)).toEqual([]);
      await shown.setViewportSize({ width: 390, height: 844 });
      expect(await shown.evaluate(overflow)).toBe(0);
      await shown.goto(`${gate.url}/contracts/NO_SUCH`);
      await shown.getByText('There is no contract NO_SUCH.').waitFor(patience);
      expect([...other.complaints, ...other.elsewhere]).toEqual([]);
    } finally {
      await other.close();
      await gate.close();
    }
  });

  test('the first load of the terminal is under 200 KB, and of this server alone', async () => {
    let bytes = 0;
    page.on('response', async (response) => {
      const sizes = await response
        .request()
        .sizes()
        .catch(() => null);
      if (new URL(response.url()).pathname.startsWith('/assets/')) bytes += sizes?.responseBodySize ?? 0;
    });
    await page.goto(`${exchange.baseUrl}/trade/BTCUSDT`);
    await page.locator('.preview').waitFor(patience);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(200_000);
  });
});
