import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderIdText } from '#http/words.ts';
import { createGateway, surfaces } from '#public-api/gateway.ts';
import { createHttpServer } from '#public-api/http-server.ts';
import { expectShape } from './answer-shape.ts';
import { bitcoin, type FuturesDesk, startFuturesDesk } from './futures-desk.ts';
import type { Reply } from './gateway-harness.ts';

/*
 * Public data of a contract that trades. Minutes of the story: 0, 1 and 3 have trades, 2 has none, and index prices are
 * told in 3 and 4. The start is 20 s into a minute, 1:46:40 before midnight UTC.
 */

const start = 1_700_000_000;
const minute = (index: number): number => start - 20 + index * 60;
const midnight = 1_700_006_400;

let desk: FuturesDesk;
beforeAll(async () => {
  desk = await startFuturesDesk();
  await desk.order('alice', 'buy', 100, 599_900);
  await desk.order('alice', 'buy', 50, 599_900);
  await desk.order('alice', 'buy', 30, 599_800);
  await desk.order('bob', 'sell', 40, 600_100);
  // Both open: alice has 20, bob -20.
  await desk.order('bob', 'sell', 20, 599_900);
  desk.at(60);
  // Both close: 15 and -15.
  await desk.order('bob', 'buy', 5, 600_000);
  await desk.order('alice', 'sell', 5, 600_000);
  desk.at(70);
  // Alice closes 10, and the broker opens.
  await desk.order('alice', 'sell', 10, 600_050);
  await desk.order('broker', 'buy', 10, 600_050);
  desk.at(180);
  // With himself: bob has an ask of 40 at this price.
  await desk.order('bob', 'buy', 3, 600_100);
  await desk.index(59_995);
  desk.at(240);
  await desk.index(59_985.5);
});
afterAll(() => desk.gate.close());

const pathsWithShapes = [
  ['ping', 'futuresPing'],
  ['detail', 'futuresContracts'],
  ['detail?symbol=BTC_USDT', 'futuresContracts'],
  ['support_currencies', 'futuresCurrencies'],
  ['depth/BTC_USDT', 'futuresDepth'],
  ['depth_commits/BTC_USDT/10', 'futuresDepthCommits'],
  ['index_price/BTC_USDT', 'futuresIndexPrice'],
  ['fair_price/BTC_USDT', 'futuresFairPrice'],
  ['funding_rate/BTC_USDT', 'futuresFundingRate'],
  ['kline/BTC_USDT', 'futuresCandles'],
  ['kline/index_price/BTC_USDT', 'futuresIndexCandles'],
  ['kline/fair_price/BTC_USDT', 'futuresFairCandles'],
  ['deals/BTC_USDT', 'futuresDeals'],
  ['ticker', 'futuresTicker'],
  ['ticker?symbol=BTC_USDT', 'futuresTicker'],
  ['ticker?symbol=SVC_USDT', 'futuresTicker'],
  ['risk_reverse', 'futuresFunds'],
  ['risk_reverse/BTC_USDT', 'futuresFund'],
  ['risk_reverse/history?symbol=BTC_USDT', 'futuresFundHistory'],
  ['funding_rate/history?symbol=BTC_USDT', 'futuresFundingHistory'],
] as const;

test.each(pathsWithShapes)('SPEC-FUT-01: %s answers what the reference says', async (path, id) => {
  const reply = await desk.ask(path);
  expectShape(id, reply);
  expect(reply.body).toMatchObject({ success: true, code: 0 });
});

describe('contracts', () => {
  test('SPEC-FUT-03, DEC-FUT-05: one by name, or all in the order of listing', async () => {
    const one = await desk.data('detail?symbol=BTC_USDT');
    expect(one).toMatchObject({ symbol: 'BTC_USDT', contractSize: 0.0001, state: 0, id: 1, maxLeverage: 100 });
    const all = await desk.data('detail');
    expect(all.map(({ symbol, state }: typeof one) => [symbol, state])).toEqual([
      ['BTC_USDT', 0],
      ['SVC_USDT', 4],
    ]);
    expect(all[0]).toEqual(one);
  });

  test('DEC-FUT-35: a name in the path is decoded, and counts before the query', async () => {
    expect((await desk.data('fair_price/BTC%5FUSDT?symbol=SVC_USDT')).symbol).toBe('BTC_USDT');
    expect((await desk.ask('fair_price/NOPE_USDT?symbol=BTC_USDT')).body.code).toBe(1001);
  });

  test('SPEC-FUT-04: indexOrigin names the sources of the index', async () => {
    expect((await desk.data('detail?symbol=BTC_USDT')).indexOrigin).toEqual(['SPOT', 'EXCHANGE A']);
  });

  test('SPEC-FUT-06: currencies that can be transferred', async () => {
    expect(await desk.data('support_currencies')).toEqual(['USDT']);
  });
});

describe('depth', () => {
  test('SPEC-FUT-07, DEC-FUT-02: levels are [price, order count, quantity], best first', async () => {
    expect(await desk.data('depth/BTC_USDT')).toEqual({
      asks: [[60_010, 1, 37]],
      bids: [
        [59_990, 2, 130],
        [59_980, 1, 30],
      ],
      version: 10,
      timestamp: (start + 240) * 1000,
    });
  });

  test('SPEC-FUT-08, DEC-FUT-10: depth_commits are the levels that changed, newest first', async () => {
    expect(await desk.data('depth_commits/BTC_USDT/6')).toEqual([
      { asks: [[60_010, 1, 37]], bids: [], version: 10 },
      { asks: [[60_005, 0, 0]], bids: [], version: 9 },
      { asks: [[60_005, 1, 10]], bids: [], version: 8 },
      { asks: [], bids: [[60_000, 0, 0]], version: 7 },
      { asks: [], bids: [[60_000, 1, 5]], version: 6 },
      { asks: [], bids: [[59_990, 2, 130]], version: 5 },
    ]);
    expect(await desk.data('depth_commits/BTC_USDT/1000')).toHaveLength(10);
    expect(await desk.data('depth_commits/SVC_USDT/10')).toEqual([]);
  });

  test('DEC-FUT-38: with modelHabits the quantity comes before the number of orders', async () => {
    const { context, limits, endpointLimits } = desk.gate.gateway;
    const settings = { ...context.settings, modelHabits: true };
    const gateway = createGateway({ ...context, settings }, surfaces, { limits, endpointLimits });
    const server = createHttpServer(gateway, null);
    const port = await server.listen('127.0.0.1', 0);
    const answer = async (path: string): Promise<Reply['body']> =>
      (await fetch(`http://127.0.0.1:${port}/api/v1/contract/${path}`)).json();
    expect((await answer('depth/BTC_USDT')).data.bids).toEqual([
      [59_990, 130, 2],
      [59_980, 30, 1],
    ]);
    expect((await answer('depth_commits/BTC_USDT/1')).data[0].asks).toEqual([[60_010, 37, 1]]);
    await server.close();
  });
});

test('SPEC-FUT-13, DEC-FUT-11: deals tell who opened and trades of one with himself, newest first', async () => {
  const deals = await desk.data('deals/BTC_USDT');
  expect(deals).toEqual([
    { p: 60_010, v: 3, T: 1, O: 2, M: 1, t: (start + 180) * 1000 },
    { p: 60_005, v: 10, T: 1, O: 3, M: 2, t: (start + 70) * 1000 },
    { p: 60_000, v: 5, T: 2, O: 2, M: 2, t: (start + 60) * 1000 },
    { p: 59_990, v: 20, T: 2, O: 1, M: 2, t: start * 1000 },
  ]);
  expect(await desk.data('deals/BTC_USDT?limit=2')).toEqual(deals.slice(0, 2));
});

describe('prices', () => {
  test('SPEC-FUT-09, DEC-FUT-12: index and fair price, with the time of their update', async () => {
    const timestamp = (start + 240) * 1000;
    expect(await desk.data('index_price/BTC_USDT')).toEqual({ symbol: 'BTC_USDT', indexPrice: 59_985.5, timestamp });
    // The book's middle was 5 and 14.5 above the index: 59985.5 + 9.75, between the index and the last price.
    expect(await desk.data('fair_price/BTC_USDT')).toEqual({ symbol: 'BTC_USDT', fairPrice: 59_995.25, timestamp });
  });

  test('SPEC-FUT-10, DEC-FUT-13: the rate so far, its bounds, and when it is settled', async () => {
    expect(await desk.data('funding_rate/BTC_USDT')).toEqual({
      symbol: 'BTC_USDT',
      // Neither side has 10,000 USDT of depth, so that only the interest is left.
      fundingRate: 0.0001,
      maxFundingRate: 0.0018,
      minFundingRate: -0.0018,
      collectCycle: 8,
      nextSettleTime: midnight * 1000,
      timestamp: (start + 240) * 1000,
    });
  });

  test('SPEC-FUT-14, DEC-FUT-04: the ticker', async () => {
    const ticker = await desk.data('ticker?symbol=BTC_USDT');
    expect(ticker).toEqual({
      contractId: 1,
      symbol: 'BTC_USDT',
      lastPrice: 60_010,
      bid1: 59_990,
      ask1: 60_010,
      volume24: 38,
      amount24: 227.988,
      holdVol: 15,
      lower24Price: 59_990,
      high24Price: 60_010,
      riseFallRate: 0,
      riseFallValue: 0,
      indexPrice: 59_985.5,
      fairPrice: 59_995.25,
      fundingRate: 0.0001,
      maxBidPrice: 65_984.05,
      minAskPrice: 53_986.95,
      timestamp: (start + 240) * 1000,
      riseFallRates: { zone: 'UTC', r: 0, v: 0, r7: 0, r30: 0, r90: 0, r180: 0, r365: 0 },
      riseFallRatesOfTimezone: [0, 0, 0],
    });
    expect((await desk.data('ticker')).map(({ symbol }: { symbol: string }) => symbol)).toEqual([
      'BTC_USDT',
      'SVC_USDT',
    ]);
  });

  test('DEC-FUT-40: prices of a contract that never traded are 0', async () => {
    const quiet = { lastPrice: 0, bid1: 0, ask1: 0, indexPrice: 0, fairPrice: 0, volume24: 0, holdVol: 0 };
    expect(await desk.data('ticker?symbol=SVC_USDT')).toMatchObject(quiet);
  });
});

describe('klines', () => {
  test('SPEC-FUT-11, DEC-FUT-16: of trades, each opens with the close before it', async () => {
    expect(await desk.data('kline/BTC_USDT')).toEqual({
      time: [0, 1, 2, 3, 4].map(minute),
      open: [59_990, 59_990, 60_005, 60_005, 60_010],
      close: [59_990, 60_005, 60_005, 60_010, 60_010],
      high: [59_990, 60_005, 60_005, 60_010, 60_010],
      low: [59_990, 59_990, 60_005, 60_005, 60_010],
      vol: [20, 15, 0, 3, 0],
      amount: [119.98, 90.005, 0, 18.003, 0],
      realOpen: [59_990, 60_000, 60_005, 60_010, 60_010],
      realClose: [59_990, 60_005, 60_005, 60_010, 60_010],
      realHigh: [59_990, 60_005, 60_005, 60_010, 60_010],
      realLow: [59_990, 60_000, 60_005, 60_010, 60_010],
    });
  });

  test('DEC-FUT-31, DEC-FUT-39: of index and fair prices, with no volume and the close in the real fields', async () => {
    const chart = (closes: readonly number[], lows: readonly number[]) => ({
      time: [minute(3), minute(4)],
      open: [closes[0], closes[0]],
      close: closes,
      high: [closes[0], closes[0]],
      low: lows,
      vol: [0, 0],
      amount: [0, 0],
      realOpen: closes,
      realClose: closes,
      realHigh: closes,
      realLow: closes,
    });
    expect(await desk.data('kline/index_price/BTC_USDT')).toEqual(chart([59_995, 59_985.5], [59_995, 59_985.5]));
    // At 59995 the index, the middle of the book 60000, and the last price 60010.
    expect(await desk.data('kline/fair_price/BTC_USDT')).toEqual(chart([60_000, 59_995.25], [60_000, 59_995.25]));
  });

  const intervals = ['Min1', 'Min5', 'Min15', 'Min30', 'Min60', 'Hour4', 'Hour8', 'Day1', 'Week1', 'Month1'];
  test.each(intervals)('SPEC-FUT-11: %s has all trades and the last prices', async (interval) => {
    const trades = await desk.data(`kline/BTC_USDT?interval=${interval}`);
    expect(trades.vol.reduce((sum: number, each: number) => sum + each)).toBe(38);
    const closes: readonly [string, number][] = [
      ['kline/BTC_USDT', 60_010],
      ['kline/index_price/BTC_USDT', 59_985.5],
      ['kline/fair_price/BTC_USDT', 59_995.25],
    ];
    for (const [path, close] of closes) {
      const chart = await desk.data(`${path}?interval=${interval}`);
      expect([path, chart.close.at(-1)]).toEqual([path, close]);
      expect(new Set(Object.values(chart).map((each) => (each as number[]).length)).size).toBe(1);
    }
  });

  test('SPEC-FUT-12: start and end are seconds, both counted', async () => {
    const times = async (query: string) => (await desk.data(`kline/BTC_USDT?${query}`)).time;
    expect(await times(`start=${minute(1)}&end=${minute(3)}`)).toEqual([1, 2, 3].map(minute));
    expect(await times(`start=${minute(1) + 1}`)).toEqual([2, 3, 4].map(minute));
    expect(await times(`end=${minute(2)}`)).toEqual([0, 1, 2].map(minute));
    // The candle before the range gives the first open.
    expect((await desk.data(`kline/BTC_USDT?start=${minute(1)}&end=${minute(1)}`)).open).toEqual([59_990]);
    expect(await times(`start=${minute(10)}`)).toEqual([]);
  });
});

describe('insurance fund', () => {
  test('SPEC-FUT-15: of one contract, and of all', async () => {
    const funds = await desk.data('risk_reverse');
    expect(funds).toEqual([
      { symbol: 'BTC_USDT', currency: 'USDT', available: 500_000, timestamp: (start + 240) * 1000 },
      { symbol: 'SVC_USDT', currency: 'USDT', available: 0, timestamp: (start + 240) * 1000 },
    ]);
    expect(await desk.data('risk_reverse/BTC_USDT')).toEqual([funds[0]]);
  });
});

describe('DEC-FUT-61: clients of pairs', () => {
  test('see neither contracts nor their orders and trades', async () => {
    const { gate } = desk;
    expect((await gate.signed('GET', '/api/v3/openOrders')).body).toEqual([]);
    for (const [method, path] of [
      ['GET', '/api/v3/openOrders'],
      ['GET', '/api/v3/allOrders'],
      ['GET', '/api/v3/myTrades'],
      ['DELETE', '/api/v3/openOrders'],
    ] as const)
      expect([path, (await gate.signed(method, path, { symbol: 'BTC_USDT' })).body.code]).toEqual([path, 10_007]);
    const { body } = await gate.signed('GET', '/api/v3/account');
    expect(body.balances.map(({ asset, free }: { asset: string; free: string }) => [asset, free])).toEqual([
      ['USDT', '900000'],
      ['BTC', '20'],
    ]);
    for (const path of ['exchangeInfo', 'defaultSymbols', 'ticker/24hr', 'ticker/price', 'ticker/bookTicker'])
      expect([path, (await gate.get(`/api/v3/${path}`)).text.includes('BTC_USDT')]).toEqual([path, false]);
  });

  test('neither see nor cancel an order of a contract by its number, nor with all of theirs', async () => {
    const { gate, data } = desk;
    const { queries } = gate.exchange;
    const [first] = await queries.openOrders(gate.accounts.alice, bitcoin);
    const asked = { symbol: 'BTCUSDT', orderId: orderIdText(first!.order) };
    for (const method of ['GET', 'DELETE'])
      expect((await gate.signed(method, '/api/v3/order', asked)).body.code).toBe(-2011);
    await gate.signed('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' });
    expect((await data('depth/BTC_USDT')).bids).toHaveLength(2);
  });
});

test('DEC-FUT-37: depth has at most 1000 levels a side', async () => {
  const levels = Array.from({ length: 1001 }, (_, index) => 599_000 - index);
  const who = ['alice', 'bob', 'broker'] as const;
  await Promise.all(levels.map((price, index) => desk.order(who[index % 3]!, 'buy', 1, price)));
  const { bids } = await desk.data('depth/BTC_USDT');
  expect([bids.length, bids[0], bids.at(-1)]).toEqual([1000, [59_990, 2, 130], [59_800.3, 1, 1]]);
  const few = await desk.data('depth/BTC_USDT?limit=3');
  expect(few.bids).toEqual(bids.slice(0, 3));
  expect((await desk.data('depth/BTC_USDT?limit=1000')).bids).toEqual(bids);
});
