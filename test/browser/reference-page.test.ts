import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { startTestGateway } from '../api/gateway-harness.ts';

/** A browser of this machine; without one the test has nothing to look through. */
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

test.runIf(executablePath !== undefined)(
  'the reference page works in a browser under a policy that lets no text become script',
  async () => {
    const gate = await startTestGateway({ settings: { rateLimits: false } });
    const browser = await chromium.launch({ executablePath: executablePath as string, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const complaints: string[] = [];
      const elsewhere: string[] = [];
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        if (/^https?:/.test(request.url()) && !request.url().startsWith(gate.url)) elsewhere.push(request.url());
      });
      const answer = await page.goto(`${gate.url}/docs`);
      expect(answer?.headers()['content-security-policy']).not.toContain('unsafe-eval');
      await page.getByText('/api/v3/depth').first().waitFor({ timeout: 20_000 });
      const answered = page.waitForResponse(`${gate.url}/api/v3/ping`);
      await page
        .getByRole('button', { name: /test request.*ping/i })
        .first()
        .click({ timeout: 20_000 });
      await page.getByRole('button', { name: /^send/i }).first().click({ timeout: 20_000 });
      expect((await answered).status()).toBe(200);
      expect(complaints).toEqual([]);
      expect(elsewhere).toEqual([]);
      // Later, because what a debugger runs is exempt from the policy.
      const attempt = "try { new Function('')(); verdict = 'ran'; } catch { verdict = 'refused'; }";
      await page.addScriptTag({ content: `var verdict = ''; setTimeout(() => { ${attempt} });` });
      await page.waitForFunction('verdict !== ""');
      expect(await page.evaluate('verdict')).toBe('refused');
    } finally {
      await browser.close();
      await gate.close();
    }
  },
  60_000,
);
