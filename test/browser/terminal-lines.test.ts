import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startBourse } from '#testing/start-bourse.ts';
import type { TestExchange } from '#testing/test-exchange.ts';
import { browserPath, openWatchedPage, type WatchedPage } from './watched-page.ts';

const patience = { timeout: 20_000 };

/** Marks the lines that a page has now. */
const markLines = `for (const line of document.querySelectorAll('.book-table tbody tr')) line.isOld = true`;
/** Prices of lines of a part that were not marked. */
const newLines = (part: string): string =>
  `[...document.querySelectorAll('${part} tbody tr:not(.book-middle)')].filter((line) => !line.isOld)
    .map((line) => line.cells[0].textContent)`;

describe.runIf(browserPath !== undefined)('lines of the terminal in a browser', { timeout: 60_000 }, () => {
  let exchange: TestExchange;
  let watched: WatchedPage;

  beforeAll(async () => {
    exchange = await startBourse({ settings: { rateLimits: false } });
    watched = await openWatchedPage(exchange.baseUrl);
  });
  afterEach(() => expect(watched.complaints).toEqual([]));
  afterAll(async () => {
    await watched.close();
    await exchange.close();
  });

  test('DEC-WEB-81: a line of the book or of the trades that stays is the same element, whatever comes before it', async () => {
    const { page } = watched;
    const [alice, bob] = [exchange.client('alice'), exchange.client('bob')];
    const limit = { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '0.01' } as const;
    const sell = (price: string) => bob.placeOrder({ ...limit, side: 'SELL', price });
    for (const price of ['49990', '49980', '49970']) await alice.placeOrder({ ...limit, side: 'BUY', price });
    for (const price of ['50010', '50020']) await sell(price);
    await sell('49990');
    await page.goto(`${exchange.baseUrl}/trade/BTCUSDT`);
    const trades = page.getByRole('region', { name: 'Trades' });
    await trades.getByText('49,990.00').waitFor(patience);
    await page.locator('.bids').getByText('49,970.00').waitFor(patience);
    await page.evaluate(markLines);

    await alice.placeOrder({ ...limit, side: 'BUY', price: '49985' });
    await page.locator('.bids').getByText('49,985.00').waitFor(patience);
    await sell('49985');
    await trades.getByText('49,985.00').waitFor(patience);
    await alice.placeOrder({ ...limit, side: 'BUY', price: '49975' });
    await page.locator('.bids').getByText('49,975.00').waitFor(patience);
    expect(await page.evaluate(newLines('.book-panel'))).toEqual(['49,975.00']);
    expect(await page.evaluate(newLines('.trades-panel'))).toEqual(['49,985.00']);
    expect(await page.locator('.bids tr').count()).toBe(3);
  });
});
