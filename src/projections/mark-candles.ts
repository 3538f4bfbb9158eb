import type { Candle, CandleInterval } from '#domain/candle.ts';
import { shiftCandle } from '#domain/candle.ts';
import type { PriceTicks, SymbolId, TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import type { MarkBarRow, MarkKind } from '#history/contract-tables.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { Bar } from '#history/history-tables.ts';
import { type CandleRange, foldCandles, planWindows, spanOf } from '#projections/candle-plan.ts';

const earliest = as<TimestampMs>(0);
const latest = as<TimestampMs>(Number.MAX_SAFE_INTEGER);

/**
 * Candles of index or fair prices, oldest first, in steps of 10^-markDecimals, from the window of the first price to
 * that of `now`. Their lots and amounts are 0; a window without prices repeats the close before it, with no trades.
 */
export async function markCandles(
  history: HistoryStore,
  {
    contract,
    kind,
    interval,
  }: { readonly contract: SymbolId; readonly kind: MarkKind; readonly interval: CandleInterval },
  range: CandleRange,
  now: TimestampMs,
): Promise<readonly Candle[]> {
  const owner = { contract, kind, span: spanOf[interval] };
  const [[first], [last]] = await Promise.all([
    history.rows('markBars', owner, { from: earliest, to: latest }, 1),
    history.rows('markBars', owner, { from: earliest, to: latest }, 1, false),
  ]);
  if (first === undefined || last === undefined) return [];
  const known = { firstTradeAt: first.openTime, now: Math.max(now, last.openTime) };
  const windows = planWindows(interval, range, known);
  const from = windows[0];
  if (from === undefined) return [];
  const to = as<TimestampMs>(shiftCandle(interval, windows.at(-1) as TimestampMs, 1) - 1);
  const [bars, [before]] = await Promise.all([
    history.rows('markBars', owner, { from, to }),
    history.rows('markBars', owner, { from: earliest, to: as<TimestampMs>(from - 1) }, 1, false),
  ]);
  return foldCandles(interval, windows, bars.map(barOf), (before?.close ?? null) as PriceTicks | null);
}

/** A bar of prices as one of trades of nothing. */
const barOf = ({ contract, span, openTime, open, high, low, close }: MarkBarRow): Bar => ({
  symbol: contract,
  span,
  openTime,
  open: as<PriceTicks>(open),
  high: as<PriceTicks>(high),
  low: as<PriceTicks>(low),
  close: as<PriceTicks>(close),
  lots: 0n,
  quoteAmount: 0n,
  trades: 1,
});
