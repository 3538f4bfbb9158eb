import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** A browser of this machine; without one the tests have nothing to look through. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** A page in a browser, with what it does that it must not. */
export interface WatchedPage {
  readonly page: Page;
  /** Breaches of the page's policy and errors of its scripts; there should be none. */
  readonly complaints: readonly string[];
  /** Requests to other servers; there should be none. */
  readonly elsewhere: readonly string[];
  close(): Promise<void>;
}

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
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(url)) elsewhere.push(request.url());
  });
  return { page, complaints, elsewhere, close: () => context.close() };
}
