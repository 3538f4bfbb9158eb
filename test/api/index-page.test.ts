import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AssetListing, AssetRules } from '#model/asset.ts';
import { HistoryUnavailable } from '#history/history-store.ts';
import { sparkLine } from '#public-api/pages/spark-line.ts';
import { type FuturesDesk, startFuturesDesk } from './futures-desk.ts';
import { btcUsdt, keys, secret, startTestGateway, type TestGateway } from './gateway-harness.ts';

const page = (gate: TestGateway) => gate.send('GET', '/', { headers: { accept: 'text/html,*/*;q=0.8' } });
const json = (gate: TestGateway, accept = '*/*') => gate.send('GET', '/', { headers: { accept } });
const words = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The row of a market on a page. */
function rowOf(html: string, symbol: string): string {
  const rows = html.match(/<tr class[\s\S]*?<\/tr>/g) ?? [];
  const found = rows.find((row) => row.includes(`<th scope="row">${symbol}<`));
  expect(found, `the page shows ${symbol}`).toBeDefined();
  return found as string;
}

/** Texts of its cells: last price, change, high, low, turnover. */
function cellsOf(html: string, symbol: string): string[] {
  const cells = rowOf(html, symbol).match(/<td[\s\S]*?<\/td>/g) ?? [];
  return cells.slice(1).map(words);
}

/** Moves the monotonic clock on, so that the page is made anew. */
function afterASecond(gate: TestGateway): void {
  gate.monotonic.time += 1000;
}

describe('a market that is traded', () => {
  let desk: FuturesDesk;
  let gate: TestGateway;
  const place = (side: string, quantity: string, price: string, key: string = keys.alice) =>
    gate.signed('POST', '/api/v3/order', { symbol: 'BTCUSDT', side, type: 'LIMIT', quantity, price }, { key });
  async function trade(quantity: string, price: string): Promise<void> {
    await place('SELL', quantity, price);
    await place('BUY', quantity, price, keys.bob);
  }

  beforeAll(async () => {
    desk = await startFuturesDesk();
    gate = desk.gate;
    await trade('0.2', '30000');
    await desk.index(30_000);
    await desk.order('alice', 'sell', 10, 300_000);
    await desk.order('bob', 'buy', 10, 300_000);
    // The moment is 22:13:20: half past is 1000 s away.
    desk.at(1300);
    await trade('0.1', '29900.5');
    desk.at(4000);
    await trade('0.4', '30200');
    await desk.index(30_000);
    await desk.order('alice', 'sell', 10, 298_500);
    await desk.order('bob', 'buy', 10, 298_500);
  });
  afterAll(() => gate.close());

  test('DEC-REQ-63: is shown with its last price, its change, range and turnover of 24 hours', async () => {
    const { text } = await page(gate);
    // (30200 - 30000) / 30000, cut; 0.2 x 30000 + 0.1 x 29900.5 + 0.4 x 30200.
    expect(cellsOf(text, 'BTCUSDT')).toEqual(['30,200.00', '+0.66%', '30,200.00', '29,900.50', '21.07K USDT']);
    // A contract is 0.0001 BTC: 10 x 0.0001 x (30000 + 29850).
    expect(cellsOf(text, 'BTC_USDT')).toEqual(['29,850.0', '−0.50%', '30,000.0', '29,850.0', '59.85 USDT']);
    expect(rowOf(text, 'BTCUSDT')).toContain('<tr class="up">');
    expect(rowOf(text, 'BTC_USDT')).toContain('<tr class="down">');
  });

  test('DEC-REQ-63: its figures are those of the tickers', async () => {
    const [{ text }, { body: ticker }, future] = await Promise.all([
      page(gate),
      gate.get('/api/v3/ticker/24hr', { symbol: 'BTCUSDT' }),
      desk.data('ticker?symbol=BTC_USDT'),
    ]);
    const numbers = (cells: string[]) =>
      cells.map((cell) => Number.parseFloat(cell.replaceAll(',', '').replace('−', '-')));
    const [last, change, high, low] = numbers(cellsOf(text, 'BTCUSDT'));
    expect([last, high, low].map(String)).toEqual(
      [ticker.lastPrice, ticker.highPrice, ticker.lowPrice].map((price) => String(Number(price))),
    );
    expect(change).toBeCloseTo(Number(ticker.priceChangePercent) * 100, 9);
    const [contractLast, , contractHigh, contractLow] = numbers(cellsOf(text, 'BTC_USDT'));
    expect([contractLast, contractHigh, contractLow]).toEqual([
      future.lastPrice,
      future.high24Price,
      future.lower24Price,
    ]);
  });

  test('DEC-REQ-63: its spark line goes by the closes of 15 minute candles to the last price', async () => {
    const { body } = await gate.get('/api/v3/klines', { symbol: 'BTCUSDT', interval: '15m' });
    const candles = body as [number, string, string, string, string, string, number][];
    const end = gate.exchange.clock.time;
    const at = (time: number) => (time - (end - 86_400_000)) / 86_400_000;
    const [first] = candles;
    expect(candles).toHaveLength(6);
    const points = [
      { at: at(first?.[0] ?? 0), price: 30_000 },
      ...candles.slice(0, -1).map((candle) => ({ at: at(candle[6]), price: Number(candle[4]) })),
      { at: 1, price: 30_200 },
    ];
    expect(rowOf((await page(gate)).text, 'BTCUSDT')).toContain(sparkLine(points));
  });

  test('DEC-REQ-63: a contract that is not traded says so and has no figures', async () => {
    const { text } = await page(gate);
    expect(words(rowOf(text, 'SVC_USDT'))).toContain('paused');
    expect(cellsOf(text, 'SVC_USDT')).toEqual(['–', '–', '–', '–', '–']);
  });

  test('DEC-REQ-63: the page is made at most once a second, whoever asks', async () => {
    afterASecond(gate);
    const before = (await page(gate)).text;
    await trade('0.01', '30201');
    gate.monotonic.time += 999;
    expect((await page(gate)).text).toBe(before);
    gate.monotonic.time += 1;
    expect(cellsOf((await page(gate)).text, 'BTCUSDT')[0]).toBe('30,201.00');
  });

  test('DEC-REQ-63: after a day without trades the line is level and the change nothing', async () => {
    const start = gate.exchange.clock.time;
    gate.exchange.clock.time += 3 * 86_400_000;
    afterASecond(gate);
    const { text } = await page(gate);
    expect(cellsOf(text, 'BTCUSDT')).toEqual(['30,201.00', '0.00%', '30,201.00', '30,201.00', '0.00 USDT']);
    const line = /class="line" d="([^"]*)"/.exec(rowOf(text, 'BTCUSDT'))?.[1] ?? '';
    expect(line).toMatch(/^M0 32L/);
    expect(line).toMatch(/L240 32$/);
    expect(line.replaceAll(/[ML]\d+ 32/g, '')).toBe('');
    gate.exchange.clock.time = start;
  });

  test('DEC-REQ-63: the first 50 of many markets are shown', async () => {
    const [usdt] = gate.gateway.directory.assets;
    for (let index = 0; index < 51; index += 1) {
      await gate.exchange.submit({ kind: 'configureAsset', asset: { ...usdt, code: `X${index}` } as AssetListing });
      const { id } = gate.gateway.directory.findAsset(`X${index}`) as AssetRules;
      await gate.configure({ base: id }, `X${index}USDT`);
    }
    afterASecond(gate);
    const { text } = await page(gate);
    expect(words(text)).toContain('Pairs the first 50 of 52');
    expect(text.match(/<tr class/g)).toHaveLength(50 + 2);
  });
});

describe('a sandbox without trades', () => {
  let gate: TestGateway;
  const hostile = '"><script>alert(1)</script>';
  beforeAll(async () => {
    gate = await startTestGateway({
      settings: { rateLimits: false },
      context: (context) => ({
        ...context,
        demoKeys: [
          { name: 'alice', role: 'trader', accessKey: keys.alice, secretKey: secret },
          { name: hostile, role: "O'Reader & <b>", accessKey: keys.bob, secretKey: secret },
        ],
        operatorUrl: () => 'http://127.0.0.1:8081',
      }),
    });
  });
  afterAll(() => gate.close());

  test('DEC-REQ-62: answers JSON to programs and a page to browsers, and caches keep them apart', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/plain, */*']) {
      const { headers, body } = await json(gate, accept);
      expect([headers.get('content-type'), headers.get('vary')]).toEqual([
        'application/json;charset=utf-8',
        'accept, accept-encoding',
      ]);
      expect(body).toMatchObject({ name: 'bourse', version: 'test', pages: { docs: '/docs/' } });
    }
    const { status, headers, text } = await page(gate);
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'text/html;charset=utf-8',
      'accept',
    ]);
    expect(text).toMatch(/^<!doctype html>/);
    const foreign = { accept: 'text/html', origin: 'http://127.0.0.1:1' };
    const answer = await gate.send('GET', '/', { headers: foreign });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('DEC-REQ-63: has lines for what was never traded, and a word for what is not listed', async () => {
    const { text } = await page(gate);
    expect(cellsOf(text, 'BTCUSDT')).toEqual(['–', '–', '–', '–', '–']);
    expect(rowOf(text, 'BTCUSDT')).not.toContain('<svg');
    expect(words(text)).toContain('Pairs 1 · not traded yet');
    expect(words(text)).toContain('Contracts 0 None is listed.');
  });

  test('DEC-REQ-64: names version, profile, state, accounts and the other pages, and no key', async () => {
    const { text } = await page(gate);
    expect(words(text)).toMatch(/bourse test sandbox Ready 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(words(text)).toContain('alice trader');
    for (const hidden of [secret, keys.alice, keys.bob]) expect(text).not.toContain(hidden);
    const links = [...text.matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address ?? '');
    expect(links).toContain('http://127.0.0.1:8081/docs');
    const own = links.filter((address) => address.startsWith('/'));
    expect(new Set(own.map((address) => address.replace(/#.*/, '')))).toEqual(
      new Set(Object.values((await json(gate)).body.pages)),
    );
  });

  test('what others named stands in the page as text', async () => {
    const { text } = await page(gate);
    expect(text).not.toContain(hostile);
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('O&#39;Reader &amp; &lt;b&gt;');
    await gate.exchange.submit({ kind: 'configureSymbol', symbol: { ...btcUsdt, fullName: '<i>Bit & coin</i>' } });
    afterASecond(gate);
    expect(rowOf((await page(gate)).text, 'BTCUSDT')).toContain('<small>&lt;i&gt;Bit &amp; coin&lt;/i&gt;</small>');
  });

  test('the page runs its own style and script only, and loads nothing from elsewhere', async () => {
    const { headers, text } = await page(gate);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/ (?:src|style|on\w+)=/);
    expect(text.match(/<script/g)).toHaveLength(1);
  });
});

test('DEC-REQ-64: production shows no accounts, no operator and no metrics', async () => {
  const gate = await startTestGateway({
    settings: { profile: 'production' },
    hasMetrics: false,
    context: (context) => ({
      ...context,
      isReady: () => false,
      demoKeys: [{ name: 'alice', role: 'trader', accessKey: keys.alice, secretKey: secret }],
      operatorUrl: () => 'http://127.0.0.1:8081',
    }),
  });
  const { text } = await page(gate);
  expect(words(text)).toContain('bourse test production Starting');
  expect(cellsOf(text, 'BTCUSDT')).toHaveLength(5);
  for (const hidden of ['alice', '8081', 'Operator', 'Accounts', '/metrics', 'demo.json'])
    expect(text).not.toContain(hidden);
  await gate.close();
});

test('a market whose history cannot be read is shown without its line', async () => {
  const gate = await startTestGateway({
    context: (context) => ({
      ...context,
      market: { ...context.market, candles: () => Promise.reject(new HistoryUnavailable('history is closed')) },
    }),
  });
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', quantity: '0.2', price: '30000' };
  await gate.signed('POST', '/api/v3/order', { ...order, side: 'SELL' });
  await gate.signed('POST', '/api/v3/order', { ...order, side: 'BUY' }, { key: keys.bob });
  const { status, text } = await page(gate);
  expect([status, cellsOf(text, 'BTCUSDT')[0]]).toEqual([200, '30,000.00']);
  expect(rowOf(text, 'BTCUSDT')).not.toContain('<svg');
  await gate.close();
});

test('a page that could not be made is made at the next request', async () => {
  let faults = 1;
  const gate = await startTestGateway({
    context: (context) => ({
      ...context,
      market: {
        ...context.market,
        candles: (...asked) => {
          faults -= 1;
          return faults < 0 ? context.market.candles(...asked) : Promise.reject(new TypeError('planted'));
        },
      },
    }),
  });
  expect([(await page(gate)).status, (await page(gate)).status]).toEqual([500, 200]);
  await gate.close();
});

test('an address that may request no page gets none here either', async () => {
  const gate = await startTestGateway({ settings: { deniedAddresses: ['127.0.0.1'] } });
  expect((await page(gate)).status).toBe(403);
  expect((await json(gate)).status).toBe(403);
  await gate.close();
});
