import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startBourse } from '#testing/start-bourse.ts';
import type { TestExchange } from '#testing/test-exchange.ts';
import { isEvery } from '../every-case.ts';
import { BusyPair } from './busy-pair.ts';
import { PageSight } from './page-sight.ts';
import { browserPath, sharedBrowser } from './watched-page.ts';

/** How long one pair is watched, in parts; a long run watches for ten minutes. */
const parts = Number(process.env.BOURSE_TEST_PAGE_PARTS ?? 1);
const partMs = parts > 1 ? 60_000 : 2500;
const pairs = ['ETHUSDT', 'SOLUSDT', 'BTCUSDT'];
const patience = { timeout: 30_000 };

/** What the page may have more of at the end than at the beginning. */
const allowed = { nodes: 300, listeners: 30, heapBytes: 1_500_000, workerBytes: 1_500_000 };
type Held = Awaited<ReturnType<PageSight['lastingCost']>>;

const standing = { symbol: 'BTCUSDT', quantity: '0.01', price: '49990' } as const;

/** What grew by more than it may, before and after. */
function grown(before: Held, after: Held): readonly (readonly [name: string, before: number, after: number])[] {
  const names = Object.keys(allowed) as (keyof typeof allowed)[];
  return names
    .map((name) => [name, before[name], after[name]] as const)
    .filter(([name, was, is]) => is - was > allowed[name]);
}

describe.runIf(isEvery && browserPath !== undefined)('the terminal, looked at for long', () => {
  let exchange: TestExchange;
  let sight: PageSight;
  let busy: BusyPair;

  beforeAll(async () => {
    exchange = await startBourse({ thread: true, settings: { rateLimits: false } });
    sight = await PageSight.open(await sharedBrowser());
    const [maker, taker] = [exchange.client('alice'), exchange.client('bob')];
    busy = new BusyPair({
      ...{ maker, taker, symbol: 'BTCUSDT', price: 50_000, tick: 0.01, quantity: '0.001', perSecond: 200 },
    });
  });
  afterEach(async () => {
    await busy.stop();
    await sight.close();
  });
  afterAll(() => exchange.close());

  /** Waits until there is no more than before: what was just taken away may still be in use, what leaks stays. */
  const untilNotMore = (before: Held): Promise<void> =>
    expect.poll(async () => grown(before, await sight.lastingCost()), { timeout: 20_000, interval: 500 }).toEqual([]);

  async function walk(): Promise<void> {
    const list = sight.page.getByRole('navigation', { name: 'Pairs' });
    for (const pair of pairs) {
      await list.locator(`a[href="/trade/${pair}"]`).click(patience);
      await sight.page.locator('.pair-list .chosen').locator(`a[href="/trade/${pair}"]`).waitFor(patience);
      await sight.page
        .getByText('Reading')
        .first()
        .waitFor({ state: 'detached', ...patience });
    }
    await sight.page.locator('.bids tr').first().waitFor(patience);
  }

  test('DEC-WEB-82: what the terminal holds does not grow with pushes, trades, or pairs that were looked at', {
    timeout: 90_000 + parts * (partMs + 20_000),
  }, async () => {
    // A line that stays: what is held by one would be held for as long.
    await exchange.client('bob').placeOrder({ ...standing, side: 'BUY', type: 'LIMIT' });
    await sight.page.goto(`${exchange.baseUrl}/trade/BTCUSDT`);
    busy.start();
    // The first round makes what is made once.
    await walk();
    const walked = await sight.lastingCost();
    await walk();
    await untilNotMore(walked);
    // From now on the list of trades is full.
    await sight.page.locator('.trades-panel tbody tr').nth(39).waitFor(patience);
    const stayed = await sight.lastingCost();
    for (let part = 0; part < parts; part += 1) {
      await pause(partMs);
      if (parts > 1) console.log(JSON.stringify(await sight.lastingCost()));
    }
    await busy.stop();
    await untilNotMore(stayed);
    expect(busy.counts.sent).toBeGreaterThan(200);
    expect(stayed.workerBytes).toBeGreaterThan(0);
  });
});
