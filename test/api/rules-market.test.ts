import { beforeEach, describe, expect, test } from 'vitest';
import { keys } from './gateway-harness.ts';
import { buy, sell, startTradingHarness, symbol, type Terms, type TradingHarness } from './trading-harness.ts';

/* Public market data after known trades; numbers are computed here from the rules. */

let harness: TradingHarness;
let gate: TradingHarness['gate'];
const placed: TradingHarness['placed'] = (terms, key) => harness.placed(terms, key);
const ask = async (path: string, terms: Terms = {}) => (await gate.get(`/api/v3/${path}`, { symbol, ...terms })).body;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Two traders trade this much at this price and moment; the buyer takes unless it is said that the seller does. */
async function trade(at: number, price: string, quantity: string, taker: 'buyer' | 'seller' = 'buyer'): Promise<void> {
  gate.exchange.clock.time = at;
  const [first, second] = taker === 'buyer' ? [sell, buy] : [buy, sell];
  await placed({ ...first, price, quantity }, keys.bob);
  await placed({ ...second, price, quantity });
}

/** A fresh exchange per story: market data is never forgotten. Bands are off. */
beforeEach(async () => {
  harness = await startTradingHarness();
  ({ gate } = harness);
  await harness.configure({ bidMultiplierUpPpm: null, askMultiplierDownPpm: null });
  return () => gate.close();
});

describe('depth', () => {
  test('DEC-MKT-03, SPEC-MKT-10: one step per change of a level, from 0 on an untouched book', async () => {
    const version = async () => (await ask('depth')).lastUpdateId;
    expect(await ask('depth')).toEqual({ lastUpdateId: 0, bids: [], asks: [] });
    await placed({ ...sell, price: '101' }, keys.bob);
    expect(await version()).toBe(1);
    await placed({ ...sell, price: '101' }, keys.bob);
    await placed({ ...sell, price: '102' }, keys.bob);
    expect(await version()).toBe(3);
    // Takes both orders at 101, one after the other, and half of 102.
    await placed({ ...buy, price: '102', quantity: '2.5' });
    expect(await version()).toBe(6);
    // Takes the rest of 102 and rests there with what is left: both sides change.
    await placed({ ...buy, price: '102', quantity: '0.75' });
    expect(await ask('depth')).toEqual({ lastUpdateId: 8, bids: [['102', '0.25']], asks: [] });
    await gate.signed('DELETE', '/api/v3/openOrders', { symbol });
    expect(await ask('depth')).toEqual({ lastUpdateId: 9, bids: [], asks: [] });
  });

  test('SPEC-MKT-11: a hundred levels unless asked, 5000 at most, the best ones, of both sides', async () => {
    const { alice: account } = gate.accounts;
    const terms = { account, makerFeePpm: null, takerFeePpm: null, openOrdersMax: 100_000 };
    await gate.exchange.submit({ kind: 'setTradingRules', ...terms });
    const quantity = 1 as never;
    const levelsTogether = 500;
    for (let first = 0; first < 5001; first += levelsTogether) {
      const levels = Array.from({ length: Math.min(levelsTogether, 5001 - first) }, (_, index) => first + index);
      await Promise.all(
        levels.flatMap((level) => [
          gate.exchange.place(account, { side: 'sell', price: (20_000 + level) as never, quantity }),
          gate.exchange.place(account, { side: 'buy', price: (19_999 - level) as never, quantity }),
        ]),
      );
    }
    for (const limit of [1, 100, 101, 5000]) {
      const { bids, asks } = await ask('depth', limit === 100 ? {} : { limit: String(limit) });
      expect([bids.length, asks.length]).toEqual([limit, limit]);
      expect([bids[0], asks[0]]).toEqual([
        ['199.99', '0.000001'],
        ['200', '0.000001'],
      ]);
      expect(Number(asks.at(-1)[0])).toBeCloseTo(200 + (limit - 1) / 100, 6);
      expect(Number(bids.at(-1)[0])).toBeCloseTo(199.99 - (limit - 1) / 100, 6);
    }
  });
});

describe('trades', () => {
  test('SPEC-MKT-12, DEC-MKT-07: newest first, who made the price, 500 unless asked and 1000 at most', async () => {
    const start = gate.exchange.clock.time;
    await trade(start, '100', '0.5', 'seller');
    await trade(start + 5, '100.5', '0.3', 'buyer');
    expect(await ask('trades')).toEqual([
      {
        id: 2,
        price: '100.5',
        qty: '0.3',
        quoteQty: '30.15',
        time: start + 5,
        isBuyerMaker: false,
        isBestMatch: true,
      },
      { id: 1, price: '100', qty: '0.5', quoteQty: '50', time: start, isBuyerMaker: true, isBestMatch: true },
    ]);
    await placed({ ...sell, quantity: '10' }, keys.bob);
    for (let lots = 3; lots <= 1001; lots += 1) {
      await gate.exchange.place(gate.accounts.alice, { price: 10_000 as never, quantity: lots as never });
    }
    const numbers = async (terms: Terms) => (await ask('trades', terms)).map(({ id }: { id: number }) => id);
    const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);
    expect(await numbers({})).toEqual(down(1001, 500));
    expect(await numbers({ limit: '1000' })).toEqual(down(1001, 1000));
    expect(await numbers({ limit: '3' })).toEqual([1001, 1000, 999]);
  });

  test('SPEC-MKT-13, SPEC-MKT-15: only fills of one order at one price are merged', async () => {
    const start = gate.exchange.clock.time;
    for (const quantity of ['0.1', '0.2']) await placed({ ...sell, quantity }, keys.bob);
    await placed({ ...sell, price: '100.25', quantity: '0.4' }, keys.sub);
    await placed({ ...buy, price: '101', quantity: '0.5' });
    await placed({ ...buy, price: '101', quantity: '0.2' });
    gate.exchange.clock.time += 1;
    await placed({ ...buy, price: '99', quantity: '1' });
    await placed({ ...sell, price: '99', quantity: '0.3' }, keys.bob);
    const merged = await ask('aggTrades');
    expect(merged).toEqual([
      { a: 1, f: 1, l: 2, p: '100', q: '0.3', T: start, m: false, M: true },
      { a: 3, f: 3, l: 3, p: '100.25', q: '0.2', T: start, m: false, M: true },
      { a: 4, f: 4, l: 4, p: '100.25', q: '0.2', T: start, m: false, M: true },
      { a: 5, f: 5, l: 5, p: '99', q: '0.3', T: start + 1, m: true, M: true },
    ]);
    const within = (startTime: number, endTime: number, terms: Terms = {}) =>
      ask('aggTrades', { startTime: String(startTime), endTime: String(endTime), ...terms });
    expect(await within(start, start)).toEqual(merged.slice(0, 3));
    expect(await within(start + 1, start + 1)).toEqual(merged.slice(3));
    expect(await within(start, start + 1, { limit: '2' })).toEqual(merged.slice(0, 2));
    expect(await ask('aggTrades', { limit: '2' })).toEqual(merged.slice(2));
    expect(await within(start + 2, start + 9)).toEqual([]);
  });
});

describe('candles', () => {
  const week = 7 * day;
  /** Monday 2024-01-29 00:00 UTC. */
  const monday = Date.UTC(2024, 0, 29);

  test('DEC-MKT-01, SPEC-MKT-17: windows begin at whole minutes, hours, days, Mondays and months of UTC', async () => {
    // Wednesday 31 January 23:59:59.999 and Thursday 1 February 00:00.
    const eve = Date.UTC(2024, 1, 1) - 1;
    await trade(eve, '100', '0.2');
    await trade(eve + 1, '104', '0.1');
    await trade(eve + 2, '98.5', '0.4');
    const last = async (interval: string, limit = '1') => ask('klines', { interval, limit });
    const february = ['104', '104', '98.5', '98.5', '0.5'];
    const midnight = eve + 1;
    // 0.1 × 104 + 0.4 × 98.5
    for (const [interval, length] of Object.entries({
      '1m': minute,
      '5m': 5 * minute,
      '15m': 15 * minute,
      '30m': 30 * minute,
      '60m': hour,
      '4h': 4 * hour,
      '1d': day,
    })) {
      expect(await last(interval)).toEqual([[midnight, ...february, midnight + length, '49.8']]);
      expect((await last(interval, '2'))[0]).toEqual([
        midnight - length,
        ...['100', '100', '100', '100', '0.2'],
        midnight,
        '20',
      ]);
    }
    expect(await last('1M', '2')).toEqual([
      [Date.UTC(2024, 0, 1), '100', '100', '100', '100', '0.2', midnight, '20'],
      [midnight, ...february, Date.UTC(2024, 2, 1), '49.8'],
    ]);
    expect(await last('1W', '2')).toEqual([[monday, '100', '104', '98.5', '98.5', '0.7', monday + week, '69.8']]);
  });

  test('DEC-MKT-02, SPEC-MKT-16: quiet windows carry the close; 500 unless asked, 1000 at most', async () => {
    await trade(monday, '100', '0.2');
    await trade(monday + 1100 * minute, '105.5', '0.1');
    const opens = (rows: readonly unknown[][]) => [rows.length, rows[0]?.[0], rows.at(-1)?.[0]];
    const candles = (terms: Terms = {}) => ask('klines', { interval: '1m', ...terms });
    const at = (count: number) => monday + count * minute;
    expect(opens(await candles())).toEqual([500, at(601), at(1100)]);
    expect(opens(await candles({ limit: '1000' }))).toEqual([1000, at(101), at(1100)]);
    expect(opens(await candles({ startTime: '0' }))).toEqual([500, at(0), at(499)]);
    expect(opens(await candles({ startTime: String(at(3) - 1) }))).toEqual([500, at(3), at(502)]);
    expect(opens(await candles({ endTime: String(at(700) + 5), limit: '3' }))).toEqual([3, at(698), at(700)]);
    expect(await candles({ startTime: String(at(1098)), endTime: String(at(1100)) })).toEqual([
      [at(1098), '100', '100', '100', '100', '0', at(1099), '0'],
      [at(1099), '100', '100', '100', '100', '0', at(1100), '0'],
      [at(1100), '105.5', '105.5', '105.5', '105.5', '0.1', at(1101), '10.55'],
    ]);
    gate.exchange.clock.time = at(1102);
    expect((await candles({ limit: '2' }))[1]).toEqual([
      at(1102),
      ...['105.5', '105.5', '105.5', '105.5', '0'],
      at(1103),
      '0',
    ]);
    expect(await candles({ endTime: String(monday - 1) })).toEqual([]);
  });
});

describe('statistics', () => {
  const start = Date.UTC(2024, 5, 5, 12);

  test('SPEC-MKT-18, DEC-MKT-04, DEC-MKT-06: five minutes by volume, cut at the tick', async () => {
    expect(await ask('avgPrice')).toEqual({ mins: 5, price: '0' });
    await trade(start, '100', '0.2');
    await trade(start + 4 * minute, '110', '0.4');
    // (20 + 44) / 0.6 = 106.666…
    expect(await ask('avgPrice')).toEqual({ mins: 5, price: '106.66' });
    gate.exchange.clock.time = start + 6 * minute;
    expect(await ask('avgPrice')).toEqual({ mins: 5, price: '110' });
    gate.exchange.clock.time = start + day;
    expect(await ask('avgPrice')).toEqual({ mins: 5, price: '110' });
  });

  test('SPEC-MKT-21, DEC-MKT-04: before any trade prices are "0" and sides of the book empty', async () => {
    const now = gate.exchange.clock.time;
    expect(await ask('ticker/24hr')).toEqual({
      symbol,
      ...{ priceChange: '0', priceChangePercent: '0', prevClosePrice: '0', lastPrice: '0', lastQty: '' },
      ...{ bidPrice: '', bidQty: '', askPrice: '', askQty: '' },
      ...{ openPrice: '0', highPrice: '0', lowPrice: '0', volume: '0', quoteVolume: '0', count: 0 },
      ...{ openTime: now - day, closeTime: now },
    });
    expect(await ask('ticker/price')).toEqual({ symbol, price: '0' });
    expect(await ask('trades')).toEqual([]);
    expect(await ask('aggTrades')).toEqual([]);
    expect(await ask('klines', { interval: '1m' })).toEqual([]);
  });

  test('DEC-MKT-05: the day rolls: what is older falls out and becomes the open', async () => {
    await trade(start, '100', '0.2');
    await trade(start + hour, '150', '0.1', 'seller');
    await trade(start + 2 * hour, '90', '0.4');
    await placed({ ...buy, price: '80', quantity: '3' }, keys.bob);
    await placed({ ...sell, price: '95.5', quantity: '0.000001' }, keys.bob);
    expect(await ask('ticker/24hr')).toEqual({
      symbol,
      // 90 − 100; −10 / 100
      ...{ priceChange: '-10', priceChangePercent: '-0.1', prevClosePrice: '100', lastPrice: '90', lastQty: '0.4' },
      ...{ bidPrice: '80', bidQty: '3', askPrice: '95.5', askQty: '0.000001' },
      ...{ openPrice: '100', highPrice: '150', lowPrice: '90', volume: '0.7', quoteVolume: '71', count: 3 },
      ...{ openTime: start + 2 * hour - day, closeTime: start + 2 * hour },
    });
    gate.exchange.clock.time = start + day + minute;
    expect(await ask('ticker/24hr')).toMatchObject({
      ...{ openPrice: '100', highPrice: '150', lowPrice: '90', volume: '0.5', quoteVolume: '51', count: 2 },
    });
    gate.exchange.clock.time = start + day + hour + minute;
    expect(await ask('ticker/24hr')).toMatchObject({
      // −60 / 150
      ...{ openPrice: '150', highPrice: '90', lowPrice: '90', volume: '0.4', priceChange: '-60', count: 1 },
      priceChangePercent: '-0.4',
    });
    gate.exchange.clock.time = start + 3 * day;
    expect(await ask('ticker/24hr')).toMatchObject({
      ...{ openPrice: '90', highPrice: '90', lowPrice: '90', lastPrice: '90', volume: '0', quoteVolume: '0', count: 0 },
      ...{ priceChange: '0', priceChangePercent: '0', lastQty: '0.4' },
    });
  });

  test('DEC-MKT-06: a ratio is cut at four decimals, towards zero on both sides', async () => {
    await trade(start, '300', '0.1');
    await trade(start + 1, '298', '0.1');
    // −2 / 300 = −0.00666…
    expect(await ask('ticker/24hr')).toMatchObject({ priceChange: '-2', priceChangePercent: '-0.0066' });
    await trade(start + 2, '302', '0.1');
    expect(await ask('ticker/24hr')).toMatchObject({ priceChange: '2', priceChangePercent: '0.0066' });
  });

  test('SPEC-MKT-19, SPEC-MKT-22, SPEC-MKT-23: without a symbol every pair, each with its own numbers', async () => {
    await gate.configure({ base: 2 as never }, 'SVCUSDT');
    await trade(start, '123.45', '0.1');
    const all = async (path: string) => (await gate.get(`/api/v3/${path}`)).body;
    expect(await all('ticker/price')).toEqual([
      { symbol, price: '123.45' },
      { symbol: 'SVCUSDT', price: '0' },
    ]);
    const empty = { bidPrice: '', bidQty: '', askPrice: '', askQty: '' };
    expect(await all('ticker/bookTicker')).toEqual([
      { symbol, ...empty },
      { symbol: 'SVCUSDT', ...empty },
    ]);
    expect((await all('ticker/24hr')).map((row: Terms) => [row['symbol'], row['count']])).toEqual([
      [symbol, 1],
      ['SVCUSDT', 0],
    ]);
    expect(await all('exchangeInfo')).toMatchObject({
      timezone: 'UTC',
      serverTime: start,
      symbols: [{ symbol }, { symbol: 'SVCUSDT', baseAsset: 'SVC' }],
    });
    expect((await all('defaultSymbols')).data).toEqual([symbol, 'SVCUSDT']);
  });
});

describe('rules of a pair, as told and as kept', () => {
  const tradeable = async (side: 'BUY' | 'SELL') =>
    (await harness.place({ ...sell, side, quantity: '0.01' })).body.code;
  const told = async () => (await ask('exchangeInfo')).symbols[0];

  test('SPEC-MKT-06: status 1, 2 and 3; the last two take no orders', async () => {
    for (const [status, code, refusal] of [
      ['online', '1', undefined],
      ['paused', '2', 30000],
      ['offline', '3', 30000],
    ] as const) {
      await harness.configure({ status });
      expect([(await told()).status, await tradeable('SELL')]).toEqual([code, refusal]);
    }
  });

  test('SPEC-MKT-07: tradeSideType 1 to 4 say which sides are taken', async () => {
    await placed({ ...buy, price: '50' }, keys.bob);
    for (const [tradeSideType, code, buying, selling] of [
      ['all', '1', undefined, undefined],
      ['buyOnly', '2', undefined, 30001],
      ['sellOnly', '3', 30001, undefined],
      ['closed', '4', 30001, 30001],
    ] as const) {
      await harness.configure({ tradeSideType });
      expect([(await told()).tradeSideType, await tradeable('BUY'), await tradeable('SELL')]).toEqual([
        code,
        buying,
        selling,
      ]);
    }
  });
});
