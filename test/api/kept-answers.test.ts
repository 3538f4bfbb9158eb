import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type SymbolId } from '#model/units.ts';
import { createGateway, surfaces } from '#public-api/gateway.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { createHttpServer } from '#public-api/http-server.ts';
import { type FuturesDesk, listedTerms, startFuturesDesk } from './futures-desk.ts';
import { keys } from './gateway-harness.ts';

/*
 * Texts of public answers are kept until what they show changes. Here one gateway lives on while the exchange changes,
 * and after each change it answers as a gateway that has kept nothing.
 */

const paths = [
  '/api/v3/exchangeInfo',
  '/api/v3/exchangeInfo?symbol=BTCUSDT',
  '/api/v3/trades?symbol=BTCUSDT&limit=5',
  '/api/v3/trades?symbol=BTCUSDT&limit=50',
  '/api/v3/ticker/24hr',
  '/api/v1/contract/detail',
  '/api/v1/contract/detail?symbol=BTC_USDT',
  '/api/v1/contract/depth/BTC_USDT',
  '/api/v1/contract/deals/BTC_USDT?limit=3',
  '/api/v1/contract/deals/BTC_USDT?limit=100',
  '/api/v1/contract/ticker',
  '/api/v1/contract/ticker?symbol=BTC_USDT',
];

let desk: FuturesDesk;
let sources: readonly string[] = ['SPOT'];
let kept: Awaited<ReturnType<typeof serve>>;

async function serve(context: GatewayContext) {
  const { limits, endpointLimits } = desk.gate.gateway;
  const server = createHttpServer(createGateway(context, surfaces, { limits, endpointLimits }), null);
  const port = await server.listen('127.0.0.1', 0);
  return {
    ask: async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
    close: () => server.close(),
  };
}

const contextNow = (): GatewayContext => ({ ...desk.gate.gateway.context, indexSources: async () => sources });

beforeAll(async () => {
  desk = await startFuturesDesk();
  kept = await serve(contextNow());
});
afterAll(async () => {
  await kept.close();
  await desk.gate.close();
});

/** The answers of the gateway that lives on, which must be those of a new one. */
async function answers(): Promise<readonly string[]> {
  const fresh = await serve(contextNow());
  const texts: string[] = [];
  for (const path of paths) {
    const text = await kept.ask(path);
    expect(text).toBe(await fresh.ask(path));
    expect(await kept.ask(path)).toBe(text);
    texts.push(text);
  }
  await fresh.close();
  return texts;
}

let latest: readonly string[] = [];
/** What a change changes: the paths whose answers are others than after the change before. */
async function changed(change: () => unknown): Promise<readonly string[]> {
  const before = latest.length > 0 ? latest : await answers();
  await change();
  latest = await answers();
  return paths.filter((_, index) => before[index] !== latest[index]);
}

const spot = async (side: string, price: string, key: string) => {
  const terms = { symbol: 'BTCUSDT', side, type: 'LIMIT', quantity: '0.1', price };
  expect((await desk.gate.signed('POST', '/api/v3/order', terms, { key })).status).toBe(200);
};

test('an answer shows every change of what it is about, and nothing is kept too long', async () => {
  const tickers = ['/api/v1/contract/ticker', '/api/v1/contract/ticker?symbol=BTC_USDT'];
  const contract = ['/api/v1/contract/depth/BTC_USDT', ...tickers];
  const deals = ['/api/v1/contract/deals/BTC_USDT?limit=3', '/api/v1/contract/deals/BTC_USDT?limit=100'];
  const details = ['/api/v1/contract/detail', '/api/v1/contract/detail?symbol=BTC_USDT'];
  const infos = paths.slice(0, 2);
  expect(await changed(() => desk.order('alice', 'buy', 10, 599_900))).toEqual(contract);
  // Behind the best price: the tickers stay.
  expect(await changed(() => desk.order('alice', 'buy', 10, 599_800))).toEqual([contract[0]]);
  expect(await changed(() => desk.order('bob', 'sell', 5, 599_900))).toEqual([contract[0], ...deals, ...tickers]);
  expect(await changed(() => desk.index(60_010))).toEqual(tickers);
  expect(
    await changed(() => desk.run({ kind: 'configureContract', contract: { ...listedTerms, minLots: as(2) } })),
  ).toEqual(details);
  expect(await changed(() => (sources = ['SPOT', 'OTHER']))).toEqual(details);
  expect(await changed(() => desk.gate.configure({ fullName: 'Renamed' }))).toEqual(infos);
  expect(await changed(() => spot('SELL', '30000', keys.alice))).toEqual(['/api/v3/ticker/24hr']);
  expect(await changed(() => spot('BUY', '30000', keys.bob))).toEqual(paths.slice(2, 5));
  expect(await changed(() => desk.run({ kind: 'setTrading', state: 'halted', reason: 'A test.' }))).toEqual([
    ...infos,
    ...details,
  ]);
});

test('a day later the tickers have forgotten the trades', async () => {
  expect(await changed(() => desk.at(2 * 86_400))).toEqual(
    expect.arrayContaining(['/api/v3/ticker/24hr', '/api/v1/contract/ticker?symbol=BTC_USDT']),
  );
  const { data } = JSON.parse(await kept.ask('/api/v1/contract/ticker?symbol=BTC_USDT'));
  expect(data).toMatchObject({ volume24: 0, amount24: 0, lastPrice: 59_990 });
});

test('the book of a pair is that of its version, at each depth', async () => {
  const pair = as<SymbolId>(0);
  const { market } = desk.gate.gateway.context;
  await desk.run({ kind: 'setTrading', state: 'open', reason: 'A test.' });
  for (const price of ['29000', '29001', '29000', '28000']) {
    await spot('BUY', price, keys.alice);
    for (const limit of [1, 2, 5]) {
      const book = JSON.parse(await kept.ask(`/api/v3/depth?symbol=BTCUSDT&limit=${limit}`));
      const image = market.depth(pair, limit);
      expect(book.lastUpdateId).toBe(image.version);
      const levels = image.bids.map(([ticks, lots]) => [ticks / 100, lots / 1_000_000]);
      expect(book.bids.map((level: [string, string]) => level.map(Number))).toEqual(levels);
    }
  }
});
