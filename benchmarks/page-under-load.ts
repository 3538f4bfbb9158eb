import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { BourseClient } from '#client/client.ts';
import { BusyPair } from '../test/browser/busy-pair.ts';
import { type PageCost, PageSight } from '../test/browser/page-sight.ts';
import type { DemoFile } from './exchange-process.ts';

/** What the thread of a page did in a while, for each second of it. */
export interface WhileLooking {
  readonly name: string;
  readonly framesPerSecond: number;
  /** The longest time between two frames in ms. */
  readonly longestGapMs: number;
  /** Milliseconds of a second. */
  readonly scriptMs: number;
  readonly layoutMs: number;
  readonly styleMs: number;
  readonly taskMs: number;
  readonly longTasks: readonly number[];
  /** Requests that changed the book, a second; 0: only the market's own. */
  readonly updates: number;
}

interface LookedAt {
  readonly browser: Browser;
  readonly demo: DemoFile;
  readonly symbol: string;
  /** How long each part is looked at. */
  readonly seconds: number;
  readonly perSecond: number;
  /** File for a profile of the loaded page, which developer tools of browsers open; `null`: none. */
  readonly profileFile: string | null;
}

const patience = { timeout: 60_000 };

async function lookFor(sight: PageSight, name: string, ms: number, busy: BusyPair | null): Promise<WhileLooking> {
  const before: PageCost = await sight.cost();
  const tasksBefore = (await sight.story()).longTasks.length;
  const sentBefore = busy?.counts.sent ?? 0;
  const times = await sight.frames(ms);
  const after = await sight.cost();
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
  const each = (of: (cost: PageCost) => number): number => ((of(after) - of(before)) * 1000) / seconds;
  return {
    name,
    framesPerSecond: gaps.length / seconds,
    longestGapMs: Math.max(...gaps),
    scriptMs: each(({ scriptSeconds }) => scriptSeconds),
    layoutMs: each(({ layoutSeconds }) => layoutSeconds),
    styleMs: each(({ styleSeconds }) => styleSeconds),
    taskMs: each(({ taskSeconds }) => taskSeconds),
    longTasks: (await sight.story()).longTasks.slice(tasksBefore),
    updates: ((busy?.counts.sent ?? 0) - sentBefore) / seconds,
  };
}

/** Opens the books of all pairs in the list, one after the other, until it is told that it is enough. */
async function walkThroughBooks(page: Page, isOver: () => boolean, pauseMs: number): Promise<number> {
  const links = page.getByRole('navigation', { name: 'Pairs' }).getByRole('link');
  const count = Math.min(10, await links.count());
  let opened = 0;
  for (; !isOver(); opened += 1) {
    await links.nth(opened % count).click(patience);
    await page.locator('.bids tr').first().waitFor(patience);
    await pause(pauseMs);
  }
  return opened;
}

async function profiled<Value>(sight: PageSight, file: string | null, work: () => Promise<Value>): Promise<Value> {
  if (file === null) return work();
  await sight.profiler.send('Profiler.enable');
  await sight.profiler.send('Profiler.start');
  const value = await work();
  const { profile } = await sight.profiler.send('Profiler.stop');
  writeFileSync(file, JSON.stringify(profile));
  return value;
}

/** Looks at the terminal while its pair is quiet, while it is busy, and while ten books are opened in turn. */
export async function measureUnderLoad(asked: LookedAt): Promise<readonly WhileLooking[]> {
  const { browser, demo, symbol, seconds, perSecond, profileFile } = asked;
  const sight = await PageSight.open(browser);
  const [maker, taker] = ['alice', 'bob'].map((name) => {
    const { apiKey, secretKey } = demo.accounts.find((account) => account.name === name) ?? {};
    return new BourseClient({ baseUrl: demo.base_url, apiKey, secretKey });
  }) as [BourseClient, BourseClient];
  try {
    await sight.page.goto(`${demo.base_url}/trade/${symbol}`);
    await sight.page.locator('.bids tr').first().waitFor(patience);
    await pause(3000);
    const quiet = await lookFor(sight, `${symbol}, market alone`, seconds * 1000, null);
    const { lastPrice } = [await taker.ticker24h({ symbol })].flat()[0] as { lastPrice: string };
    const { quotePrecision } = (await taker.exchangeInfo({ symbol })).symbols[0] as { quotePrecision: number };
    const tick = 10 ** -quotePrecision;
    const busy = new BusyPair({ maker, taker, symbol, price: Number(lastPrice), tick, quantity: '0.001', perSecond });
    busy.start();
    await pause(2000);
    const loaded = await profiled(sight, profileFile, () => lookFor(sight, `${symbol}, busy`, seconds * 1000, busy));
    let isOver = false;
    const walk = walkThroughBooks(sight.page, () => isOver, 1000);
    const walked = await lookFor(sight, 'ten books in turn', seconds * 1000, busy);
    isOver = true;
    await walk;
    await busy.stop();
    return [quiet, loaded, walked];
  } finally {
    await Promise.all([maker.close(), taker.close()]);
    await sight.close();
  }
}
