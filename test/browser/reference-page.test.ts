import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keys, secret, startTestGateway, type TestGateway } from '../api/gateway-harness.ts';
import { browserPath, openWatchedPage, type WatchedPage } from './watched-page.ts';

describe.runIf(browserPath !== undefined)('the reference page in a browser', { timeout: 60_000 }, () => {
  let gate: TestGateway;
  let watched: WatchedPage;
  let page: Page;

  beforeEach(async () => {
    gate = await startTestGateway({
      settings: { rateLimits: false },
      context: (context) => ({
        ...context,
        demoKeys: [{ name: 'alice', role: 'trader', accessKey: keys.alice, secretKey: secret }],
      }),
    });
    watched = await openWatchedPage(gate.url);
    page = watched.page;
  });
  afterEach(async () => {
    await watched.close();
    await gate.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
  });

  const click = (name: RegExp | string) =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click({ timeout: 20_000 });

  /** Finds an endpoint by its name in the sidebar, sends what its form holds and answers what came back. */
  async function sendFromPage(endpoint: { group: string; name: string; method: string; path: string }) {
    const { group, name, method, path } = endpoint;
    await click(`Open Group - ${group}`);
    await page.getByText(name, { exact: true }).first().click();
    await click(new RegExp(`test request.*${method}.*${path}\\)`, 'i'));
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
    await click(/^send/i);
    const response = await answered;
    const shown = page.getByText('200 OK', { exact: false }).first();
    if (response.status() === 200) await shown.waitFor({ timeout: 20_000 });
    await page.keyboard.press('Escape');
    return { request: response.request(), status: response.status(), body: await response.json() };
  }

  test('the page works under a policy that lets no text become script', async () => {
    const answer = await page.goto(`${gate.url}/docs`);
    expect(answer?.headers()['content-security-policy']).not.toContain('unsafe-eval');
    await page.getByText('/api/v3/depth').first().waitFor({ timeout: 20_000 });
    const answered = page.waitForResponse(`${gate.url}/api/v3/ping`);
    await click(/test request.*ping/i);
    await click(/^send/i);
    expect((await answered).status()).toBe(200);
    // Later, because what a debugger runs is exempt from the policy.
    const attempt = "try { new Function('')(); verdict = 'ran'; } catch { verdict = 'refused'; }";
    await page.addScriptTag({ content: `var verdict = ''; setTimeout(() => { ${attempt} });` });
    await page.waitForFunction('verdict !== ""');
    expect(await page.evaluate('verdict')).toBe('refused');
  });

  test('the page signs with a demo key after one click: a user reads balances and places an order', async () => {
    await page.goto(`${gate.url}/docs`);
    await click('alice');
    const account = { group: 'Account', name: 'Account balances', method: 'get', path: '/api/v3/account' };
    const balances = await sendFromPage(account);
    expect(balances.status).toBe(200);
    expect(balances.body.balances).toContainEqual(expect.objectContaining({ asset: 'USDT', free: '1000000' }));
    expect(balances.request.headers()['x-svc-apikey']).toBe(keys.alice);

    const placed = await sendFromPage({
      group: 'Trading',
      name: 'Place order',
      method: 'post',
      path: '/api/v3/order',
    });
    expect(placed.status).toBe(200);
    expect(placed.body).toMatchObject({ symbol: 'BTCUSDT', side: 'BUY', price: '50000', origQty: '0.001' });
    const { body: open } = await gate.signed('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    expect(open).toMatchObject([{ orderId: placed.body.orderId, status: 'NEW' }]);
  });

  test('the page keeps the secret in the tab: it is in no request and in no storage that outlives the tab', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
    });
    await page.goto(`${gate.url}/docs`);
    await page.getByLabel('Access key').fill(keys.bob);
    await page.getByLabel('Secret key').fill(secret);
    await click('Use');
    const { status } = await sendFromPage({
      group: 'Account',
      name: 'Account UID',
      method: 'get',
      path: '/api/v3/uid',
    });
    expect(status).toBe(200);
    expect(sent.filter((text) => text.includes(secret))).toEqual([]);
    expect(await page.evaluate('JSON.stringify([localStorage, document.cookie])')).not.toContain(secret);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain(secret);
    await click('Forget');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(secret);
  });
});
