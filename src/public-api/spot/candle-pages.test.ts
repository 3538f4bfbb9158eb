import { expect, test } from 'vitest';
import { type Candle, candleOpenTime, shiftCandle } from '#model/candle.ts';
import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import { CandlePages, type CandleSource } from '#public-api/spot/candle-pages.ts';
import { HistoryReads, type Reader } from '#public-api/history/history-reads.ts';
import { type CandleRange, planWindows } from '#market-data/candles/candle-plan.ts';

const minute = 60_000;
const start = Date.UTC(2024, 0, 1);
const reader = { client: { bucket: '10.0.0.1' }, retryAfterSeconds: null } as Reader;
const interval = '1m';
const from = (minutes: number, limit = 1000): CandleRange => ({
  from: as<TimestampMs>(start + minutes * minute),
  to: null,
  limit,
});

/** Minutes from `start` on whose candle number n closes at n; the last `open` of them are not over. */
function sourceOf(minutes: number, { key = 'a', open = 1, text = '' } = {}) {
  const counted = { reads: 0, candles: 0 };
  const last = start + (minutes - 1) * minute;
  const span = { firstTradeAt: start, now: last, closedUntil: last - (open - 1) * minute };
  const candleAt = (openTime: TimestampMs): Candle =>
    ({
      openTime,
      closeTime: shiftCandle(interval, openTime, 1),
      close: (openTime - start) / minute,
    }) as Candle;
  const source: CandleSource = {
    key,
    interval,
    span: () => span,
    candles: async (range) => {
      const found = planWindows(interval, range, span).map(candleAt);
      counted.reads += 1;
      counted.candles += found.length;
      return found;
    },
    isRecent: () => false,
    current: () => null,
    isContinued: true,
    print: ({ close }, previous) => [`${close}${text}`, `${previous}`],
  };
  return { source, counted, expected: (first: number, count: number) => expectedOf(first, count, text) };
}

const expectedOf = (first: number, count: number, text = ''): readonly string[] => {
  const numbers = Array.from({ length: count }, (_none, index) => first + index);
  return [
    numbers.map((number) => `${number}${text}`).join(','),
    numbers.map((number) => (number === 0 ? 'null' : String(number - 1))).join(','),
  ];
};

test('DEC-MKT-100: candles that never change are read once, however ranges lie', async () => {
  const pages = new CandlePages(new HistoryReads());
  const { source, counted } = sourceOf(5000);
  expect(await pages.columns(source, from(700), reader)).toEqual(expectedOf(700, 1000));
  const { reads } = counted;
  expect(reads).toBeLessThanOrEqual(5);
  for (const first of [700, 701, 950, 1023, 1024, 1025, 1300]) {
    expect(await pages.columns(source, from(first, 1700 - first), reader)).toEqual(expectedOf(first, 1700 - first));
  }
  expect(counted.reads).toBe(reads);
  expect(await pages.columns(source, from(0, 3), reader)).toEqual(expectedOf(0, 3));
});

test('DEC-MKT-100: asked for at once by many, a page is read once', async () => {
  const pages = new CandlePages(new HistoryReads());
  const { source, counted } = sourceOf(5000);
  const answers = await Promise.all(Array.from({ length: 50 }, () => pages.columns(source, from(700), reader)));
  for (const answer of answers) expect(answer).toEqual(expectedOf(700, 1000));
  expect(counted.reads).toBeLessThanOrEqual(5);
});

test('DEC-MKT-100: an open window is read each time, and kept once it is over', async () => {
  const pages = new CandlePages(new HistoryReads());
  const early = sourceOf(300, { open: 2, text: 'x' });
  const [texts] = (await pages.columns(early.source, from(290), reader)) ?? [];
  expect(texts).toBe(expectedOf(290, 10, 'x')[0]);
  // Later the last two print differently: they were not kept. Those before were.
  const later = sourceOf(310);
  const [grown] = (await pages.columns(later.source, from(290), reader)) ?? [];
  const expected = Array.from({ length: 20 }, (_none, index) => (index < 8 ? `${290 + index}x` : `${290 + index}`));
  expect(grown).toBe(expected.join(','));
});

test('DEC-MKT-100: the bytes that are kept are bounded; what was not asked for longest goes first', async () => {
  const pages = new CandlePages(new HistoryReads());
  const { bytesKept, windowsPerPage } = wireLimits.candlePages;
  const text = 'x'.repeat(10_000);
  const perPage = windowsPerPage * text.length;
  const symbols = Math.ceil(bytesKept / perPage) + 5;
  const first = sourceOf(2000, { key: 'first' });
  await pages.columns(first.source, from(600, 10), reader);
  for (let symbol = 0; symbol < symbols; symbol += 1) {
    await pages.columns(sourceOf(2000, { key: `s${symbol}`, text }).source, from(600, 10), reader);
    expect(pages.bytes).toBeLessThanOrEqual(bytesKept);
    await pages.columns(first.source, from(600, 10), reader);
  }
  expect(pages.bytes).toBeGreaterThan(bytesKept / 2);
  expect(first.counted.reads).toBe(1);
  const oldest = sourceOf(2000, { key: 's0', text });
  expect(await pages.columns(oldest.source, from(600, 10), reader)).toEqual(expectedOf(600, 10, text));
  expect(oldest.counted.reads).toBe(1);
});

test('DEC-MKT-100: a read that fails is told to who asked, and made again', async () => {
  const pages = new CandlePages(new HistoryReads());
  const { source } = sourceOf(5000);
  const broken: CandleSource = { ...source, candles: () => Promise.reject(new TypeError('planted')) };
  await expect(pages.columns(broken, from(0, 10), reader)).rejects.toThrow('planted');
  expect(await pages.columns(source, from(0, 10), reader)).toEqual(expectedOf(0, 10));
});

test('DEC-MKT-100: windows of months and weeks have numbers that follow each other', async () => {
  for (const unit of ['1W', '1M'] as const) {
    const pages = new CandlePages(new HistoryReads());
    const first = candleOpenTime(unit, start);
    const span = {
      firstTradeAt: first,
      now: shiftCandle(unit, first, 700),
      closedUntil: shiftCandle(unit, first, 700),
    };
    const source: CandleSource = {
      ...sourceOf(1).source,
      interval: unit,
      span: () => span,
      candles: async (range) =>
        planWindows(unit, range, span).map((openTime) => ({ openTime, close: openTime }) as unknown as Candle),
      print: ({ openTime }) => [String(openTime)],
    };
    const [texts = ''] = (await pages.columns(source, { from: null, to: null, limit: 1000 }, reader)) ?? [];
    const expected = Array.from({ length: 701 }, (_none, index) => String(shiftCandle(unit, first, index)));
    expect(texts.split(',')).toEqual(expected);
  }
});
