import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { WorkerHeaps } from './worker-heaps.ts';

/** What a page did since it was gone to; times in ms after that. */
export interface PageStory {
  /** First text or picture. `null`: nothing was painted. */
  readonly paintMs: number | null;
  /** First prices that were pushed, on the screen. `null`: none were. */
  readonly pricesMs: number | null;
  /** Length of every task that held the page's thread for 50 ms or more. */
  readonly longTasks: readonly number[];
  /** How far the page jumped without being touched, all jumps added. */
  readonly layoutShift: number;
}

/** Seconds of a processor that the page's thread took since the page was opened, and what it holds. */
export interface PageCost {
  readonly scriptSeconds: number;
  readonly layoutSeconds: number;
  readonly styleSeconds: number;
  /** All of its work. */
  readonly taskSeconds: number;
  /** Scripts' memory, with what nobody refers to any more. */
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
  /** How often the page was laid out. */
  readonly layouts: number;
}

/** Observers that a page has from its beginning. */
const observers = `
  globalThis.sight = { longTasks: [], layoutShift: 0 };
  const observe = (type, onEntry) =>
    new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true });
  observe('longtask', ({ duration }) => sight.longTasks.push(duration));
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) sight.layoutShift += value; });
`;

const story = `(() => {
  const at = (entries) => entries[0]?.startTime ?? null;
  return {
    paintMs: at(performance.getEntriesByName('first-contentful-paint')),
    pricesMs: at(performance.getEntriesByName('first prices')),
    longTasks: sight.longTasks,
    layoutShift: sight.layoutShift,
  };
})()`;

/** Counts frames for so many ms, and answers when each was. */
const frames = (ms: number): string => `new Promise((resolve) => {
  const times = [];
  const began = performance.now();
  const frame = (now) => {
    times.push(now);
    if (now - began < ${ms}) requestAnimationFrame(frame);
    else resolve(times);
  };
  requestAnimationFrame(frame);
})`;

/** A page whose cost is measured, in a context of its own: nothing is in its cache. */
export class PageSight {
  readonly page: Page;
  readonly profiler: CDPSession;
  private readonly context: BrowserContext;
  private readonly workers: WorkerHeaps;

  private constructor(context: BrowserContext, page: Page, profiler: CDPSession, workers: WorkerHeaps) {
    this.context = context;
    this.page = page;
    this.profiler = profiler;
    this.workers = workers;
  }

  /** `kept`: what the tab has stored before, by name, as after a sign-in. */
  static async open(browser: Browser, kept: Readonly<Record<string, string>> = {}): Promise<PageSight> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript({ content: observers });
    const items = JSON.stringify(Object.entries(kept));
    await page.addInitScript({ content: `for (const [name, value] of ${items}) sessionStorage.setItem(name, value);` });
    const profiler = await context.newCDPSession(page);
    await profiler.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new PageSight(context, page, profiler, await WorkerHeaps.follow(profiler));
  }

  /** What the page did so far. */
  story(): Promise<PageStory> {
    return this.page.evaluate(story);
  }

  /** What the page's thread has cost so far. */
  async cost(): Promise<PageCost> {
    const { metrics } = await this.profiler.send('Performance.getMetrics');
    const of = (name: string): number => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
    return {
      scriptSeconds: of('ScriptDuration'),
      layoutSeconds: of('LayoutDuration'),
      styleSeconds: of('RecalcStyleDuration'),
      taskSeconds: of('TaskDuration'),
      heapBytes: of('JSHeapUsedSize'),
      nodes: of('Nodes'),
      listeners: of('JSEventListeners'),
      layouts: of('LayoutCount'),
    };
  }

  /** As `cost`, with what its workers hold, once all that nobody refers to is gone. */
  async lastingCost(): Promise<PageCost & { readonly workerBytes: number }> {
    await this.profiler.send('HeapProfiler.collectGarbage');
    await this.profiler.send('HeapProfiler.collectGarbage');
    return { ...(await this.cost()), workerBytes: await this.workers.bytes() };
  }

  /** Moments of the frames of the next ms. */
  frames(ms: number): Promise<readonly number[]> {
    return this.page.evaluate(frames(ms));
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
