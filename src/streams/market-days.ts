import { dayMs, minuteMs } from '#base/calendar.ts';
import type { Candle } from '#domain/candle.ts';
import { shiftCandle } from '#domain/candle.ts';
import type { PriceTicks, SymbolId, TimestampMs } from '#domain/units.ts';
import type { MarketData } from '#projections/market-data.ts';

/** Every zone's day begins on a quarter of an hour. */
const interval = '15m';
/** Two days back, and one window more for the price before them. */
const windowsBack = (2 * dayMs) / (15 * minuteMs) + 1;

/** What happened between two moments; prices in ticks, `null` as long as there was no trade ever before its end. */
export interface Span {
  /** Last price before it, else its first trade's. */
  readonly open: PriceTicks | null;
  readonly close: PriceTicks | null;
  /** Without trades the price that carried on. */
  readonly high: PriceTicks | null;
  readonly low: PriceTicks | null;
  readonly lots: bigint;
  readonly quoteAmount: bigint;
}

const nothing: Span = { open: null, close: null, high: null, low: null, lots: 0n, quoteAmount: 0n };

/** A span continued by windows that ascend; those before it tell the price that it begins with. */
function foldSpan(span: Span, windows: readonly Candle[], from: number, to: number): Span {
  let { open, close, high, low, lots, quoteAmount } = span;
  for (const window of windows) {
    if (window.openTime >= to) break;
    if (window.openTime < from) {
      open = window.close;
      close = window.close;
      high = window.close;
      low = window.close;
      continue;
    }
    if (window.trades === 0) continue;
    open ??= window.open;
    close = window.close;
    // Until the first trade of the span, high and low only carry the price before it.
    high = lots === 0n || high === null ? window.high : (Math.max(high, window.high) as PriceTicks);
    low = lots === 0n || low === null ? window.low : (Math.min(low, window.low) as PriceTicks);
    lots += window.lots;
    quoteAmount += window.quoteAmount;
  }
  return { open, close, high, low, lots, quoteAmount };
}

/** The last two days of one pair in quarters of an hour, fetched once and then continued. */
class Quarters {
  private readonly market: MarketData;
  private readonly symbol: SymbolId;
  /** Closed windows with trades, ascending; the first may stand for all before it. */
  private closed: Candle[] = [];
  /** First window that is not in `closed`. */
  private openTime: TimestampMs | null = null;
  private refreshing: Promise<void> | null = null;
  /** Days as far as they are closed, by their start; made anew with every window that closes. */
  private readonly days = new Map<number, Span>();

  constructor(market: MarketData, symbol: SymbolId) {
    this.market = market;
    this.symbol = symbol;
  }

  /** Resolves once every window before that of `now` is here; nearly always at once. */
  refresh(now: TimestampMs): Promise<void> {
    this.refreshing ??= this.fetch(now).finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  /** The day from `from` on, a quarter of an hour; it may reach beyond now. */
  day(from: number, now: TimestampMs): Span {
    const to = from + dayMs;
    let closed = this.days.get(from);
    if (closed === undefined) {
      closed = foldSpan(nothing, this.closed, from, to);
      this.days.set(from, closed);
    }
    const current = this.market.currentCandle(this.symbol, interval, now);
    return current === null ? closed : foldSpan(closed, [current], from, to);
  }

  private async fetch(now: TimestampMs): Promise<void> {
    const current = this.market.currentCandle(this.symbol, interval, now);
    if (current === null || current.openTime === this.openTime) return;
    const oldest = shiftCandle(interval, current.openTime, -windowsBack);
    // From the beginning also after a clock was set back: what is here may be about windows that are still to come.
    const continues = this.openTime !== null && this.openTime >= oldest && this.openTime <= current.openTime;
    const from = continues ? (this.openTime as TimestampMs) : oldest;
    const to = (current.openTime - 1) as TimestampMs;
    const fresh = await this.market.candles(this.symbol, interval, { from, to, limit: windowsBack }, now);
    if (!continues) this.closed = [...fresh];
    else this.closed.push(...fresh);
    this.openTime = current.openTime;
    this.days.clear();
    const first = this.closed.findLastIndex((window) => window.openTime <= oldest);
    this.closed = this.closed.slice(Math.max(0, first)).filter((window, index) => index === 0 || window.trades > 0);
  }
}

/** Days of every pair in every zone, kept while any ticker is listened to. */
export class MarketDays {
  private readonly market: MarketData;
  private readonly quarters = new Map<SymbolId, Quarters>();

  constructor(market: MarketData) {
    this.market = market;
  }

  /** Makes sure that spans of the pair are complete. */
  refresh(symbol: SymbolId, now: TimestampMs): Promise<void> {
    return this.of(symbol).refresh(now);
  }

  /** The running day of a zone, by its distance from UTC in minutes. */
  today(symbol: SymbolId, zoneMinutes: number, now: TimestampMs): Span {
    const start = dayStart(zoneMinutes, now);
    return this.of(symbol).day(start, now);
  }

  /** The day before it. */
  yesterday(symbol: SymbolId, zoneMinutes: number, now: TimestampMs): Span {
    const start = dayStart(zoneMinutes, now);
    return this.of(symbol).day(start - dayMs, now);
  }

  /** The 24 hours before the last 24 hours, in whole quarters of an hour. */
  dayBeforeLast(symbol: SymbolId, now: TimestampMs): Span {
    const quarter = 15 * minuteMs;
    const end = Math.floor((now - dayMs) / quarter) * quarter;
    return this.of(symbol).day(end - dayMs, now);
  }

  /** Lets everything go. */
  clear(): void {
    this.quarters.clear();
  }

  private of(symbol: SymbolId): Quarters {
    let quarters = this.quarters.get(symbol);
    if (quarters === undefined) {
      quarters = new Quarters(this.market, symbol);
      this.quarters.set(symbol, quarters);
    }
    return quarters;
  }
}

function dayStart(zoneMinutes: number, now: number): number {
  const offset = zoneMinutes * minuteMs;
  return Math.floor((now + offset) / dayMs) * dayMs - offset;
}
