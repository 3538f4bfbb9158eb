import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keys, secret, startTestGateway, type TestGateway } from '../api/gateway-harness.ts';
import { axeFaults } from './axe-faults.ts';
import { browserPath, openWatchedPage, refusedLoad, type WatchedPage } from './watched-page.ts';

describe.runIf(browserPath !== undefined)('the pages of the public port in a browser', { timeout: 60_000 }, () => {
  let gate: TestGateway;
  let watched: WatchedPage;
  let page: Page;
  const hostile = '<img src=x onerror=alert(1)>';

  beforeEach(async () => {
    gate = await startTestGateway({
      settings: { rateLimits: false },
      context: (context) => ({
        ...context,
        demoKeys: [{ name: 'alice', role: hostile, accessKey: keys.alice, secretKey: secret }],
      }),
    });
    await gate.configure({ fullName: hostile });
    watched = await openWatchedPage(gate.url);
    page = watched.page;
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
  }

  test('DEC-WEB-05: pairs are there with their day, named as text, found by name, and lead to their page', async () => {
    await trade('30000');
    await trade('30100.5');
    await page.goto(gate.url);
    const row = page.getByRole('row', { name: /BTC\/USDT/ });
    await row.waitFor({ timeout: 20_000 });
    expect(await row.getByRole('cell').first().textContent()).toBe('30,100.50');
    expect(await row.textContent()).toContain('+0.33%');
    expect(await row.textContent()).toContain(hostile);
    expect(await page.locator('img').count()).toBe(0);
    await page.getByLabel('Search the markets').fill('nothing so');
    await page.getByText('Nothing here is named').waitFor();
    await page.getByLabel('Search the markets').fill('btc/usdt');
    await row.getByRole('button', { name: 'Favourite BTC/USDT' }).click();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await axeFaults(page)).toEqual([]);
    }
    await page.getByRole('tab', { name: /Favourites/ }).click();
    await row.waitFor();
    expect(await row.getByRole('link').first().getAttribute('href')).toBe('/trade/BTCUSDT');
  });

  test('DEC-WEB-06: a demo account signs in by a click, and its secret is in no request and outlives no tab', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
    });
    await page.goto(gate.url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^alice/ }).waitFor({ timeout: 20_000 });
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: /^alice/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ timeout: 20_000 });
    expect(sent.some((text) => text.includes('/api/v3/uid') && text.includes(keys.alice))).toBe(true);
    expect(sent.filter((text) => text.includes(secret))).toEqual([]);
    expect(await page.evaluate('JSON.stringify([localStorage, document.cookie])')).not.toContain(secret);
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(secret);
  });

  test('DEC-WEB-06: a pasted key survives a reload only if that was chosen, and a wrong one is refused', async () => {
    const enter = async (secretKey: string, isKept: boolean): Promise<void> => {
      await page.getByRole('button', { name: 'Sign in' }).first().click();
      await page.getByLabel('Access key').fill(keys.bob);
      await page.getByLabel('Secret key').fill(secretKey);
      if (isKept) await page.getByRole('checkbox').check();
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    };
    await page.goto(gate.url);
    watched.allow(refusedLoad);
    await enter('wrong', false);
    await page.getByText(/Signature for this request is not valid/).waitFor({ timeout: 20_000 });
    await page.keyboard.press('Escape');
    await enter(secret, false);
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ timeout: 20_000 });
    await page.reload();
    await enter(secret, true);
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ timeout: 20_000 });
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ timeout: 20_000 });
  });

  test('Ctrl K finds pairs, pages and accounts, and goes there by the keyboard alone', async () => {
    await page.goto(gate.url);
    await page.getByRole('row', { name: /BTC\/USDT/ }).waitFor({ timeout: 20_000 });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('alice');
    await page.getByRole('option', { name: /alice/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ timeout: 20_000 });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('btcu');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${gate.url}/trade/BTCUSDT`);
  });
});
