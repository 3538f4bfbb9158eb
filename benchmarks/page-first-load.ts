import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page, Request } from 'playwright-core';
import { PageSight, type PageStory } from '../test/browser/page-sight.ts';

/** A page that is measured. */
export interface MeasuredPage {
  readonly name: string;
  readonly url: string;
  /** What the tab has kept, as after a sign-in. */
  readonly kept?: Readonly<Record<string, string>>;
  /** Whether it shows prices that are pushed. */
  readonly hasPrices: boolean;
}

/** What the first load of a page costs, nothing of it in a cache. */
export interface FirstLoad extends PageStory {
  readonly requests: number;
  /** Heads and bodies of all answers over the wire, and those of an API among them. */
  readonly bytes: number;
  readonly answerBytes: number;
  readonly heapBytes: number;
}

/** A page that asks for nothing for so long has all that it wants at first. */
const quietMs = 1200;
const patienceMs = 60_000;

/** What is asked for again, with other moments or signatures, is no part of a first load. */
const subjectOf = (request: Request): string => request.url().replaceAll(/=(?:\d{10,13}|[0-9a-f]{64})\b/g, '=');

/** Follows what a page asks for the first time. */
class AskedFor {
  private readonly subjects = new Map<string, Request>();
  private readonly open = new Set<Request>();
  private latest = performance.now();

  constructor(page: Page) {
    page.on('request', (request) => {
      const subject = subjectOf(request);
      if (this.subjects.has(subject)) return;
      this.subjects.set(subject, request);
      this.open.add(request);
      this.latest = performance.now();
    });
    const end = (request: Request): void => {
      if (this.open.delete(request)) this.latest = performance.now();
    };
    page.on('requestfailed', end);
    page.on('requestfinished', end);
  }

  get count(): number {
    return this.subjects.size;
  }

  /** Waits until the page has all that it wants at first. */
  async untilQuiet(): Promise<void> {
    const since = performance.now();
    while (this.open.size > 0 || performance.now() - this.latest < quietMs) {
      if (performance.now() - since > patienceMs) throw new Error('the page does not stop asking');
      await pause(50);
    }
  }

  /** Bytes over the wire of what was answered: all, and answers of the API. */
  async bytes(): Promise<{ readonly all: number; readonly answers: number }> {
    let [all, answers] = [0, 0];
    for (const request of this.subjects.values()) {
      const { responseHeadersSize, responseBodySize } = await request.sizes();
      // Of a worker's script the browser does not tell the size.
      const told = responseBodySize || Number((await request.response())?.headers()['content-length'] ?? 0);
      const size = responseHeadersSize + told;
      all += size;
      if (/^\/(?:api|v1)\//.test(new URL(request.url()).pathname)) answers += size;
    }
    return { all, answers };
  }
}

async function untilPrices(sight: PageSight): Promise<void> {
  const since = performance.now();
  while ((await sight.story()).pricesMs === null) {
    if (performance.now() - since > patienceMs) throw new Error('the page shows no pushed prices');
    await pause(50);
  }
}

/** Goes to a page as somebody who was never there, and waits until it is whole. */
export async function measureFirstLoad(browser: Browser, { url, kept, hasPrices }: MeasuredPage): Promise<FirstLoad> {
  const sight = await PageSight.open(browser, kept);
  try {
    const asked = new AskedFor(sight.page);
    await sight.page.goto(url);
    if (hasPrices) await untilPrices(sight);
    await asked.untilQuiet();
    const story = await sight.story();
    const { all, answers } = await asked.bytes();
    const { heapBytes } = await sight.lastingCost();
    return { ...story, requests: asked.count, bytes: all, answerBytes: answers, heapBytes };
  } finally {
    await sight.close();
  }
}
