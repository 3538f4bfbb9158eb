import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { as, type Balance } from '#model/units.ts';
import { bitcoinPair } from '../operator/bitcoin-pair.ts';
import { rootToken, startTestOperator, type TestOperator } from '../operator/operator-harness.ts';
import { addresses, openWallet, pay, withdraw } from '../operator/wallet-stage.ts';
import { axeFaults } from './axe-faults.ts';
import { browserPath, openWatchedPage, type WatchedPage } from './watched-page.ts';

const patience = { timeout: 20_000 };
const hostile = '<img src=x onerror=alert(1)>';

describe.runIf(browserPath !== undefined)("an operator's day in a browser", { timeout: 90_000 }, () => {
  let operator: TestOperator;
  let watched: WatchedPage;
  let page: Page;
  let said: string[];

  beforeEach(async () => {
    operator = await startTestOperator({ hasChains: true, settings: { rateLimits: false } });
    watched = await openWatchedPage(operator.url);
    watched.allow(/status of 4(?:04|12)/);
    page = watched.page;
    said = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('dialog', (dialog) => said.push(dialog.message()));
  });
  afterEach(async () => {
    await watched.close();
    await operator.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
    // What is refused on purpose is all that a browser has to say.
    expect(said.filter((text) => !/status of 4(?:04|12)/.test(text))).toEqual([]);
  });

  async function signIn(token = rootToken): Promise<void> {
    await page.goto(operator.url);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor(patience);
  }

  const goTo = async (name: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor(patience);
  };

  const dialog = () => page.getByRole('dialog');

  /** Gives the reason, looks at the summary, and confirms; answers what the summary said. */
  async function confirm(reason: string): Promise<string> {
    await dialog().getByLabel('Reason').fill(reason);
    await dialog().getByRole('button', { name: 'Review' }).click();
    const summary = await dialog().getByRole('table', { name: 'What is about to be done' }).allInnerTexts();
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    return summary.join();
  }

  test('DEC-WEB-42, DEC-WEB-43, DEC-WEB-45, DEC-WEB-47: a queue is cleared, an account frozen, a fee edited; the acts tell it', async () => {
    await openWallet(operator);
    await operator.ask('PUT', '/v1/pairs/BTCUSDT', bitcoinPair);
    await pay(operator, `0x${'a1'.repeat(32)}`, 10_000n);
    const [first, second] = [await withdraw(operator, 600n), await withdraw(operator, 700n)];
    await signIn();
    await page.getByText('2 wait, the oldest for').waitFor(patience);
    expect(await axeFaults(page)).toEqual([]);

    await goTo('Withdrawals');
    await page.getByRole('button', { name: `Withdrawal ${first}`, exact: true }).click();
    await page
      .getByRole('table', { name: 'Withdrawals of the account' })
      .or(page.getByRole('region', { name: 'Withdrawals of the account' }))
      .first()
      .waitFor(patience);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await dialog().getByRole('button', { name: 'Review' }).click();
    await dialog().getByText('Say why').waitFor(patience);
    expect(await axeFaults(page)).toEqual([]);
    expect(await confirm('The owner was called.')).toMatch(/Decision\s+approve/);
    await page.getByText(`Done: Approve withdrawal ${first}.`).waitFor(patience);
    await page.getByRole('button', { name: `Withdrawal ${second}`, exact: true }).click();
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await confirm('A closer look.');
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await dialog().getByLabel('Remark').fill('Please save the address first.');
    await confirm('A new address.');
    await page.getByText('Nothing waits for a decision.').waitFor(patience);

    await goTo('Accounts');
    await page.getByLabel('What belongs to it').fill('bob');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('link', { name: String(operator.bob.uid) }).click();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await confirm('His key was stolen.');
    await page.getByRole('button', { name: 'Release' }).waitFor(patience);

    await goTo('Pairs');
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('Taker fee, ppm').fill('400');
    const difference = await confirm('Fees of the summer.');
    expect(difference).toMatch(/Taker fee, ppm\s+500 \(0\.05 %\)\s+400 \(0\.04 %\)/);
    expect(difference).not.toContain('Maker fee');
    await page.getByRole('cell', { name: '400 (0.04 %)', exact: true }).waitFor(patience);

    await goTo('Acts');
    const acts = page.getByRole('region', { name: 'Acts' });
    for (const reason of ['Fees of the summer.', 'His key was stolen.', 'A new address.', 'The owner was called.'])
      await acts.getByRole('row').filter({ hasText: reason }).filter({ hasText: 'root' }).waitFor(patience);
    const told = await acts.getByRole('row').filter({ hasText: 'Fees of the summer.' }).allInnerTexts();
    expect(told.join()).toMatch(/500 \(0\.05 %\) → 400/);
    const { body } = await operator.ask('GET', '/v1/acts?limit=4');
    const keys = body.items.map(({ idempotencyKey }: { idempotencyKey: string }) => idempotencyKey);
    expect(new Set(keys).size).toBe(4);
    expect(keys.every((key: string) => /^page-[0-9a-f]{32}$/.test(key))).toBe(true);
  });

  test('DEC-WEB-44: a stale edit is told, a refusal stands at its member, and nothing happened', async () => {
    await operator.ask('PUT', '/v1/pairs/BTCUSDT', bitcoinPair);
    await signIn();
    await goTo('Pairs');
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('Taker fee, ppm').fill('400');
    await operator.ask('PATCH', '/v1/pairs/BTCUSDT', { makerFeePpm: 10 });
    await confirm('Late.');
    await dialog().getByText('Somebody changed it since it was read').waitFor(patience);
    expect((await operator.ask('GET', '/v1/pairs/BTCUSDT')).body).toMatchObject({ makerFeePpm: 10, takerFeePpm: 500 });
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('Taker fee, ppm').fill('many');
    await dialog().getByLabel('Reason').fill('Why not.');
    await dialog().getByRole('button', { name: 'Review' }).click();
    await dialog().getByText('It must be a whole number.').waitFor(patience);
    expect(await dialog().getByLabel('Taker fee, ppm').getAttribute('aria-invalid')).toBe('true');
  });

  test('DEC-WEB-41, DEC-WEB-51: names are text, and a token sees what its scopes open', async () => {
    await operator.ask('POST', '/v1/accounts', { name: hostile });
    const created = await operator.ask('POST', '/v1/tokens', {
      actor: 'erin',
      scopes: ['accounts:read'],
      validHours: 1,
    });
    await signIn(created.body.token);
    await page.getByRole('link', { name: /^Withdrawals/ }).click();
    await page.getByText('it lacks the scope withdrawals:read').waitFor(patience);
    await goTo('Accounts');
    await page.getByText(hostile).waitFor(patience);
    await page.getByRole('row').filter({ hasText: hostile }).getByRole('link').first().click();
    await page.getByRole('definition').filter({ hasText: hostile }).waitFor(patience);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Freeze' }).isDisabled()).toBe(true);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFaults(page)).toEqual([]);
  });

  test('DEC-WEB-48, DEC-WEB-49, DEC-WEB-50: an unknown payment is booked, and what custody has is saved as a file', async () => {
    await openWallet(operator);
    await operator.exchange.submit({
      kind: 'recordUnknownPayment',
      ...{ network: 'ETH', nonce: 7, txId: `0x${'7'.repeat(64)}`, asset: as<never>(0 as never) },
      ...{ amount: as<Balance>(47_000_000_000n), address: addresses.stranger, memo: null, networkFee: as<Balance>(0n) },
    });
    await signIn();
    await goTo('Safety');
    await page.getByRole('button', { name: 'Book' }).click();
    await dialog().getByLabel('Booking').selectOption('capital');
    expect(await confirm('Our own money.')).toMatch(/Booking\s+capital/);
    await page.getByRole('cell', { name: 'capital', exact: true }).waitFor(patience);
    await goTo('Solvency');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).first().click();
    expect((await saved).suggestedFilename()).toBe('reconciliation.json');
    const { items } = JSON.parse(readFileSync(await (await saved).path(), 'utf8'));
    expect(items.map(({ asset }: { asset: string }) => asset)).toEqual(['USDT', 'BTC']);
  });
});
