import { type Browser, chromium, type Page } from 'playwright-core';

/** A page in a browser, with what it does that it must not. */
export interface WatchedPage {
  readonly page: Page;
  /** Breaches of the page's policy and errors of its scripts; there should be none. */
  readonly complaints: readonly string[];
  /** Requests to other servers; there should be none. */
  readonly elsewhere: readonly string[];
  close(): Promise<void>;
}

/** Opens an empty page that may ask the server at `url` only. */
export async function openWatchedPage(executablePath: string, url: string): Promise<WatchedPage> {
  const browser: Browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(url)) elsewhere.push(request.url());
  });
  return { page, complaints, elsewhere, close: () => browser.close() };
}
