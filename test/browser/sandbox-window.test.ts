import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rootToken, startTestOperator, type TestOperator } from '../operator/operator-harness.ts';
import { type Sandbox, startMadeMarket } from '../simulation/sandbox-harness.ts';
import { axeFaults } from './axe-faults.ts';
import { browserPath, openWatchedPage, type WatchedPage } from './watched-page.ts';

const patience = { timeout: 20_000 };
const start = Date.UTC(2026, 10, 21, 12);
const minuteMs = 60_000;

describe.runIf(browserPath !== undefined)('the sandbox window in a browser', { timeout: 90_000 }, () => {
  let sandbox: Sandbox;
  let operator: TestOperator;
  let watched: WatchedPage;
  let page: Page;
  let said: string[];

  beforeAll(async () => {
    const made = await startMadeMarket('window', start);
    sandbox = made.sandbox;
    const { sequencer, queries, simulation } = sandbox;
    const { clock, controls: time } = made.time;
    const parts = { ingress: sequencer, feed: sequencer, queries, simulation, clock, time };
    operator = await startTestOperator({ hasChains: true, context: (context) => ({ ...context, ...parts }) });
  }, 60_000);
  afterAll(async () => {
    await operator.close();
    await sandbox.simulation.stop();
  });
  beforeEach(async () => {
    watched = await openWatchedPage(operator.url);
    watched.allow(/status of 4(?:00|09|22)/);
    page = watched.page;
    said = [];
    page.on('console', (message) => said.push(message.text()));
  });
  afterEach(async () => {
    await watched.close();
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
    // What is refused on purpose is all that a browser has to say.
    expect(said.filter((text) => !/status of 4(?:00|09|22)/.test(text))).toEqual([]);
  });

  const part = (title: string) =>
    page.locator('.office-part').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const press = (title: string, name: string) => part(title).getByRole('button', { name, exact: true }).click();
  const clock = async () => (await operator.ask('GET', '/v1/clock')).body;

  async function open(name: string): Promise<void> {
    await page.goto(operator.url);
    await page.getByLabel('Token').fill(rootToken);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page
      .getByRole('navigation', { name: 'Back office' })
      .getByRole('link', { name, exact: true })
      .click(patience);
    await page.getByRole('heading', { level: 1, name }).waitFor(patience);
  }

  test('DEC-WEB-60, DEC-WEB-61: the clock stands, runs, leaps, advances until something happens, and is cancelled', async () => {
    await open('Clock');
    await press('How it goes on', '60 ×');
    await expect.poll(clock).toMatchObject({ mode: 'running', factor: '60' });
    await part('What it shows').getByText('Runs at 60 ×').waitFor(patience);
    await press('How it goes on', 'Stand');
    await expect.poll(clock).toMatchObject({ mode: 'standing', factor: null });
    const { now: stood } = await clock();
    await part('How it goes on').getByLabel('Another factor').fill('5000');
    await press('How it goes on', 'Run');
    await part('How it goes on').getByText('It must be from 0.01 to 1000.').waitFor(patience);
    await part('How it goes on').getByLabel('Leap to').fill('2026-11-21 11:00');
    await press('How it goes on', 'Leap');
    await part('How it goes on').getByText(`must not be before what the clock shows, ${stood}`).waitFor(patience);
    await press('Advance', '1 s');
    await expect.poll(async () => (await clock()).now).toBe(stood + 1000);
    await part('Advance').getByLabel('Another span').fill('soon');
    await press('Advance', 'Advance');
    await part('Advance').getByText('It must be a span').waitFor(patience);
    expect(await axeFaults(page)).toEqual([]);

    const until = part('Advance until something happens');
    await until.getByLabel('What happens').selectOption('candle');
    await until.getByRole('button', { name: 'Advance until then' }).click();
    await page.getByText('It happened.').waitFor(patience);
    expect((await clock()).now % minuteMs).toBe(0);
    await part('Advance').getByLabel('Pace').selectOption('fine');
    await press('Advance', '7 d');
    await part('What it shows').getByRole('progressbar', { name: 'Advance' }).waitFor(patience);
    await press('What it shows', 'Cancel');
    await page.getByText('Cancelled.').waitFor(patience);
    expect(await clock()).toMatchObject({ advance: null });
    const { body } = await operator.ask('GET', '/v1/requests?kind=control&limit=50');
    const advances = body.items.filter(({ path }: { path: string }) => path === '/v1/clock/advance');
    expect(advances.length).toBe(3);
  });
});
