import { dayMs, minuteMs } from '#base/calendar.ts';
import type { Candle } from '#model/candle.ts';
import { shiftCandle } from '#model/candle.ts';
import type { PriceTicks, SymbolId, TimestampMs } from '#model/units.ts';
import type { MarketData } from '#market-data/market-data.ts';

/** Days of every time zone begin at a multiple of 15 minutes. */
const interval = '15m';
/** Two days, plus one window for the price before them. */
const windowsBack = (2 * dayMs) / (15 * minuteMs) + 1;

/** Trades of a time span; prices in ticks, `null` if there never was a trade before its end. */
export interface Span {
  /** Last price before the span, else the price of its first trade. */
  readonly open: PriceTicks | null;
  readonly close: PriceTicks | null;
  /** In a span without trades, the last price before it. */
  readonly high: PriceTicks | null;
  readonly low: PriceTicks | null;
  readonly lots: bigint;
  readonly quoteAmount: bigint;
}

const nothing: Span = { open: null, close: null, high: null, low: null, lots: 0n, quoteAmount: 0n };

/** Adds ascending windows to a span; windows before its start only set the price it begins with. */
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
    // Before the first trade of the span, high and low hold the price before it.
    high = lots === 0n || high === null ? window.high : (Math.max(high, window.high) as PriceTicks);
    low = lots === 0n || low === null ? window.low : (Math.min(low, window.low) as PriceTicks);
    lots += window.lots;
    quoteAmount += window.quoteAmount;
  }
  return { open, close, high, low, lots, quoteAmount };
}

/** The last two days of one symbol in 15-minute windows: read from history once, then continued. */
class Quarters {
  private readonly market: MarketData;
  private readonly symbol: SymbolId;
  /** Closed windows with trades, ascending. The first one may be older and gives the price before the rest. */
  private closed: Candle[] = [];
  /** First window that is not in `closed`. */
  private openTime: TimestampMs | null = null;
  private refreshing: Promise<void> | null = null;
  /** Spans of days over closed windows, by start; recomputed when a window closes. */
  private readonly days = new Map<number, Span>();

  constructor(market: MarketData, symbol: SymbolId) {
    this.market = market;
    this.symbol = symbol;
  }

  /** Resolves once every window before that of `now` is loaded; nearly always at once. */
  refresh(now: TimestampMs): Promise<void> {
    this.refreshing ??= this.fetch(now).finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  /** The day that begins at `from`, a multiple of 15 minutes; it may end in the future. */
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
    // Reloads everything also after the clock was set back: loaded windows may then lie in the future.
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

/** Day statistics of every symbol and zone, kept while any ticker channel has subscribers. */
export class MarketDays {
  private readonly market: MarketData;
  private readonly quarters = new Map<SymbolId, Quarters>();

  constructor(market: MarketData) {
    this.market = market;
  }

  /** Resolves once spans of the symbol are complete. */
  refresh(symbol: SymbolId, now: TimestampMs): Promise<void> {
    return this.of(symbol).refresh(now);
  }

  /** The current day of a zone, given as its offset from UTC in minutes. */
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

  /** Drops everything. */
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
