import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBourse } from '#testing/start-bourse.ts';
import type { TestExchange } from '#testing/test-exchange.ts';
import { type OperatorDocument, operationsOf } from '#web/office/data/operations.ts';
import { firstEntry, readFault, variantsOf } from '#web/office/sandbox/fault-entry.ts';
import { faultKind } from '#web/office/sandbox/fault-kinds.ts';
import { axeFaults } from './axe-faults.ts';
import { browserPath, openWatchedPage, type WatchedPage } from './watched-page.ts';

const patience = { timeout: 20_000 };
const hostile = '<img src=x onerror=alert(1)>';
/** What a browser says of what is refused on purpose. */
const refused = /status of 4(?:00|04|22)/;
const run = promisify(execFile);
const limit = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '30000' } as const;

/** Whether a program is on this machine. */
const has = (program: string): Promise<boolean> =>
  run('which', [program]).then(
    () => true,
    () => false,
  );

describe.runIf(browserPath !== undefined)('tools of the sandbox window in a browser', { timeout: 90_000 }, () => {
  let exchange: TestExchange;
  let watched: WatchedPage;
  let page: Page;
  let said: string[];

  beforeAll(async () => {
    exchange = await startBourse({ settings: { rateLimits: false } });
  });
  afterAll(() => exchange.close());
  beforeEach(async () => {
    watched = await openWatchedPage(exchange.operatorUrl);
    watched.allow(refused);
    page = watched.page;
    said = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('dialog', (dialog) => said.push(dialog.message()));
  });
  afterEach(async () => {
    await watched.close();
    await exchange.operator.clearFaults();
    expect(watched.complaints).toEqual([]);
    expect(watched.elsewhere).toEqual([]);
    expect(said.filter((text) => !refused.test(text))).toEqual([]);
  });

  const part = (title: string): Locator =>
    page.locator('.office-part').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const press = (title: string, name: string) => part(title).getByRole('button', { name, exact: true }).click(patience);
  const row = (text: string): Locator => page.getByRole('row').filter({ hasText: text });

  async function open(name: string): Promise<void> {
    await page.goto(exchange.operatorUrl);
    await page.getByLabel('Token').fill(exchange.operatorToken);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const index = page.getByRole('navigation', { name: 'Back office' });
    await index.getByRole('link', { name, exact: true }).click(patience);
    await page.getByRole('heading', { level: 1, name }).waitFor(patience);
  }

  /** Pauses the log of unknown paths, goes on, saves it, switches it off and on, and empties it. */
  async function workTheLog(): Promise<void> {
    await press('Log', 'Pause');
    await fetch(`${exchange.baseUrl}/api/v3/nothing?second`);
    await press('Log', 'Go on');
    await row('GET /api/v3/nothing').nth(1).waitFor(patience);
    const saved = page.waitForEvent('download');
    await press('Log', 'Save as HAR');
    expect((await saved).suggestedFilename()).toBe('requests.har');
    await press('Log', 'Stop logging');
    await part('Log').getByRole('button', { name: 'Log again' }).waitFor(patience);
    expect(await exchange.operator.getRequestSettings()).toMatchObject({ isOn: false });
    await press('Log', 'Log again');
    await expect.poll(() => exchange.operator.getRequestSettings()).toMatchObject({ isOn: true });
    await press('Log', 'Forget all');
    await page.getByText('Nothing of that kind came yet.').waitFor(patience);
    expect((await exchange.operator.listRequests({})).items).toEqual([]);
  }

  test('DEC-WEB-65, DEC-WEB-66: requests come live, are narrowed down, opened, and made again from what is copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: exchange.operatorUrl });
    const alice = exchange.client('alice');
    const pushed: string[] = [];
    const orders = alice.subscribe('spot@private.orders.v3.api.pb', () => pushed.push('order'));
    await orders.ready;
    await open('Requests');
    await alice.placeOrder(limit);
    await alice.openOrders({ symbol: 'BTCUSDT' });
    await fetch(`${exchange.baseUrl}/api/v3/nothing?name=${encodeURIComponent(hostile)}`);
    await expect.poll(() => pushed.length).toBeGreaterThan(0);
    await row('GET /api/v3/nothing').filter({ hasText: 'unknownPath' }).waitFor(patience);

    await page.getByLabel('What', { exact: true }).selectOption('all');
    await row('spot@private.orders').filter({ hasText: '→ spot@' }).first().getByRole('cell').last().click();
    await part('To the client').getByText('Decoded').waitFor(patience);
    await part('To the client').getByText('Written as protobuf').waitFor(patience);
    await part('To the client').getByText('"channel": "spot@private.orders.v3.api.pb"').waitFor(patience);
    await part('To the client')
      .getByText(/^0000 {2}0a 1d 73 70/)
      .waitFor(patience);
    await row('SUBSCRIPTION').filter({ hasText: '←' }).getByRole('button').click();
    await part('From the client').getByText('"method": "SUBSCRIPTION"').waitFor(patience);

    await page.getByLabel('Account').selectOption({ label: `alice · ${exchange.accounts.alice.uid}` });
    await row('GET /api/v3/nothing').waitFor({ ...patience, state: 'detached' });
    await page.getByLabel('Path').fill('no path');
    await page.getByText('It must be a path').waitFor(patience);
    await page.getByLabel('Path').fill('/api/v3/openOrders');
    await row('POST /api/v3/order').waitFor({ ...patience, state: 'detached' });
    await row('GET /api/v3/openOrders').getByRole('button').click();
    await page.waitForURL(/path=%2Fapi%2Fv3%2FopenOrders&.*entry=\d+$/);
    const index = page.getByRole('navigation', { name: 'Back office' });
    await index.getByRole('link', { name: 'Clock', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Clock' }).waitFor(patience);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor(patience);
    expect(await page.getByLabel('Path').inputValue()).toBe('/api/v3/openOrders');
    await part('Request').getByRole('row').filter({ hasText: 'symbol' }).getByText('BTCUSDT').waitFor(patience);
    expect(await part('Request').textContent()).not.toMatch(/[0-9a-f]{64}/);
    await press('Make it again', 'Copy the request');
    const copied = String(await page.evaluate('navigator.clipboard.readText()')).trim();
    expect(await page.content()).not.toContain(exchange.accounts.alice.secretKey);
    expect(copied).not.toContain(exchange.accounts.alice.secretKey);
    if ((await has('curl')) && (await has('openssl'))) {
      const { stdout } = await run('bash', ['-c', `${copied} -w ' %{http_code}'`]);
      expect(stdout).toMatch(/"price":"30000".* 200$/);
    }
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.locator('.copy-text').filter({ hasText: 'urllib' }).waitFor(patience);
    const script = await page.locator('.copy-text').textContent();
    if (await has('python3')) expect((await run('python3', ['-c', script ?? ''])).stdout).toContain('"price":"30000"');
    await page.getByRole('tab', { name: 'ccxt' }).click();
    await page.getByText('exchange.spotPrivateGetOpenOrders({"symbol":"BTCUSDT"})').waitFor(patience);
    expect(await axeFaults(page)).toEqual([]);

    await page.getByLabel('Account').selectOption({ label: 'All' });
    await page.getByLabel('Path').fill('/api/v3/nothing');
    await row('GET /api/v3/nothing').getByRole('button').click();
    await part('Request').getByText(hostile).waitFor(patience);
    await page.getByText('ccxt has no call of it').waitFor(patience);
    await workTheLog();
    expect(await page.locator('img').count()).toBe(0);
    orders.close();
    await alice.cancelOpenOrders({ symbol: 'BTCUSDT' });
  });

  test('DEC-WEB-67: faults are added as they are offered, strike, are counted and removed', async () => {
    await open('Faults');
    const form = part('Add a rule');
    const kind = form.getByLabel('What happens');
    const kinds = await kind.locator('option').evaluateAll((all) => all.map((each) => each.getAttribute('value')));
    for (const value of ['refuse', 'gap', 'unansweredPing']) {
      await kind.selectOption(value);
      await press('Add a rule', 'Add the rule');
      await row(faultKind(value).title).first().waitFor(patience);
    }
    // The others as the form begins with them.
    const read = await fetch(`${exchange.operatorUrl}/openapi.json`);
    const body = operationsOf((await read.json()) as OperatorDocument).get('addFault')?.body ?? null;
    for (const variant of variantsOf(body)) {
      const { rule, faults } = readFault(firstEntry(variant), { fault: variant.forms, match: [] });
      expect(faults).toEqual({});
      await exchange.operator.addFault(rule as never);
    }
    const { items } = await exchange.operator.listFaults();
    expect(
      items
        .slice(3)
        .map(({ fault }) => fault.kind)
        .sort(),
    ).toEqual([...kinds].sort());
    expect(new Set(kinds).size).toBe(15);
    await page.getByRole('button', { name: 'Remove f2', exact: true }).click();
    await expect.poll(async () => (await exchange.operator.listFaults()).items.length).toBe(17);
    await press('Rules', 'Remove all');
    await page.getByText('No fault is in force').waitFor(patience);

    await kind.selectOption('failAfter');
    await form.getByLabel('Path').fill('/api/v3/nowhere');
    await press('Add a rule', 'Add the rule');
    await form.getByText('is no path of an endpoint').waitFor(patience);
    await form.getByLabel('Path').fill('/api/v3/order');
    await form.getByLabel('Method').selectOption('POST');
    await form.getByLabel('Account').selectOption({ label: `bob · ${exchange.accounts.bob.uid}` });
    await form.getByLabel('Which of them').selectOption('nth');
    await form.getByLabel('Which one').fill('2');
    await form.getByLabel('For so long').fill('1 h');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFaults(page)).toEqual([]);
    await press('Add a rule', 'Add the rule');
    await row('POST /api/v3/order, account').filter({ hasText: 'the 2nd alone' }).waitFor(patience);
    const bob = exchange.client('bob');
    await bob.placeOrder(limit);
    await bob.placeOrder(limit).catch(() => {});
    await row('POST /api/v3/order, account').filter({ hasText: 'over' }).waitFor(patience);
    const [rule] = (await exchange.operator.listFaults()).items;
    expect(rule).toMatchObject({ seen: 2, hits: 1, forMs: 3_600_000, match: { method: 'POST', nth: 2 } });
    await bob.cancelOpenOrders({ symbol: 'BTCUSDT' });
  });

  test('DEC-WEB-68: a payment from outside is made, mined, undone; the paying wallet runs short', async () => {
    const { alice } = exchange.accounts;
    await open('Chains');
    await page.getByRole('button', { name: 'Network ETH', exact: true }).click(patience);
    const chain = () => exchange.operator.getChain({ network: 'ETH' });
    await press('Blocks', 'Mine');
    await page.getByText('Mined.').waitFor(patience);
    const paying = part('Pay on ETH from outside');
    await paying.getByLabel('To the account').selectOption({ label: `alice · ${alice.uid}` });
    await press('Pay on ETH from outside', 'Give it one');
    await paying.getByLabel('Address', { exact: true }).waitFor(patience);
    await paying.getByLabel('Coin').selectOption('USDT');
    await paying.getByLabel('Amount').fill('many');
    await press('Pay on ETH from outside', 'Pay');
    await paying.locator('.field-fault').waitFor(patience);
    await paying.getByLabel('Amount').fill('50');
    await press('Pay on ETH from outside', 'Pay');
    await page.getByText('50 USDT are on their way.').waitFor(patience);
    await part('Blocks').getByLabel('Blocks', { exact: true }).fill('40');
    await press('Blocks', 'Mine');
    await row('50').filter({ hasText: 'USDT' }).filter({ hasText: 'success' }).waitFor(patience);
    const { items } = await exchange.operator.listDeposits({ network: 'ETH' });
    const { address } = await exchange.operator.giveAddress({ network: 'ETH', uid: alice.uid });
    expect(items[0]).toMatchObject({ amount: '50', uid: alice.uid, status: 'success', address });
    expect(await axeFaults(page)).toEqual([]);

    await part('Blocks').getByLabel('Blocks that new payments wait more').fill('3');
    await press('Blocks', 'Delay');
    await expect.poll(async () => (await chain()).delayBlocks).toBe(3);
    const { hash } = await chain();
    await part('Reorganisation').getByLabel('Depth').fill('2');
    await press('Reorganisation', 'Reorganise');
    await page.getByText('The newest 2 blocks are others now.').waitFor(patience);
    expect((await chain()).hash).not.toBe(hash);
    await press('Wallet that pays withdrawals', 'Limit');
    await page.getByText('then withdrawals wait').waitFor(patience);
    await press('Wallet that pays withdrawals', 'Lift the limit');
    await page.getByText('without end.').waitFor(patience);
  });

  test('DEC-WEB-69: an account is given money, a new one is opened with a key, and a key is made of any', async () => {
    const { alice, bob } = exchange.accounts;
    const free = async (uid: number) =>
      (await exchange.operator.getBalances({ uid })).spot.find(({ asset }) => asset === 'USDT')?.free;
    await exchange.operator.setBalance({ uid: alice.uid, asset: 'USDT', free: '1.5' });
    await open('Faucet');
    const giving = part('Give to an account');
    await giving.getByLabel('Account').selectOption({ label: `alice · ${alice.uid}` });
    await giving.getByLabel('Amount').fill('1000.25');
    await press('Give to an account', 'Give');
    await row('USDT').filter({ hasText: '1,001.75' }).waitFor(patience);
    expect(await free(alice.uid)).toBe('1001.75');
    await giving.getByLabel('What is done').selectOption('set');
    await giving.getByLabel('Amount').fill('7');
    await press('Give to an account', 'Set');
    await expect.poll(() => free(alice.uid)).toBe('7');

    const opening = part('Open an account with money');
    await opening.getByLabel('Name').fill(hostile);
    await opening.getByLabel('Amount').fill('none');
    await press('Open an account with money', 'Open the account');
    await opening.locator('.field-fault').waitFor(patience);
    await opening.getByLabel('Amount').fill('250');
    await press('Open an account with money', 'Open the account');
    const keyOf = async (place: Locator) => {
      await place.locator('.secret-line .code').nth(1).waitFor(patience);
      const [apiKey = '', secretKey = ''] = await place.locator('.secret-line .code').allInnerTexts();
      return { apiKey, secretKey };
    };
    const { balances } = await exchange.client(await keyOf(opening)).account();
    expect(balances).toContainEqual(expect.objectContaining({ asset: 'USDT', free: '250' }));
    await giving.getByLabel('Account').locator('option').filter({ hasText: hostile }).waitFor({ state: 'attached' });

    const making = part('A key of any account');
    await making.getByLabel('Whose key').selectOption({ label: `bob · ${bob.uid}` });
    await making.getByLabel('It ends after').fill('10 m');
    await press('A key of any account', 'Make a key');
    const key = await keyOf(making);
    await exchange.client(key).account();
    const { items } = await exchange.operator.listApiKeys({ uid: bob.uid });
    expect(items.find(({ accessKey }) => accessKey === key.apiKey)).toMatchObject({ note: 'impersonation' });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.locator('img').count()).toBe(0);
  });
});
