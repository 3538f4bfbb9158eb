import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** A browser of this machine; without one the tests have nothing to look through. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** A page in a browser, with what it does that it must not. */
export interface WatchedPage {
  readonly page: Page;
  /** Warnings and errors on the console, breaches of the policy and errors of scripts; there should be none. */
  readonly complaints: readonly string[];
  /** Requests to other servers; there should be none. */
  readonly elsewhere: readonly string[];
  /** Messages of the console that a test provokes, such as that of a refused request, are none of its complaints. */
  allow(message: RegExp): void;
  close(): Promise<void>;
}

/** What browsers note of an answer that refuses. */
export const refusedLoad = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** The policy refuses what libraries try in vain, such as making a function of a text, and says so to nobody's harm. */
const refusedTry = /^ Note that 'script-src' was not explicitly set/;

let browser: Promise<Browser> | undefined;

/** The browser that the tests of this process share; it ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: browserPath as string, args: ['--no-sandbox'] });
  return browser;
}

/** Opens an empty page that may ask the server at `url` only; nothing of other pages is in its storage or cache. */
export async function openWatchedPage(url: string): Promise<WatchedPage> {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  const allowed: RegExp[] = [refusedTry];
  page.on('console', (message) => {
    const isPolicy = /content security policy/i.test(message.text());
    if (!isPolicy && (!/warning|error/.test(message.type()) || allowed.some((each) => each.test(message.text()))))
      return;
    complaints.push(`${message.type()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(url)) elsewhere.push(request.url());
  });
  return { page, complaints, elsewhere, allow: (message) => allowed.push(message), close: () => context.close() };
}
