import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startBourse } from '#testing/start-bourse.ts';
import type { TestExchange } from '#testing/test-exchange.ts';
import { BusyPair } from './busy-pair.ts';
import { PageSight } from './page-sight.ts';
import { browserPath, sharedBrowser } from './watched-page.ts';

/** Rounds through the pairs, and how long each one is looked at; ten minutes in a long run. */
const rounds = Number(process.env.BOURSE_TEST_PAGE_ROUNDS ?? 2);
const busyMs = rounds > 2 ? 50_000 : 1000;
const pairs = ['ETHUSDT', 'SOLUSDT', 'ETHBTC', 'BTCUSDT'];
const patience = { timeout: 30_000 };

/** What the page may have more of after all rounds than after the first one. */
const allowed = { nodes: 300, listeners: 30, heapBytes: 1_500_000, workerBytes: 1_500_000 };

describe.runIf(browserPath !== undefined)('the terminal, looked at for long', () => {
  let exchange: TestExchange;
  let sight: PageSight;

  beforeAll(async () => {
    exchange = await startBourse({ thread: true, settings: { rateLimits: false } });
    sight = await PageSight.open(await sharedBrowser());
  });
  afterEach(() => sight.close());
  afterAll(() => exchange.close());

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
    timeout: 60_000 + rounds * (busyMs + 20_000),
  }, async () => {
    const [maker, taker] = [exchange.client('alice'), exchange.client('bob')];
    const busy = new BusyPair({
      ...{ maker, taker, symbol: 'BTCUSDT', price: 50_000, tick: 0.01, quantity: '0.001', perSecond: 200 },
    });
    await sight.page.goto(`${exchange.baseUrl}/trade/BTCUSDT`);
    busy.start();
    const held: Awaited<ReturnType<PageSight['lastingCost']>>[] = [];
    // The first round makes what is made once.
    for (let round = 0; round <= rounds; round += 1) {
      await walk();
      await pause(busyMs);
      held.push(await sight.lastingCost());
      if (rounds > 2) console.log(round, JSON.stringify(held.at(-1)));
    }
    await busy.stop();
    const [first, last] = [held[0], held.at(-1)];
    const grown = (name: keyof typeof allowed): number => (last?.[name] ?? 0) - (first?.[name] ?? 0);
    const beyond = Object.entries(allowed).filter(([name, most]) => grown(name as keyof typeof allowed) > most);
    expect(beyond.map(([name]) => [name, held.map((each) => each[name as keyof typeof allowed])])).toEqual([]);
    expect(busy.counts.sent).toBeGreaterThan(200);
    expect(last?.workerBytes).toBeGreaterThan(0);
  });
});
