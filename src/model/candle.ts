import { dayMs, dayOfMonthStart, hourMs, minuteMs, monthOf } from '#base/calendar.ts';
import type { PriceTicks, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';

/** Every candle length there is, by its name in requests; `8h` exists in streams only. DEC-STR-26. */
export const candleIntervals = ['1m', '5m', '15m', '30m', '60m', '4h', '8h', '1d', '1W', '1M'] as const;
export type CandleInterval = (typeof candleIntervals)[number];
/** Values of `interval` in GET /api/v3/klines. DEC-MKT-01. */
export const restCandleIntervals = ['1m', '5m', '15m', '30m', '60m', '4h', '1d', '1W', '1M'] as const;

/** Prices in ticks, `lots` in lots, `quoteAmount` in the quote asset's smallest unit. */
export interface Candle {
  readonly openTime: TimestampMs;
  /** Open time of the next one. */
  readonly closeTime: TimestampMs;
  readonly open: PriceTicks;
  readonly high: PriceTicks;
  readonly low: PriceTicks;
  readonly close: PriceTicks;
  readonly lots: bigint;
  readonly quoteAmount: bigint;
  /** How many trades; 0: the previous close carried on. */
  readonly trades: number;
}

const fixedMs: Record<Exclude<CandleInterval, '1W' | '1M'>, number> = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '60m': hourMs,
  '4h': 4 * hourMs,
  '8h': 8 * hourMs,
  '1d': dayMs,
};
const weekMs = 7 * dayMs;
/** 1970-01-01 was a Thursday; the first Monday came four days later. */
const firstMonday = 4 * dayMs;

/** Start of the window, in UTC, that `at` falls into; weeks start on Monday. DEC-MKT-01. */
export function candleOpenTime(interval: CandleInterval, at: number): TimestampMs {
  if (interval === '1M') {
    const { year, month } = monthOf(at);
    return as<TimestampMs>(dayOfMonthStart(year, month) * dayMs);
  }
  if (interval === '1W') return as<TimestampMs>(Math.floor((at - firstMonday) / weekMs) * weekMs + firstMonday);
  const length = fixedMs[interval];
  return as<TimestampMs>(Math.floor(at / length) * length);
}

/** The count of a window since 1970: the window after it has the next number. */
export function candleNumber(interval: CandleInterval, openTime: number): number {
  if (interval === '1M') {
    const { year, month } = monthOf(openTime);
    return year * 12 + month;
  }
  return Math.floor(openTime / (interval === '1W' ? weekMs : fixedMs[interval]));
}

/** Open time of the window `count` windows after (before, if negative) the one that opens at `openTime`. */
export function shiftCandle(interval: CandleInterval, openTime: number, count: number): TimestampMs {
  if (interval === '1M') {
    const { year, month } = monthOf(openTime);
    return as<TimestampMs>(dayOfMonthStart(year, month + count) * dayMs);
  }
  const length = interval === '1W' ? weekMs : fixedMs[interval];
  return as<TimestampMs>(openTime + count * length);
}
