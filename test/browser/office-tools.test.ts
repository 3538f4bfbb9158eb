import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBourse, type TestExchange } from '#testing/testing.ts';
import { axeFaults } from './axe-faults.ts';
import { browserPath, openWatchedPage, refusedLoad, type WatchedPage } from './watched-page.ts';

const patience = { timeout: 20_000 };

describe.runIf(browserPath !== undefined)('tools of the back office in a browser', { timeout: 60_000 }, () => {
  let directory: string;
  let exchange: TestExchange;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'bourse-office-'));
    exchange = await startBourse({ seed: 'office', settings: { rateLimits: false, backupDirectory: directory } });
  }, 60_000);
  afterAll(async () => {
    await exchange?.close();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    watched = await openWatchedPage(exchange.operatorUrl);
    page = watched.page;
    // An account that no fee tier was assigned to has none, which is told by a status.
    watched.allow(refusedLoad);
    await page.goto(exchange.operatorUrl);
    await page.getByRole('button', { name: 'Enter as root' }).click(patience);
    await heading('Overview').waitFor(patience);
  });
  afterEach(async () => {
    await watched.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
  });

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const dialog = () => page.getByRole('dialog');
  const goTo = async (name: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name, exact: true }).click();
    await heading(name).waitFor(patience);
  };
  const confirm = async (reason: string): Promise<void> => {
    await dialog().getByLabel('Reason').fill(reason);
    await dialog().getByRole('button', { name: 'Review' }).click();
    await dialog().getByRole('button', { name: 'Confirm' }).click();
  };
  async function expectAccessible(): Promise<void> {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await axeFaults(page)).toEqual([]);
    }
  }

  test('DEC-WEB-56: Ctrl K finds an account by its name, a coin and a page, and goes there', async () => {
    const find = async (words: string, option: RegExp): Promise<void> => {
      await page.keyboard.press('Control+k');
      // Whoever opened it writes at once.
      await dialog().locator('[role=combobox]:focus').waitFor(patience);
      await page.keyboard.type(words);
      await dialog().getByRole('option', { name: option }).first().waitFor(patience);
      if (words === 'alice') await expectAccessible();
      await page.keyboard.press('Enter');
      await dialog().waitFor({ state: 'detached' });
    };
    await find('alice', new RegExp(`^${exchange.accounts.alice.uid} alice`));
    await page.waitForURL(`**/accounts/${exchange.accounts.alice.uid}`);
    await find('usdt', /^USDT Coin/);
    await page.waitForURL('**/coins/USDT');
    await find('perform', /^Performance/);
    await heading('Performance').waitFor(patience);
  });

  test('DEC-WEB-54: charts are drawn of what the metrics tell, and are there as tables', async () => {
    await goTo('Performance');
    const memory = page.locator('.office-part', { has: page.getByRole('heading', { name: 'Memory' }) });
    await memory.locator('canvas').waitFor(patience);
    const charts = await page.locator('.metric-place').count();
    expect([charts, await page.locator('.metric-place canvas').count()]).toEqual([12, 12]);
    await memory.getByText('As a table').click();
    const rows = memory.getByRole('row');
    await expect.poll(() => rows.count(), patience).toBeGreaterThan(2);
    expect(await rows.nth(1).textContent()).toMatch(/^\d\d:\d\d:\d\d\d+/);
    expect(await memory.getByRole('img').getAttribute('aria-label')).toMatch(/^Memory: process \d+/);
    await expectAccessible();
  });

  test('DEC-WEB-57: a webhook is added with a secret that is shown once, tested, and removed', async () => {
    await goTo('Webhooks');
    await page.getByText('Nobody is told of events.').waitFor(patience);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await dialog().getByLabel('Url').fill('http://127.0.0.1:9/nobody');
    await dialog().getByLabel('alarm.raised').check();
    await confirm('The desk wants alarms.');
    await dialog().getByLabel('Secret').waitFor(patience);
    expect(await dialog().getByLabel('Secret').inputValue()).toMatch(/^[0-9a-f]{64}$/);
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Test' }).click(patience);
    await confirm('Does anybody listen?');
    await dialog()
      .getByText(/^It was not taken/)
      .waitFor(patience);
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    await expectAccessible();
    await page.getByRole('button', { name: 'Remove' }).click();
    await confirm('Nobody does.');
    await page.getByText('Nobody is told of events.').waitFor(patience);
  });

  test('DEC-WEB-55: a backup is made after a confirmation, and listed', async () => {
    await goTo('Backups');
    await page.getByText('There is no backup yet.').waitFor(patience);
    await page.getByRole('button', { name: 'Back up now' }).click();
    await confirm('Before the upgrade.');
    await page.getByText(/^bourse-\S+ was made in/).waitFor(patience);
    const [name = ''] = readdirSync(directory);
    await page.getByRole('rowheader', { name }).waitFor(patience);
    await expectAccessible();
    const { items } = await exchange.operator.listActs({ command: 'recordBackup' });
    expect(items.map(({ reason }) => reason)).toEqual(['Before the upgrade.']);
  });
});
