import type { Candle, CandleInterval } from '#model/candle.ts';
import { candleOpenTime, shiftCandle } from '#model/candle.ts';
import type { PriceTicks, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { BarSpan } from '#history/tables/bar-spans.ts';
import type { Bar } from '#history/tables/history-tables.ts';

/** Range of candles: bounds of the open time, both inclusive. */
export interface CandleRange {
  readonly from: TimestampMs | null;
  readonly to: TimestampMs | null;
  readonly limit: number;
}

/** Where the candles of a symbol begin and end. */
export interface CandleSpan {
  /** A time within the window of the first trade. */
  readonly firstTradeAt: number;
  /** A time within the last window. */
  readonly now: number;
  /** Windows that end by then never change any more. */
  readonly closedUntil: number;
}

/** The coarsest stored bars that windows of an interval are made of. */
export const spanOf: Record<CandleInterval, BarSpan> = {
  '1m': 'minute',
  '5m': 'minute',
  '15m': 'quarter',
  '30m': 'quarter',
  '60m': 'hour',
  '4h': 'hour',
  '8h': 'hour',
  '1d': 'day',
  '1W': 'day',
  '1M': 'day',
};

/**
 * Open times of the windows that answer a question, oldest first. Windows begin with that of the first trade ever and
 * end with that of `now`. With `from`: the first `limit` from it; else the newest `limit` up to `to`.
 * DEC-MKT-02, DEC-MKT-12.
 */
export function planWindows(
  interval: CandleInterval,
  range: CandleRange,
  known: { readonly firstTradeAt: number; readonly now: number },
): TimestampMs[] {
  let first = candleOpenTime(interval, known.firstTradeAt);
  let last = candleOpenTime(interval, known.now);
  if (range.from !== null && range.from > first) {
    const window = candleOpenTime(interval, range.from);
    first = window < range.from ? shiftCandle(interval, window, 1) : window;
  }
  if (range.to !== null && range.to < last) last = candleOpenTime(interval, range.to);
  const windows: TimestampMs[] = [];
  if (range.from !== null) {
    for (let open = first; open <= last && windows.length < range.limit; open = shiftCandle(interval, open, 1)) {
      windows.push(open);
    }
    return windows;
  }
  for (let open = last; open >= first && windows.length < range.limit; open = shiftCandle(interval, open, -1)) {
    windows.push(open);
  }
  return windows.reverse();
}

/**
 * Folds ascending bars into these windows; a window without bars repeats the previous close with volume 0.
 * `previousClose` is the close before the first window; without one, windows before the first bar are left out.
 */
export function foldCandles(
  interval: CandleInterval,
  windows: readonly TimestampMs[],
  bars: readonly Bar[],
  previousClose: PriceTicks | null,
): Candle[] {
  const candles: Candle[] = [];
  let close = previousClose;
  let next = 0;
  for (const openTime of windows) {
    const closeTime = shiftCandle(interval, openTime, 1);
    let candle: Candle | null = close === null ? null : quietCandle(openTime, closeTime, close);
    for (let bar = bars[next]; bar !== undefined && bar.openTime < closeTime; bar = bars[next]) {
      candle = candle === null || candle.trades === 0 ? candleOf(bar, openTime, closeTime) : grown(candle, bar);
      next += 1;
    }
    if (candle === null) continue;
    close = candle.close;
    candles.push(candle);
  }
  return candles;
}

/** A window without trades. */
export const quietCandle = (openTime: TimestampMs, closeTime: TimestampMs, close: PriceTicks): Candle => ({
  openTime,
  closeTime,
  open: close,
  high: close,
  low: close,
  close,
  lots: 0n,
  quoteAmount: 0n,
  trades: 0,
});

/** Converts a bar to the candle of its window. */
export const candleOf = (bar: Bar, openTime: TimestampMs, closeTime: TimestampMs): Candle => ({
  openTime,
  closeTime,
  open: bar.open,
  high: bar.high,
  low: bar.low,
  close: bar.close,
  lots: bar.lots,
  quoteAmount: bar.quoteAmount,
  trades: bar.trades,
});

const grown = (candle: Candle, bar: Bar): Candle => ({
  ...candle,
  high: as<PriceTicks>(Math.max(candle.high, bar.high)),
  low: as<PriceTicks>(Math.min(candle.low, bar.low)),
  close: bar.close,
  lots: candle.lots + bar.lots,
  quoteAmount: candle.quoteAmount + bar.quoteAmount,
  trades: candle.trades + bar.trades,
});
