import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { shippedScenarios } from '#testing/shipped-scenarios.ts';
import { startBourse } from '#testing/start-bourse.ts';
import type { TestExchange } from '#testing/test-exchange.ts';
import { rootToken, startTestOperator, type TestOperator } from '../operator/operator-harness.ts';
import { type Sandbox, startMadeMarket } from '../simulation/sandbox-harness.ts';
import { axeFaults } from './axe-faults.ts';
import { browserPath, openWatchedPage, refusedLoad, type WatchedPage } from './watched-page.ts';

const patience = { timeout: 20_000 };
const start = Date.UTC(2026, 10, 21, 11, 57);
const minuteMs = 60_000;

describe.runIf(browserPath !== undefined)('the sandbox window in a browser', { timeout: 90_000 }, () => {
  let sandbox: Sandbox;
  let operator: TestOperator;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    const made = await startMadeMarket('window', start);
    sandbox = made.sandbox;
    const { sequencer, queries, simulation } = sandbox;
    const { clock, controls: time } = made.time;
    const parts = { ingress: sequencer, feed: sequencer, queries, simulation, clock, time };
    operator = await startTestOperator({ hasChains: true, context: (context) => ({ ...context, ...parts }) });
    watched = await openWatchedPage(operator.url);
    page = watched.page;
    watched.allow(refusedLoad);
    await page.goto(operator.url);
    await page.getByLabel('Token').fill(rootToken);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }, 60_000);
  afterAll(async () => {
    await watched.close();
    await operator.close();
    await sandbox.simulation.stop();
  });
  afterEach(() => {
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
  });

  const part = (title: string) =>
    page.locator('.office-part').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const press = (title: string, name: string) => part(title).getByRole('button', { name, exact: true }).click();
  const clock = async () => (await operator.ask('GET', '/v1/clock')).body;

  async function open(name: string): Promise<void> {
    await page
      .getByRole('navigation', { name: 'Back office' })
      .getByRole('link', { name, exact: true })
      .click(patience);
    await page.getByRole('heading', { level: 1, name }).waitFor(patience);
  }

  // It comes first: the next funding is three minutes away.
  test('DEC-WEB-62: a coin is listed, a record replayed, a funding settled and a position liquidated', async () => {
    await open('Events');
    const pair = part('New coin and pair');
    await pair.getByLabel('Base').fill('BTC');
    await pair.getByLabel('Price').fill('12.5');
    await press('New coin and pair', 'Open the pair');
    await pair.locator('.field-fault').first().waitFor(patience);
    await pair.getByLabel('Base').fill('NOVA');
    await press('New coin and pair', 'Open the pair');
    await page.getByText('NOVAUSDT is open, and traded.').waitFor(patience);
    await part('New contract').getByLabel('Base').selectOption('NOVA');
    await press('New contract', 'Open the contract');
    await page.getByText('NOVA_USDT is open, and traded.').waitFor(patience);

    const replay = part('Replay of a recording');
    const candles = ['open_time,open,high,low,close,volume', '1700000000000,36500,36520,36480,36510,12.5'];
    await replay.getByLabel('Or its lines').fill(candles.join('\n'));
    await replay.getByLabel('Market').selectOption('ETHUSDT');
    await replay.getByLabel('Format').selectOption('candles');
    await press('Replay of a recording', 'Replay it');
    await page.getByText('replay-1 begins in ETHUSDT.').waitFor(patience);
    await page.getByRole('button', { name: 'End replay-1' }).click();
    await page.getByText('Nothing is replayed.').waitFor(patience);
    expect(await axeFaults(page)).toEqual([]);

    await part('Funding').getByLabel('Contract').selectOption('BTC_USDT');
    await part('Funding').getByLabel('Rate, ppm').fill('7500');
    await press('Funding', 'Settle it');
    await page.getByText('BTC_USDT was settled at 0.0075.').waitFor(patience);
    const { items } = (await operator.ask('GET', '/v1/contracts/BTC_USDT/positions')).body;
    type Position = { readonly uid: number; readonly liquidationPrice: string | null };
    const near = (items as Position[]).find(
      ({ liquidationPrice }) => Number(liquidationPrice ?? 0) > 10_000 && Number(liquidationPrice) < 500_000,
    );
    await page.getByRole('button', { name: `Liquidate the position of ${near?.uid}` }).click();
    await page.getByText('is given for some seconds').waitFor(patience);
    const { body } = await operator.ask('GET', '/v1/requests?kind=control&limit=1');
    expect(body.items[0].path).toBe('/v1/market/liquidations');
  });

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

  test('DEC-WEB-62: a price is led along a line that is drawn, paths end, markets are halted and thinned', async () => {
    await open('Market');
    const lead = part('Lead prices');
    const sheet = lead.getByRole('img');
    const { x, y, width, height } = (await sheet.boundingBox()) as {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    await page.mouse.move(x + 1, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height * 0.75, { steps: 8 });
    await page.mouse.move(x + width - 1, y + height * 0.25, { steps: 8 });
    await page.mouse.up();
    await lead.getByLabel('Time of place 1').fill('50');
    await lead.getByLabel('Change at place 1').fill('-4');
    await press('Lead prices', 'Start');
    const market = async () => (await operator.ask('GET', '/v1/market')).body;
    const bitcoin = async () => (await market()).values.find(({ asset }: { asset: string }) => asset === 'BTC');
    await expect.poll(bitcoin).toMatchObject({ path: 'segments' });
    const { usd } = await bitcoin();
    const first = (await market()).markets[0];
    await operator.ask('POST', '/v1/clock/advance', { ms: 50_000 });
    expect(Number((await bitcoin()).usd) / Number(usd)).toBeCloseTo(0.96, 3);
    await page.getByText('BTC Drawn, over in').waitFor(patience);
    expect(Number((await market()).markets[0].price)).toBeLessThan(Number(first.price));
    await press('Lead prices', 'End all paths');
    await expect.poll(bitcoin).toMatchObject({ path: null });
    await press('Lead prices', 'Flash crash');
    await lead.getByLabel('Falls by').fill('0');
    await press('Lead prices', 'Start');
    await lead.getByText('It must be at least 1 in parts per million.').waitFor(patience);
    expect(await axeFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Halt ETHUSDT' }).click();
    await page.getByRole('row').filter({ hasText: 'ETHUSDT' }).getByText('halted').waitFor(patience);
    await page.getByRole('button', { name: 'Resume ETHUSDT' }).click();
    await page.getByRole('button', { name: 'Halt ETHUSDT' }).waitFor(patience);
    const traders = part('Traders and halts');
    await traders.getByLabel('SOLUSDT').check();
    await press('Traders and halts', 'Thin and wide');
    await traders.getByLabel('For').fill('2 m');
    await press('Traders and halts', 'Tell the traders');
    await page.getByText('spread 20 ×, depth 0.02 ×, for 2 m').waitFor(patience);
    await press('Traders and halts', 'Leave all to themselves');
    await expect
      .poll(async () => (await market()).markets.every((each: { endsAt: unknown }) => each.endsAt === null))
      .toBe(true);
  });

  test('DEC-WEB-64: scenarios are told, with the command that runs each', async () => {
    await open('Scenarios');
    await page.getByRole('heading', { name: 'An order is taken, and its answer is lost' }).waitFor(patience);
    await page.getByText(`bourse scenario run unknown-outcome --against ${operator.url}`).waitFor(patience);
    expect(await page.getByRole('button', { name: /on this exchange/ }).count()).toBe(shippedScenarios().length);
    expect(await axeFaults(page)).toEqual([]);
  });
});

describe.runIf(browserPath !== undefined)('states of a sandbox in a browser', { timeout: 90_000 }, () => {
  let exchange: TestExchange;
  let watched: WatchedPage;

  beforeAll(async () => {
    exchange = await startBourse({ settings: { rateLimits: false } });
    watched = await openWatchedPage(exchange.operatorUrl);
    watched.allow(refusedLoad);
  });
  afterAll(async () => {
    await watched.close();
    await exchange.close();
  });

  test('DEC-WEB-63: a state is saved, restored while connections are refused, forked and deleted', async () => {
    const { page } = watched;
    await page.goto(`${exchange.operatorUrl}/sandbox/states`);
    await page.getByLabel('Token').fill(exchange.operatorToken);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Nothing was saved.').waitFor(patience);
    await page.getByLabel('Name').fill('No Name');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It must be 1 to 64 of the characters').waitFor(patience);
    await page.getByLabel('Name').fill('funded');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Restore funded' }).waitFor(patience);

    const alice = exchange.client('alice');
    await alice.placeOrder({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' });
    await page.getByRole('button', { name: 'Restore funded' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('What was not saved is gone.').waitFor(patience);
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The exchange serves again: it is').waitFor(patience);
    expect(await alice.openOrders({ symbol: 'BTCUSDT' })).toEqual([]);

    await page.getByRole('button', { name: 'Fork funded' }).click();
    await page.getByRole('button', { name: 'End fork-1' }).waitFor(patience);
    const { forks } = await exchange.operator.forks();
    await page.getByRole('link', { name: forks[0]?.baseUrl as string }).waitFor(patience);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'End fork-1' }).click();
    await page.getByText('No fork runs.').waitFor(patience);
    await page.getByRole('button', { name: 'Delete funded' }).click();
    await page.getByText('Nothing was saved.').waitFor(patience);
    expect(await exchange.operator.states()).toEqual({ states: [] });
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
  });
});
