import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBourse, type TestExchange } from '#testing/testing.ts';
import { axeFaults } from './axe-faults.ts';
import { browserPath, openWatchedPage, refusedLoad, type WatchedPage } from './watched-page.ts';

describe.runIf(browserPath !== undefined)('wallet and account in a browser', { timeout: 60_000 }, () => {
  let exchange: TestExchange;
  let watched: WatchedPage;
  let page: Page;
  const hostile = '<img src=x onerror=alert(1)>';
  const outside = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

  beforeAll(async () => {
    exchange = await startBourse({ seed: '31', settings: { rateLimits: false } });
  }, 60_000);
  afterAll(() => exchange?.close());
  beforeEach(async () => {
    watched = await openWatchedPage(exchange.baseUrl);
    page = watched.page;
    // Browsers note each refused request: what the page says of it is looked at instead.
    watched.allow(refusedLoad);
  });
  afterEach(async () => {
    await watched.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
  });

  /** Opens a page of the wallet or account as alice. */
  async function openAsAlice(path: string): Promise<void> {
    await page.goto(exchange.baseUrl + path);
    await page.getByRole('button', { name: 'Sign in to go on' }).click();
    await page.getByRole('button', { name: 'alice trader' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ timeout: 20_000 });
  }

  async function expectAccessible(): Promise<void> {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await axeFaults(page)).toEqual([]);
    }
  }

  const mine = (network: string, blocks: number) => exchange.operator.mineBlocks({ network, blocks });
  const row = (name: string | RegExp) => page.getByRole('row', { name });

  test('DEC-WEB-32, DEC-WEB-33, DEC-WEB-39: a deposit counts confirmations before the eye, and then the balance moves', async () => {
    await exchange.operator.changeAssetNetwork({ asset: 'USDT', network: 'ETH', depositTips: hostile });
    await openAsAlice('/wallet/deposit/USDT');
    await page.getByLabel('Network').selectOption('ETH');
    await page.getByRole('button', { name: 'Make an address' }).click();
    await page.getByText(hostile).waitFor();
    const address = (await page.locator('.secret-line .code').textContent()) as string;
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    await page.locator('.qr-code path[d^=M]').waitFor({ state: 'attached', timeout: 20_000 });
    await exchange.operator.depositOnChain({ network: 'ETH', asset: 'USDT', address, memo: null, amount: '123.456' });
    await mine('ETH', 3);
    const deposit = row(/123\.456/);
    await deposit.getByText(/^\d+\/12$/).waitFor({ timeout: 20_000 });
    expect(await deposit.textContent()).toContain('Confirming');
    await expectAccessible();
    await page.getByRole('link', { name: 'Balances', exact: true }).click();
    const balance = row(/^USDT/).getByRole('cell').first();
    await balance.waitFor();
    const before = Number((await balance.textContent())?.replaceAll(',', ''));
    await mine('ETH', 12);
    await expect
      .poll(async () => Number((await balance.textContent())?.replaceAll(',', '')), { timeout: 20_000 })
      .toBeCloseTo(before + 123.456, 6);
    await expectAccessible();
  });

  test('DEC-WEB-30, DEC-WEB-34, DEC-WEB-36: a withdrawal is reviewed, asked for once, approved by an operator, and kept', async () => {
    const rules = await exchange.operator.getWalletRules();
    await exchange.operator.putWalletRules({ ...rules, riskHoldAbove: '20' });
    await openAsAlice('/wallet/withdraw/USDT');
    await page.getByLabel('Network').selectOption('ETH');
    await page.getByLabel('Address', { exact: true }).fill('nowhere');
    await page.getByLabel('Amount').fill('9.99');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText(/^At least 10 USDT/).waitFor();
    await page.getByLabel('Amount').fill('50.5');
    await page.getByRole('button', { name: 'Review' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('47.5 USDT');
    await dialog.getByRole('button', { name: 'Withdraw now' }).click();
    // What the exchange refuses stands at the field that it names, with its code.
    await dialog.getByText(/33333/).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    expect(await page.locator('.field', { hasText: 'Address' }).first().textContent()).toContain('33333');
    await page.getByLabel('Address', { exact: true }).fill(outside);
    await page.getByRole('button', { name: 'Review' }).click();
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Withdraw now' }).dblclick();
    await row(/Waits for approval/).waitFor({ timeout: 20_000 });
    const { items } = await exchange.operator.listWithdrawals();
    expect(items).toHaveLength(1);
    const withdrawal = items[0]?.withdrawal ?? 0;
    await exchange.operator.reviewWithdrawal({ withdrawal, decision: 'approve', remark: hostile });
    await row(/Waiting|Processing|Signed|Confirming/)
      .getByText(hostile)
      .waitFor({ timeout: 20_000 });
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('tab', { name: 'Withdrawals' }).click();
    await row(/50\.5/).getByText(hostile).waitFor({ timeout: 20_000 });
    await expectAccessible();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    expect((await saved).suggestedFilename()).toBe('withdrawals.csv');
    expect(await page.locator('img').count()).toBe(0);
  });

  test('DEC-WEB-35, DEC-WEB-36: money moves between wallets and to another user after a summary, once though asked for twice; small balances become the token', async () => {
    await openAsAlice('/wallet/transfer');
    await page.getByLabel('Amount').fill('12.5');
    await page.getByRole('button', { name: 'Review' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('12.5 USDT');
    await dialog.getByRole('button', { name: 'Move it' }).dblclick();
    await page.getByText('Moved 12.5 USDT to contracts.').waitFor({ timeout: 20_000 });
    const { total } = await exchange.client('alice').transfers({ fromAccountType: 'SPOT', toAccountType: 'FUTURES' });
    expect(total).toBe(1);

    // What is left of an asset is small enough to become the token.
    const alice = exchange.client('alice');
    await page.getByRole('tab', { name: 'To another user' }).click();
    await page.getByLabel('To', { exact: true }).fill(String(exchange.accounts.bob.uid));
    await page.getByLabel('Asset').selectOption('LTC');
    await page.getByLabel('Amount').fill('999.99');
    await page.getByRole('button', { name: 'Review' }).click();
    expect(await dialog.textContent()).toContain('999.99 LTC');
    await dialog.getByRole('button', { name: 'Send it' }).dblclick();
    await page.getByText('Sent 999.99 LTC.').waitFor({ timeout: 20_000 });
    expect((await alice.sends({})).data).toHaveLength(1);
    await page.getByRole('link', { name: 'Small balances' }).click();
    await row(/LTC/).getByRole('checkbox').check({ timeout: 20_000 });
    await expectAccessible();
    await page.getByRole('button', { name: 'Review' }).click();
    const becomes = /Becomes about([\d.]+) SVC/.exec((await dialog.textContent()) ?? '')?.[1];
    await dialog.getByRole('button', { name: 'Convert' }).click();
    await page.getByText(`Became ${becomes} SVC.`).waitFor({ timeout: 20_000 });
    await page.getByText('There is no balance small enough').waitFor({ timeout: 20_000 });
    expect((await alice.conversions({})).data).toMatchObject([{ totalConvert: becomes }]);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('tab', { name: 'With other users' }).click();
    await row(/999\.99/).waitFor({ timeout: 20_000 });
    await page.getByRole('tab', { name: 'Small balances' }).click();
    await row(/LTC/).waitFor({ timeout: 20_000 });
  });

  test('DEC-WEB-37, DEC-WEB-39: the secret of a key is shown once, and a note with markup is text', async () => {
    await openAsAlice('/account/sub-accounts');
    await page.getByLabel(/^Name/).fill('walletDesk');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await row(/walletDesk/)
      .getByRole('link', { name: 'Keys' })
      .click();
    await page.getByLabel('Note').fill(hostile);
    await page.getByLabel(/^Addresses/).fill('203.0.113.7, 198.51.100.0/24');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const dialog = page.getByRole('dialog');
    const secret = (await dialog.locator('.code').nth(1).textContent({ timeout: 20_000 })) as string;
    expect(secret.length).toBeGreaterThan(16);
    await dialog.getByRole('button', { name: 'I kept them' }).click();
    await row(/203\.0\.113\.7/)
      .getByText(hostile)
      .waitFor({ timeout: 20_000 });
    expect(await page.content()).not.toContain(secret);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(secret);
    expect(await page.locator('img').count()).toBe(0);
    await expectAccessible();
  });

  test('DEC-WEB-38: a group is made and filled, and invitations have a code', async () => {
    await openAsAlice('/account/stp-groups');
    await page.getByLabel('Name of the group').fill('desks');
    await page.getByRole('button', { name: 'Make a group of this name' }).click();
    await page.getByRole('heading', { name: 'desks' }).waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove This account' }).waitFor({ timeout: 20_000 });
    await expectAccessible();
    await page.getByRole('link', { name: 'Invitations' }).click();
    expect(await page.locator('.refer-code').textContent({ timeout: 20_000 })).toMatch(/^[0-9A-Za-z]{5}$/);
    await expectAccessible();
  });
});
