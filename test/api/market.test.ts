import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCode, expectShape } from './answer-shape.ts';
import { keys, now, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gate: TestGateway;
const symbol = 'BTCUSDT';
const minute = 60_000;
/** Moments of the three trades: 0.2 at 30000, a minute later 0.1 at 30100 and 0.3 at 30200 by one order. */
const first = Math.floor(now / minute) * minute + minute;

beforeAll(async () => {
  gate = await startTestGateway({ settings: { rateLimits: false } });
  const place = (side: string, quantity: string, price: string, key: string = keys.alice) =>
    gate.signed('POST', '/api/v3/order', { symbol, side, type: 'LIMIT', quantity, price }, { key });
  gate.exchange.clock.time = first;
  await place('SELL', '0.2', '30000');
  await place('BUY', '0.2', '30000', keys.bob);
  gate.exchange.clock.time += minute;
  await place('SELL', '0.1', '30100');
  await place('SELL', '0.4', '30200');
  await place('BUY', '0.4', '30200', keys.bob);
  await place('BUY', '1.5', '29999.99');
  await place('BUY', '2', '29990');
});
afterAll(() => gate.close());

test('SPEC-MKT-01, SPEC-MKT-02: that it answers, and what time it is', async () => {
  const ping = await gate.get('/api/v3/ping');
  expectShape('ping', ping);
  expect(ping.text).toBe('{}');
  const time = await gate.get('/api/v3/time');
  expectShape('serverTime', time);
  expect(time.body).toEqual({ serverTime: gate.exchange.clock.time });
});

describe('what is listed', () => {
  test('SPEC-MKT-04, SPEC-MKT-05: rules of one pair, of several, of all', async () => {
    const all = await gate.get('/api/v3/exchangeInfo');
    expectShape('exchangeInfo', all);
    expect(all.body.symbols).toEqual([
      {
        symbol,
        status: '1',
        baseAsset: 'BTC',
        baseAssetPrecision: 6,
        quoteAsset: 'USDT',
        quotePrecision: 2,
        quoteAssetPrecision: 2,
        baseCommissionPrecision: 8,
        quoteCommissionPrecision: 9,
        orderTypes: ['LIMIT', 'LIMIT_MAKER', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL', 'MARKET'],
        isSpotTradingAllowed: true,
        isMarginTradingAllowed: false,
        permissions: ['SPOT'],
        filters: [{ filterType: 'PERCENT_PRICE_BY_SIDE', bidMultiplierUp: '1.2', askMultiplierDown: '0.8' }],
        maxQuoteAmount: '4000000',
        makerCommission: '0',
        takerCommission: '0.0005',
        quoteAmountPrecision: '0.5',
        baseSizePrecision: '0.000001',
        maxQuantity: '90071992.547409',
        quoteAmountPrecisionMarket: '1',
        maxQuoteAmountMarket: '1000000',
        fullName: 'Bitcoin',
        tradeSideType: '1',
        contractAddress: '',
        st: false,
      },
    ]);
    for (const query of [{ symbol }, { symbols: symbol }, { symbols: `${symbol}, ${symbol}` }] as Record<
      string,
      string
    >[]) {
      expect((await gate.get('/api/v3/exchangeInfo', query)).body.symbols).toEqual(all.body.symbols);
    }
    expectCode(await gate.get('/api/v3/exchangeInfo', { symbol: 'NOPEUSDT' }), 10007);
    expectCode(await gate.get('/api/v3/exchangeInfo', { symbols: `${symbol},NOPEUSDT` }), 10007);
  });

  test('a changed rule is told at once', async () => {
    await gate.configure({ status: 'paused', takerFeePpm: 700, bidMultiplierUpPpm: null, askMultiplierDownPpm: null });
    expect((await gate.get('/api/v3/exchangeInfo', { symbol })).body.symbols[0]).toMatchObject({
      status: '2',
      takerCommission: '0.0007',
      filters: [],
    });
    await gate.configure({});
  });

  test('SPEC-MKT-03: pairs for trading by API', async () => {
    const reply = await gate.get('/api/v3/defaultSymbols');
    expectShape('defaultSymbols', reply);
    expect(reply.body).toEqual({ code: 200, data: [symbol], msg: null });
  });
});

describe('book and trades', () => {
  test('SPEC-MKT-10: depth, best first, as deep as asked', async () => {
    const reply = await gate.get('/api/v3/depth', { symbol });
    expectShape('depth', reply);
    expect(reply.body).toMatchObject({
      bids: [
        ['29999.99', '1.5'],
        ['29990', '2'],
      ],
      asks: [['30200', '0.1']],
    });
    const best = await gate.get('/api/v3/depth', { symbol, limit: '1' });
    expect(best.body).toEqual({ ...reply.body, bids: [['29999.99', '1.5']] });
    for (const limit of ['0', '-1', '5001', '1.5', 'abc'])
      expectCode(await gate.get('/api/v3/depth', { symbol, limit }), 33333);
    expect((await gate.get('/api/v3/depth', { symbol, limit: '5000' })).status).toBe(200);
  });

  test('C07: what names no pair is a bad symbol; none at all is a missing parameter', async () => {
    for (const name of [
      'btcusdt',
      'BTCUSDT ',
      'BTC\u200bUSDT',
      'ＢＴＣＵＳＤＴ',
      'A'.repeat(300),
      'NOPEUSDT',
      '__proto__',
    ]) {
      expectCode(await gate.get('/api/v3/depth', { symbol: name }), 10007);
    }
    expectCode(await gate.get('/api/v3/depth'), 44444);
    expectCode(await gate.get('/api/v3/depth', { symbol: '' }), 44444);
  });

  test('DEC-MKT-13, SPEC-MKT-12: trades, newest first; historicalTrades alike', async () => {
    const reply = await gate.get('/api/v3/trades', { symbol });
    expectShape('trades', reply);
    expect(reply.body).toEqual([
      {
        id: 3,
        price: '30200',
        qty: '0.3',
        quoteQty: '9060',
        time: first + minute,
        isBuyerMaker: false,
        isBestMatch: true,
      },
      {
        id: 2,
        price: '30100',
        qty: '0.1',
        quoteQty: '3010',
        time: first + minute,
        isBuyerMaker: false,
        isBestMatch: true,
      },
      { id: 1, price: '30000', qty: '0.2', quoteQty: '6000', time: first, isBuyerMaker: false, isBestMatch: true },
    ]);
    const alias = await gate.get('/api/v3/historicalTrades', { symbol, limit: '1' });
    expectShape('historicalTrades', alias);
    expect(alias.body).toEqual([reply.body[0]]);
  });

  test('DEC-MKT-13, SPEC-MKT-13: merged trades, oldest first; both times or none', async () => {
    const reply = await gate.get('/api/v3/aggTrades', { symbol });
    expectShape('aggregatedTrades', reply);
    expect(reply.body.map((trade: { a: number; p: string; q: string }) => [trade.a, trade.p, trade.q])).toEqual([
      [1, '30000', '0.2'],
      [2, '30100', '0.1'],
      [3, '30200', '0.3'],
    ]);
    const window = await gate.get('/api/v3/aggTrades', { symbol, startTime: String(first), endTime: String(first) });
    expect(window.body).toEqual([reply.body[0]]);
    expectCode(await gate.get('/api/v3/aggTrades', { symbol, startTime: '1' }), 33333);
    expectCode(await gate.get('/api/v3/aggTrades', { symbol, endTime: '1' }), 33333);
    expectCode(await gate.get('/api/v3/aggTrades', { symbol, startTime: '2', endTime: '1' }), 33333);
  });
});

describe('candles and statistics', () => {
  test('DEC-MKT-12, SPEC-MKT-16: candles of every interval, oldest first', async () => {
    const candles = (interval: string, rest: Record<string, string> = {}) =>
      gate.get('/api/v3/klines', { symbol, interval, ...rest });
    const reply = await candles('1m');
    expectShape('candles', reply);
    expect(reply.body).toEqual([
      [first, '30000', '30000', '30000', '30000', '0.2', first + minute, '6000'],
      [first + minute, '30100', '30200', '30100', '30200', '0.4', first + 2 * minute, '12070'],
    ]);
    for (const interval of ['5m', '15m', '30m', '60m', '4h', '1d', '1W', '1M']) {
      const bars = await candles(interval);
      expect(bars.status).toBe(200);
      expect(bars.body.at(-1)).toEqual(expect.arrayContaining(['30200']));
    }
    expect((await candles('1m', { limit: '1' })).body).toEqual([reply.body[1]]);
    expect((await candles('1m', { limit: '1', startTime: '0' })).body).toEqual([reply.body[0]]);
    for (const interval of ['1h', '3m', '8h', '1w']) {
      const refused = await candles(interval);
      expectCode(refused, 33333);
      expect(refused.body.msg).toContain("'interval' is invalid: must be one of 1m, 5m, 15m, 30m, 60m, ");
    }
    expectCode(await candles(''), 44444);
    expectCode(await candles('1m', { startTime: '2', endTime: '1' }), 33333);
    for (const limit of ['0', '1001']) expectCode(await candles('1m', { limit }), 33333);
    expect((await candles('1m', { endTime: '900000000000000' })).body).toHaveLength(2);
  });

  test('SPEC-MKT-18: the average of five minutes, cut at the tick', async () => {
    const reply = await gate.get('/api/v3/avgPrice', { symbol });
    expectShape('averagePrice', reply);
    expect(reply.body).toEqual({ mins: 5, price: '30116.66' });
  });

  test('SPEC-MKT-19: 24 hours of one pair and of all', async () => {
    const one = await gate.get('/api/v3/ticker/24hr', { symbol });
    expectShape('ticker24h', one);
    expect(one.body).toEqual({
      symbol,
      priceChange: '200',
      priceChangePercent: '0.0066',
      prevClosePrice: '30000',
      lastPrice: '30200',
      lastQty: '0.3',
      bidPrice: '29999.99',
      bidQty: '1.5',
      askPrice: '30200',
      askQty: '0.1',
      openPrice: '30000',
      highPrice: '30200',
      lowPrice: '30000',
      volume: '0.6',
      quoteVolume: '18070',
      openTime: first + minute - 86_400_000,
      closeTime: first + minute,
      count: 3,
    });
    const all = await gate.get('/api/v3/ticker/24hr');
    expectShape('ticker24h', all);
    expect(all.body).toEqual([one.body]);
  });

  test('SPEC-MKT-22, SPEC-MKT-23: last and best prices of one pair and of all', async () => {
    const price = await gate.get('/api/v3/ticker/price', { symbol });
    expectShape('priceTicker', price);
    expect(price.body).toEqual({ symbol, price: '30200' });
    expect((await gate.get('/api/v3/ticker/price')).body).toEqual([price.body]);
    const best = await gate.get('/api/v3/ticker/bookTicker', { symbol });
    expectShape('bookTicker', best);
    expect(best.body).toEqual({ symbol, bidPrice: '29999.99', bidQty: '1.5', askPrice: '30200', askQty: '0.1' });
    expect((await gate.get('/api/v3/ticker/bookTicker')).body).toEqual([best.body]);
    expectCode(await gate.get('/api/v3/ticker/price', { symbol: 'NOPEUSDT' }), 10007);
  });
});

describe('DEC-MKT-11: symbols instead of symbol', () => {
  const paths = ['exchangeInfo', 'ticker/24hr', 'ticker/price', 'ticker/bookTicker'];
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at, member by member
  const namesOf = (body: any): string[] => (body.symbols ?? body).map((row: { symbol: string }) => row.symbol);

  test.each(paths)('%s takes names with commas and a JSON array, and answers a list in their order', async (path) => {
    await gate.configure({ base: 2 as never, quantityDecimals: 4 }, 'SVCUSDT');
    const ask = async (symbols: string) => gate.get(`/api/v3/${path}`, { symbols });
    for (const names of [['SVCUSDT', symbol], [symbol]]) {
      for (const text of [
        names.join(','),
        names.join(' , '),
        JSON.stringify(names),
        JSON.stringify([...names, symbol]),
      ])
        expect(namesOf((await ask(text)).body)).toEqual(names);
    }
    const raw = await gate.send('GET', `/api/v3/${path}?symbols=[%22${symbol}%22]`);
    expect(namesOf(raw.body)).toEqual([symbol]);
    const unknown = await ask(`${symbol},NOPEUSDT`);
    expectCode(unknown, 10007);
    expect(unknown.body.msg).toContain("'symbols'");
    for (const text of ['[', '[]', '["A",1]', '{"a":1}]', `${symbol},`, '[""]', '["BTCUSDT"'])
      expect([text, (await ask(text)).status]).toEqual([text, 400]);
    expect(namesOf((await ask('')).body)).toEqual([symbol, 'SVCUSDT']);
  });
});

describe('futures, as far as client libraries ask when they load markets', () => {
  test('SPEC-FUT-02, SPEC-FUT-03: the time and an empty list of contracts', async () => {
    const ping = await gate.get('/api/v1/contract/ping');
    expectShape('futuresPing', ping);
    expect(ping.body).toEqual({ success: true, code: 0, data: gate.exchange.clock.time });
    const contracts = await gate.get('/api/v1/contract/detail');
    expectShape('futuresContracts', contracts);
    expect(contracts.body.data).toEqual([]);
  });

  test('an unknown contract and a bad parameter fail with HTTP 200', async () => {
    const unknown = await gate.get('/api/v1/contract/detail', { symbol: 'BTC_USDT' });
    expect([unknown.status, unknown.body]).toEqual([
      200,
      { success: false, code: 1001, message: 'Contract does not exist.' },
    ]);
    const bad = await gate.get('/api/v1/contract/detail', { symbol: 'b\u200b' });
    expect([bad.status, bad.body.success]).toEqual([200, false]);
    const twice = await gate.send('GET', '/api/v1/contract/detail?symbol=A_B&symbol=A_B');
    expect([twice.status, twice.body.code]).toEqual([200, 600]);
  });
});

test('C11: names that are no names are refused, unknown ones are ignored, prototypes stay clean', async () => {
  for (const query of ['a[b]=1', 'a[]=1', 'a.b=1', 'a%62=1', '=1', 'é=1'])
    expectCode(await gate.send('GET', `/api/v3/ping?${query}`), 700008);
  for (const query of ['__proto__=x', 'constructor=x', 'x=1&y=2', '&&', 'flag', 'a=b=c'])
    expect((await gate.send('GET', `/api/v3/ping?${query}`)).status).toBe(200);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  const many = Array.from({ length: 65 }, (_, index) => `p${index}=1`).join('&');
  expectCode(await gate.send('GET', `/api/v3/ping?${many}`), 33333);
});
