import { readFileSync } from 'node:fs';
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
    exchange = await startBourse({
      thread: true,
      now: '2026-01-05T00:00:00Z',
      clock: 'running',
      settings: { rateLimits: false },
    });
  });
  afterAll(() => exchange?.close());
  beforeEach(async () => {
    watched = await openWatchedPage(exchange.baseUrl);
    page = watched.page;
  });
  afterEach(async () => {
    await watched.close();
    for (const name of ['alice', 'bob']) await exchange.client(name).cancelOpenOrders({ symbol: 'BTCUSDT' });
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

  test('DEC-WEB-09, DEC-WEB-10, DEC-WEB-13, DEC-WEB-19: an order is placed, stands in book and list, is filled for what was shown, cancelled, and found again', async () => {
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
    const file = await saving;
    expect(file.suggestedFilename()).toBe('orders.csv');
    expect(readFileSync(await file.path(), 'utf8').split('\r\n')).toHaveLength(2 + 2);
    await page.getByLabel('To', { exact: true }).fill('2026-01-04');
    await page.getByText('Nothing in this time.').waitFor(patience);
    await page.getByLabel('To', { exact: true }).fill('');
    await page.getByLabel('From', { exact: true }).fill('2026-01-04');
    await page.getByText('Rest cancelled').waitFor(patience);
    await page.getByRole('tab', { name: 'Fills' }).click();
    await page.getByText('That is all. Fills are told for thirty days.').waitFor(patience);
    expect(await fillRows().count()).toBe(2);
    await page.getByLabel('Pair', { exact: true }).selectOption('ETHUSDT');
    await page.getByText('Nothing in this time.').waitFor(patience);
  });

  /** Takes hold of the line of an order in the chart and lets go of it so many pixels further down. */
  async function dragLine(by: number): Promise<void> {
    const box = await page.locator('.chart-place').boundingBox();
    if (box === null) throw new Error('there is no chart');
    const x = box.x + box.width / 2;
    for (let y = box.y + 10; y < box.y + box.height; y += 6) {
      await page.mouse.move(x, y);
      if ((await page.locator('.chart-place.can-grab').count()) === 0) continue;
      await page.mouse.down();
      await page.mouse.move(x, y + by, { steps: 3 });
      await page.mouse.up();
      return;
    }
    throw new Error('there is no line');
  }

  test('DEC-WEB-11, DEC-WEB-12: a far price is asked about, and an order that is dragged or moved becomes a new one, which is said', async () => {
    const alice = exchange.client('alice');
    // Candles from 50,000 to 50,200, so that the order below has its line in sight.
    for (const price of ['50000', '50200']) {
      await alice.placeOrder(limit('BUY', '0.01', price));
      await bob().placeOrder(limit('SELL', '0.01', price));
    }
    await bob().placeOrder(limit('SELL', '0.5', '50300'));
    await openAsAlice();
    await page.locator('.asks tr').first().waitFor(patience);
    await fill('53000', '0.01');
    await page.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').getByText('5 % worse').waitFor(patience);
    await page.getByRole('button', { name: 'Back' }).click();
    expect(await alice.openOrders({ symbol: 'BTCUSDT' })).toEqual([]);

    await alice.placeOrder({ ...limit('BUY', '0.04', '50100'), stpMode: 'cancel_taker' });
    await openRows().first().waitFor(patience);
    await dragLine(40);
    await page.getByText(/placed again as a new order/).waitFor(patience);
    const price = await page.getByLabel('New price').inputValue();
    expect(Number(price)).toBeGreaterThan(50_000);
    expect(Number(price)).toBeLessThan(50_100);
    // What trades while the question stands is not placed again.
    await bob().placeOrder(limit('SELL', '0.01', '50100'));
    await page.getByRole('button', { name: 'Cancel and place again' }).click();
    await page.getByText(/^Order of BTCUSDT moved/).waitFor(patience);
    expect(await alice.openOrders({ symbol: 'BTCUSDT' })).toMatchObject([
      { price: String(Number(price)), origQty: '0.03', stpMode: 'cancel_taker' },
    ]);
    await page.getByRole('button', { name: /^Move the order/ }).click(patience);
    await page.getByLabel('New price').fill('49500');
    await page.getByRole('button', { name: 'Cancel and place again' }).click();
    await page.getByRole('region', { name: 'Open orders' }).getByText('49,500.00').waitFor(patience);
    expect(await alice.openOrders({ symbol: 'BTCUSDT' })).toMatchObject([{ price: '49500' }]);
  });

  test('DEC-WEB-12, DEC-WEB-17: scrolling back by the mouse and by buttons reads older candles to the first, and axe finds nothing', async () => {
    const alice = exchange.client('alice');
    const trade = async (): Promise<void> => {
      await alice.placeOrder(limit('BUY', '0.01', '50100'));
      await bob().placeOrder(limit('SELL', '0.01', '50100'));
    };
    await trade();
    await exchange.operator.advanceClock({ ms: 35 * 3_600_000 });
    await trade();
    await page.goto(`${exchange.baseUrl}/trade/BTCUSDT`);
    await page.getByRole('button', { name: '1m', exact: true }).click(patience);
    const chart = page.getByRole('img', { name: /^Candles of 1m/ });
    const told = async (): Promise<{ readonly count: number; readonly text: string }> => {
      const text = (await chart.getAttribute('aria-label')) ?? '';
      return { count: Number(/: (\d+) since/.exec(text)?.[1] ?? 0), text };
    };
    await expect.poll(async () => (await told()).count, patience).toBeGreaterThanOrEqual(300);
    for (let turn = 0; turn < 4; turn += 1) await page.getByRole('button', { name: 'More candles' }).click();
    const box = await chart.boundingBox();
    if (box === null) throw new Error('there is no chart');
    const y = box.y + box.height / 3;
    for (let turn = 0; turn < 20 && (await told()).count < 1300; turn += 1) {
      await page.mouse.move(box.x + 20, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 90, y, { steps: 2 });
      await page.mouse.up();
    }
    const symbol = 'BTCUSDT';
    const newest = await alice.candles({ symbol, interval: '1m', limit: 1000 });
    const older = await alice.candles({ symbol, interval: '1m', limit: 1000, endTime: (newest[0]?.[0] ?? 0) - 1 });
    const first = await alice.candles({ symbol, interval: '1m', limit: 1000, endTime: (older[0]?.[0] ?? 0) - 1 });
    const all = [...first, ...older, ...newest];
    expect(all.length).toBeGreaterThan(2050);
    for (let turn = 0; turn < 30 && (await told()).count < all.length; turn += 1)
      await page.getByRole('button', { name: 'Older candles' }).click();
    await expect.poll(async () => Math.abs((await told()).count - all.length) <= 1, patience).toBe(true);
    const began = new Date(first[0]?.[0] ?? 0).toISOString();
    expect(new Date(/since (.*)$/.exec((await told()).text)?.[1] ?? 0).toISOString()).toBe(began);
    for (const name of ['Newer candles', 'Newest candles', 'Fewer candles'])
      await page.getByRole('button', { name }).click();
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

  test('DEC-WEB-10, DEC-WEB-18: the fee that is shown is charged, to buyers and sellers, takers and makers, in the token and without', async () => {
    const { operator } = exchange;
    const alice = exchange.client('alice');
    await operator.changePair({ pair: 'BTCUSDT', makerFeePpm: 150, takerFeePpm: 450 });
    await operator.putReferencePrice({ asset: 'SVC', price: '1.7', validHours: 24, reason: 'test' });
    const token = { symbol: 'SVCUSDT', type: 'LIMIT', quantity: '10', price: '1.83' } as const;
    await bob().placeOrder({ ...token, side: 'SELL' });
    await alice.placeOrder({ ...token, side: 'BUY' });
    await openAsAlice();
    const shown = (): Promise<string> =>
      page
        .locator('.preview-line')
        .filter({ hasText: /^Fee/ })
        .locator('dd')
        .allTextContents()
        .then((texts) => texts.join());
    const ownTrades = () => alice.myTrades({ symbol: 'BTCUSDT' });
    const charged = async (known: ReadonlySet<string>): Promise<string> => {
      const trades = (await ownTrades()).filter(({ id }) => !known.has(id));
      const units = trades.reduce((sum, { commission }) => sum + Math.round(Number(commission) * 1e9), 0);
      return `${Number((units / 1e9).toFixed(9))} ${trades[0]?.commissionAsset}`;
    };
    for (const isInToken of [false, true]) {
      if (isInToken) await page.getByLabel('Pay fees in SVC, 20 % less').click();
      for (const [side, other, prices] of [
        ['BUY', 'SELL', ['50123.45', '50200.01']],
        ['SELL', 'BUY', ['50100.09', '50050.03']],
      ] as const) {
        // Two levels are taken, and the third part of the order rests.
        for (const price of prices) await bob().placeOrder(limit(other, '0.01', price));
        await page
          .locator(`${side === 'BUY' ? '.asks' : '.bids'} tr`)
          .nth(1)
          .waitFor(patience);
        const known = new Set((await ownTrades()).map(({ id }) => id));
        await page.getByRole('button', { name: side === 'BUY' ? 'Buy' : 'Sell', exact: true }).click();
        await fill(prices[1], '0.0313');
        await page.locator('.preview-line').filter({ hasText: 'Rests in the book0.0113' }).waitFor(patience);
        await expect.poll(shown, patience).toContain(isInToken ? 'SVC' : side === 'BUY' ? 'BTC' : 'USDT');
        const fee = await shown();
        await page.getByRole('button', { name: side === 'BUY' ? 'Buy BTC' : 'Sell BTC' }).click();
        await openRows().first().waitFor(patience);
        await bob().placeOrder(limit(other, '0.0113', prices[1]));
        await page.getByText('No open orders.').waitFor(patience);
        expect(await charged(known), `${side} ${isInToken}`).toBe(fee);
      }
    }
  });

  test('DEC-WEB-14, DEC-WEB-17: a contract that nobody traded shows its fair price, index, funding and tiers, and offers no order', async () => {
    const { gate, index } = await startFuturesDesk();
    await index(50_000);
    const other = await openWatchedPage(gate.url);
    try {
      const { page: shown } = other;
      await shown.goto(`${gate.url}/contracts/BTC_USDT`);
      for (const name of ['Index', 'Fair price', 'Funding rate', 'Paid in', 'Open interest'])
        await shown.locator('.figure dt').filter({ hasText: name }).first().waitFor(patience);
      await shown.getByRole('img', { name: /: 1 since/ }).waitFor(patience);
      const fair = shown.getByRole('tab', { name: 'Fair price' });
      expect(await fair.getAttribute('aria-selected')).toBe('true');
      await shown.getByRole('tab', { name: 'Last price' }).click();
      await shown.locator('.contract-picture').getByText('Nothing was traded yet.').waitFor(patience);
      await shown.getByRole('tab', { name: 'Index', exact: true }).click();
      await shown.getByRole('img', { name: /: 1 since/ }).waitFor(patience);
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
