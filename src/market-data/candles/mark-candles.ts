import type { Candle, CandleInterval } from '#model/candle.ts';
import { shiftCandle } from '#model/candle.ts';
import type { PriceTicks, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { MarkBarRow, MarkKind } from '#history/tables/contract-tables.ts';
import type { HistoryStore } from '#history/history-store.ts';
import type { Bar } from '#history/tables/history-tables.ts';
import {
  type CandleRange,
  type CandleSpan,
  foldCandles,
  planWindows,
  spanOf,
} from '#market-data/candles/candle-plan.ts';

const earliest = as<TimestampMs>(0);
const latest = as<TimestampMs>(Number.MAX_SAFE_INTEGER);

/** Which candles of index or fair prices. */
export interface MarkCandles {
  readonly contract: SymbolId;
  readonly kind: MarkKind;
  readonly interval: CandleInterval;
}

/** Where candles of index and fair prices begin and end. Both ends are read from history once. */
export class MarkSpans {
  readonly #history: HistoryStore;
  readonly #awaitEntries: () => Promise<void>;
  readonly #ends = new Map<string, { readonly first: number; readonly last: number }>();
  #at = 0;

  constructor(history: HistoryStore, awaitEntries: () => Promise<void>) {
    this.#history = history;
    this.#awaitEntries = awaitEntries;
  }

  entryBegan(at: number): void {
    this.#at = at;
  }

  /** `null`: there is no price yet. The first one never changes. @throws HistoryUnavailable */
  async of({ contract, kind, interval }: MarkCandles, now: number): Promise<CandleSpan | null> {
    const span = spanOf[interval];
    const key = `${contract} ${kind} ${span}`;
    let ends = this.#ends.get(key);
    if (ends === undefined) {
      await this.#awaitEntries();
      const owner = { contract, kind, span };
      const [[first], [last]] = await Promise.all([
        this.#history.rows('markBars', owner, { from: earliest, to: latest }, 1),
        this.#history.rows('markBars', owner, { from: earliest, to: latest }, 1, false),
      ]);
      if (first === undefined || last === undefined) return null;
      ends = { first: first.openTime, last: last.openTime };
      this.#ends.set(key, ends);
    }
    // Any entry may bring prices: a window is over once one of a later window was seen.
    const closedUntil = Math.max(this.#at, ends.last);
    return { firstTradeAt: ends.first, now: Math.max(now, closedUntil), closedUntil };
  }
}

/**
 * Candles of index or fair prices, oldest first, in steps of 10^-markDecimals, from the window of the first price to
 * the last of the span. Their lots and amounts are 0; a window without prices repeats the close before it, with no
 * trades.
 */
export async function markCandles(
  history: HistoryStore,
  { contract, kind, interval }: MarkCandles,
  range: CandleRange,
  span: CandleSpan,
): Promise<readonly Candle[]> {
  const owner = { contract, kind, span: spanOf[interval] };
  const windows = planWindows(interval, range, span);
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
