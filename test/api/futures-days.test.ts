import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FuturesDesk, startFuturesDesk } from './futures-desk.ts';

/*
 * Two days of a contract: a trade at the start, one in the evening of the day after, and index prices at each funding.
 * Seconds count from the start, 22:13:20 UTC.
 */

const start = 1_700_000_000;
const midnight = 6400;
const hour = 3600;
/** The last moment: 38 hours after the start. */
const end = 38 * hour;
/** Ends of cycles; the last one is met late, at the end. */
const fundings = [0, 8, 16, 24, 32].map((hours) => midnight + hours * hour);

let desk: FuturesDesk;
beforeAll(async () => {
  desk = await startFuturesDesk();
  await desk.index(60_000);
  await desk.order('alice', 'buy', 20, 600_000);
  await desk.order('bob', 'sell', 20, 600_000);
  for (const at of fundings.slice(0, -1)) {
    desk.at(at);
    await desk.index(60_000);
  }
  desk.at(end);
  await desk.order('alice', 'sell', 20, 615_000);
  await desk.order('bob', 'buy', 20, 615_000);
  await desk.index(60_000);
});
afterAll(() => desk.gate.close());

describe('SPEC-FUT-16: funding_rate/history', () => {
  const entry = (at: number) => ({
    symbol: 'BTC_USDT',
    fundingRate: 0.0001,
    settleTime: (start + at) * 1000,
    collectCycle: 8,
  });

  test('has 20 a page unless asked otherwise, newest first', async () => {
    expect(await desk.data('funding_rate/history?symbol=BTC_USDT')).toEqual({
      pageSize: 20,
      totalCount: 5,
      totalPage: 1,
      currentPage: 1,
      resultList: fundings.toReversed().map(entry),
    });
  });

  test('is read page by page', async () => {
    const page = (number: number) => desk.data(`funding_rate/history?symbol=BTC_USDT&page_size=3&page_num=${number}`);
    const around = { pageSize: 3, totalCount: 5, totalPage: 2 };
    const [first, second, third] = [await page(1), await page(2), await page(3)];
    expect(first).toMatchObject({
      ...around,
      currentPage: 1,
      resultList: [4, 3, 2].map((each) => entry(fundings[each]!)),
    });
    expect(second).toEqual({ ...around, currentPage: 2, resultList: [1, 0].map((each) => entry(fundings[each]!)) });
    expect(third).toEqual({ ...around, currentPage: 3, resultList: [] });
  });

  test('DEC-FUT-15: is empty for a contract without fundings', async () => {
    const { totalCount, totalPage, resultList } = await desk.data('funding_rate/history?symbol=SVC_USDT');
    expect([totalCount, totalPage, resultList]).toEqual([0, 0, []]);
  });

  test('DEC-FUT-14: the next one is at the end of the running cycle', async () => {
    const { nextSettleTime } = await desk.data('funding_rate/BTC_USDT');
    expect(nextSettleTime).toBe((start + midnight + 40 * hour) * 1000);
  });
});

describe('SPEC-FUT-15: risk_reverse/history', () => {
  const asked = (query: string) => desk.data(`risk_reverse/history?symbol=BTC_USDT${query}`);
  /** A late update takes one snapshot, of the last time that it was due. */
  const taken = [36, 24, 16, 8, 0].map((hours) => ({
    symbol: 'BTC_USDT',
    currency: 'USDT',
    available: 500_000,
    snapshotTime: (start + midnight + hours * hour) * 1000,
  }));

  test('DEC-FUT-17: has snapshots at multiples of four hours, newest first, 20 a page', async () => {
    expect(await asked('')).toEqual({
      pageSize: 20,
      totalCount: 5,
      totalPage: 1,
      currentPage: 1,
      resultList: taken,
    });
  });

  test('is read in pages of at most 100', async () => {
    const { totalPage, resultList } = await asked('&page_size=2&page_num=3');
    expect([totalPage, resultList]).toEqual([3, taken.slice(4)]);
    expect((await asked('&page_size=100')).resultList).toEqual(taken);
    expect((await desk.ask('risk_reverse/history?symbol=BTC_USDT&page_size=101')).body.code).toBe(600);
  });
});

test('SPEC-FUT-14, DEC-FUT-34, DEC-FUT-40: changes of the ticker count from the last price before UTC days', async () => {
  const ticker = await desk.data('ticker?symbol=BTC_USDT');
  // 24 hours hold the second trade only; the day began at 60000, and nothing traded seven days ago.
  expect(ticker).toMatchObject({ volume24: 20, amount24: 123, high24Price: 61_500, lower24Price: 61_500, holdVol: 0 });
  expect([ticker.riseFallRate, ticker.riseFallValue]).toEqual([0.025, 1500]);
  expect(ticker.riseFallRates).toEqual({ zone: 'UTC', r: 0.025, v: 1500, r7: 0, r30: 0, r90: 0, r180: 0, r365: 0 });
  expect(ticker.riseFallRatesOfTimezone).toEqual([0.025, 0.025, 0.025]);
});

describe('SPEC-FUT-12: at most 2000 points', () => {
  const firstMinute = start - 20;
  const lastMinute = Math.floor((start + end) / 60) * 60;

  test.each(['kline', 'kline/index_price', 'kline/fair_price'])('%s', async (path) => {
    const times = async (query: string): Promise<readonly number[]> =>
      (await desk.data(`${path}/BTC_USDT?interval=Min1${query}`)).time;
    const spans = async (query: string) => {
      const found = await times(query);
      return [found.length, found[0], found.at(-1)];
    };
    // The most recent, the first from a start, and those nearest before an end.
    expect(await spans('')).toEqual([2000, lastMinute - 1999 * 60, lastMinute]);
    expect(await spans(`&start=${firstMinute}`)).toEqual([2000, firstMinute, firstMinute + 1999 * 60]);
    expect(await spans(`&start=${lastMinute - 600}`)).toEqual([11, lastMinute - 600, lastMinute]);
    expect(await spans(`&start=${firstMinute}&end=${lastMinute}`)).toEqual([
      2000,
      firstMinute,
      firstMinute + 1999 * 60,
    ]);
    expect(await spans(`&end=${lastMinute - 60}`)).toEqual([2000, lastMinute - 2000 * 60, lastMinute - 60]);
    expect(await spans(`&end=${firstMinute + 60}`)).toEqual([2, firstMinute, firstMinute + 60]);
  });

  test('coarser candles begin with their UTC windows', async () => {
    const day = 24 * hour;
    const { time, open, close, vol } = await desk.data('kline/BTC_USDT?interval=Day1');
    expect([time, open, close, vol]).toEqual([
      [-1, 0, 1].map((days) => start + midnight + days * day),
      [60_000, 60_000, 60_000],
      [60_000, 60_000, 61_500],
      [20, 0, 20],
    ]);
    const weeks = await desk.data('kline/BTC_USDT?interval=Week1');
    // Tuesday to Thursday are of one week, which began on Monday.
    expect([weeks.time, weeks.vol]).toEqual([[Date.UTC(2023, 10, 13) / 1000], [40]]);
    expect((await desk.data('kline/index_price/BTC_USDT?interval=Month1')).time).toEqual([
      Date.UTC(2023, 10, 1) / 1000,
    ]);
  });
});
