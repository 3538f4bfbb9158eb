import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startBourse, type TestExchange } from '#testing/testing.ts';
import { browserPath, openWatchedPage, refusedLoad, sharedBrowser, type WatchedPage } from './watched-page.ts';

/** Texts that would be an element, a script or an address, if a page took them for markup. */
const markup = {
  coin: '<img src=x onerror="stolen=1">',
  tips: '"><script>stolen=2</script>',
  account: "'><svg onload=stolen=3>",
  note: '<iframe srcdoc="<script>parent.stolen=4</script>">',
  reason: '<a href="javascript:stolen=5">Approve</a>',
  remark: '<math><mtext></style><img src=x onerror=stolen=6>',
  ofOwner: '</textarea><object data="javascript:stolen=7">',
  webhook: 'https://desk.example/%3Cimg%3E?a="><embed>',
  label: '<style>*{display:none}</style>',
} as const;
/** Elements that the texts would make; the pages themselves have none of them. */
const made = 'img, iframe, object, embed, math, style, a[href^="javascript:" i], [onload], [onerror], main script';
/** Begins an object whose members would be those of all objects, if a page copied them carelessly. */
const polluting = '{"__proto__":{"stolen":8},"constructor":{"prototype":{"stolen":9}},"';
/** What chromium shows in place of a page that may not be framed. */
const refusedFrame = 'chrome-error://chromewebdata/';
const outside = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** What stands in the paths of pages at the places with names. */
const named: Readonly<Record<string, string>> = {
  ...{ pair: 'BTCUSDT', contract: 'BTC_USDT', coin: 'USDT', asset: 'USDT', name: 'hostile01' },
};

/** Paths of all pages that a list of routes has. */
function pathsOf(routes: string, uid: number): readonly string[] {
  const text = readFileSync(new URL(`../../web/${routes}`, import.meta.url), 'utf8');
  const all = [...text.matchAll(/path: '([^']+)'/g)].map(([, path]) => path as string);
  // One without a name is the first of those with one.
  const paths = all.filter((path) => !/^\/(?:trade|contracts)$/.test(path) || !all.includes(`${path}/:pair`));
  return paths.map((path) => path.replace(/:(\w+)/g, (_, name: string) => named[name] ?? `${uid}`));
}

describe.runIf(browserPath !== undefined)('texts and pages of attackers in a browser', { timeout: 120_000 }, () => {
  let exchange: TestExchange;
  let watched: WatchedPage;
  let page: Page;
  let said: string[];

  beforeAll(async () => {
    exchange = await startBourse({ seed: 'hostile', settings: { rateLimits: false } });
    await fillWithMarkup(exchange);
  }, 60_000);
  afterAll(() => exchange?.close());
  afterEach(() => watched?.close());

  async function open(url: string): Promise<void> {
    watched = await openWatchedPage(url);
    page = watched.page;
    // What is not there is told by a status, and the browser notes that.
    watched.allow(refusedLoad);
    said = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('dialog', (dialog) => said.push(dialog.message()));
    await page.route(/\/(?:api|v1)\//, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('{"', polluting) });
    });
    await page.goto(url);
  }

  /** Goes to a page as a link does, and answers all its text once it has been read. */
  async function textAt(path: string): Promise<string> {
    const to = JSON.stringify(path);
    await page.evaluate(`history.pushState(null, '', ${to}); dispatchEvent(new PopStateEvent('popstate'))`);
    await page.locator('.loading-bar').first().waitFor({ state: 'detached' });
    expect([path, await page.locator(made).count()]).toEqual([path, 0]);
    expect([path, await page.evaluate("'stolen' in globalThis")]).toEqual([path, false]);
    return (await page.locator('body').textContent()) ?? '';
  }

  async function expectQuiet(): Promise<void> {
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
    expect(said.filter((text) => !refusedLoad.test(text))).toEqual([]);
  }

  test('DEC-WEB-39, DEC-WEB-58: they stay text on every page of the public port', async () => {
    await open(exchange.baseUrl);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'alice trader' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ timeout: 20_000 });
    const texts: string[] = [];
    for (const path of pathsOf('pages/routes.ts', exchange.accounts.alice.uid)) texts.push(await textAt(path));
    texts.push(await textAt(`/trade/${encodeURIComponent(markup.coin)}`));
    for (const text of [markup.coin, markup.tips, markup.ofOwner, markup.remark])
      expect(
        texts.filter((each) => each.includes(text)),
        text,
      ).not.toEqual([]);
    await expectQuiet();
  });

  test('DEC-WEB-51, DEC-WEB-58: they stay text on every page of the operator port', async () => {
    await open(exchange.operatorUrl);
    await page.getByRole('button', { name: 'Enter as root' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor({ timeout: 20_000 });
    const { uid } = exchange.accounts.alice;
    const texts: string[] = [];
    for (const path of pathsOf('office/office-routes.ts', uid)) texts.push(await textAt(path));
    for (const path of pathsOf('office/sandbox/sandbox-pages.ts', uid)) texts.push(await textAt(path));
    const { coin, tips, account, note, reason, label } = markup;
    for (const text of [coin, tips, account, note, reason, label])
      expect(
        texts.filter((each) => each.includes(text)),
        text,
      ).not.toEqual([]);
    await expectQuiet();
  });

  test('DEC-WEB-52, DEC-WEB-53: a page of another origin reads nothing, does nothing and frames nothing', async () => {
    const { baseUrl, operatorUrl } = exchange;
    const foreign = await serveForeignPages();
    const context = await (await sharedBrowser()).newContext();
    try {
      const attacker = await context.newPage();
      const own = `http://localhost:${(foreign.address() as AddressInfo).port}/`;
      await attacker.goto(own);
      const ofOperators = ['/sandbox-token.json', '/v1/accounts', '/metrics', '/openapi.json', '/'];
      const read = await attacker.evaluate(
        readFrom,
        ofOperators.map((path) => operatorUrl + path),
      );
      expect(read).toEqual(ofOperators.map(() => null));
      // What is public is read, so that nothing else keeps the page from reading.
      const open = await attacker.evaluate(readFrom, [`${baseUrl}/api/v3/ping`, `${baseUrl}/docs/demo-keys.json`]);
      expect(open).toEqual(['{}', expect.stringContaining('"code":403')]);
      const before = (await exchange.operator.listActs({ limit: 1 })).items;
      const uid = exchange.accounts.alice.uid;
      await attacker.evaluate(sendTo, `${operatorUrl}/v1/accounts/${uid}/status`);
      expect((await exchange.operator.listActs({ limit: 1 })).items).toEqual(before);
      const pages = [operatorUrl, `${operatorUrl}/docs/`, baseUrl, `${baseUrl}/docs/`, `${baseUrl}/docs/streams`];
      for (const url of [...pages, own]) {
        await attacker.goto(`${own}?${encodeURIComponent(url)}`);
        const shown = url === own ? own : refusedFrame;
        await expect.poll(() => [url, attacker.frames()[1]?.url()]).toEqual([url, shown]);
      }
    } finally {
      await context.close();
      await new Promise((resolve) => foreign.close(resolve));
    }
  });
});

/** What a page gets to read at addresses, whichever way it asks; `null`: nothing. */
const readFrom = (urls: readonly string[]): Promise<readonly (string | null)[]> =>
  Promise.all(
    urls.map(async (url) => {
      const ways: readonly RequestInit[] = [{ credentials: 'include' }, { credentials: 'omit' }, { mode: 'no-cors' }];
      const answers = ways.map((way) =>
        fetch(url, way).then(
          (response) => response.text(),
          () => '',
        ),
      );
      return (await Promise.all(answers)).find((text) => text !== '') ?? null;
    }),
  );

/** Sends what a page may send without being asked first, and what it may not. */
async function sendTo(url: string): Promise<void> {
  const body = JSON.stringify({ status: 'frozen' });
  const sent = [
    fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body }),
    fetch(url, { method: 'PUT', headers: { authorization: 'Bearer x', 'content-type': 'application/json' }, body }),
    fetch(`${url}?_method=PUT`, { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ status: 'frozen' }) }),
  ];
  await Promise.allSettled(sent);
}

/** A server of another origin, with pages that have a frame of the address in their query. */
function serveForeignPages(): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const [, framed] = url.split('?');
    const frame = framed === undefined ? '' : `<iframe src="${decodeURIComponent(framed)}"></iframe>`;
    response.setHeader('content-type', 'text/html').end(`<link rel="icon" href="data:,"><body>${frame}</body>`);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Puts markup wherever people and operators write something. */
async function fillWithMarkup(exchange: TestExchange): Promise<void> {
  const { operator } = exchange;
  const { uid } = exchange.accounts.alice;
  const { reason } = markup;
  const { networks: _, delisted: __, ...usdt } = await operator.getAsset({ asset: 'USDT' });
  await operator.putAsset({ ...usdt, fullName: markup.coin, reason });
  await operator.changeAssetNetwork({ asset: 'USDT', network: 'ETH', depositTips: markup.tips, reason });
  await operator.changeAssetNetwork({ asset: 'USDT', network: 'TRX', label: markup.label, reason });
  await operator.registerAccount({ name: markup.account, reason });
  await operator.addNote({ uid, text: markup.note, reason });
  await operator.createWebhook({ url: markup.webhook, kinds: ['alarm.raised'], reason });
  await operator.putBan({ kind: 'address', target: '203.0.113.9', until: null, reason });
  const rules = await operator.getWalletRules();
  await operator.putWalletRules({ ...rules, riskHoldAbove: '20', reason });
  const alice = exchange.client('alice');
  await alice.openSubAccount({ subAccount: 'hostile01', note: markup.ofOwner });
  await alice.createSubAccountKey({ subAccount: 'hostile01', note: markup.ofOwner, permissions: 'SPOT_ACCOUNT_READ' });
  await alice.withdraw({ coin: 'USDT', netWork: 'ETH', address: outside, amount: '30', remark: markup.remark });
}
