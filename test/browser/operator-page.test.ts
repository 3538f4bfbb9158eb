import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rootToken, startTestOperator, type TestOperator } from '../operator/operator-harness.ts';
import { axeFaults } from './axe-faults.ts';
import { browserPath, openWatchedPage, type WatchedPage } from './watched-page.ts';

describe.runIf(browserPath !== undefined)('the page of the operator API in a browser', { timeout: 60_000 }, () => {
  let operator: TestOperator;
  let watched: WatchedPage;
  let page: Page;

  beforeEach(async () => {
    operator = await startTestOperator({ hasChains: true });
    watched = await openWatchedPage(operator.url);
    // A token that is refused is tried on purpose.
    watched.allow(/status of 401/);
    page = watched.page;
  });
  afterEach(async () => {
    await watched.close();
    await operator.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
  });

  test('DEC-WEB-08: the back office shows nothing without a token, which is in no address and no storage', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(operator.url);
    await page.getByLabel('Token').fill('0'.repeat(64));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').or(page.locator('.field-fault')).waitFor({ timeout: 20_000 });
    expect(await page.getByText('Your token').count()).toBe(0);
    await page.getByLabel('Token').fill(rootToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Your token' }).waitFor({ timeout: 20_000 });
    expect(asked.filter((url) => url.includes(rootToken))).toEqual([]);
    const stored = 'JSON.stringify([localStorage, sessionStorage, document.cookie])';
    expect(await page.evaluate(stored)).not.toContain(rootToken);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
  });

  test('DEC-OPR-01, DEC-WEB-70: the reference needs no token, names every group, and sends requests with the token that is given', async () => {
    await page.goto(`${operator.url}/docs`);
    for (const group of ['Assets', 'Deposits', 'Withdrawals', 'Accounts', 'Ledger', 'Tokens', 'Chains'])
      await page.getByRole('region', { name: group, exact: true }).waitFor({ timeout: 20_000 });
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Token' }).fill(rootToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: /List assets/ }).click({ timeout: 20_000 });
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/assets');
    await page.getByRole('button', { name: /^Send/ }).click({ timeout: 20_000 });
    const response = await answered;
    expect(response.request().headers()['authorization']).toBe(`Bearer ${rootToken}`);
    expect(response.status()).toBe(200);
    expect((await response.json()).items).toHaveLength(2);
    await page.getByRole('status', { name: 'Answer' }).getByText('200 OK').waitFor();
    expect(await page.content()).not.toContain(rootToken);
  });
});
