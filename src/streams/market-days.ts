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

/** The last two days of one pair in quarters of an hour, fetched once and then continued. */
class Quarters {
  private readonly market: MarketData;
  private readonly symbol: SymbolId;
  /** Closed windows with trades, ascending; the first may stand for all before it. */
  private closed: Candle[] = [];
  /** First window that is not in `closed`. */
  private openTime: TimestampMs | null = null;
  private refreshing: Promise<void> | null = null;

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

  /** From `from` to `to`, both on a quarter; `to` may be later than now. */
  span(from: number, to: number, now: TimestampMs): Span {
    const current = this.market.currentCandle(this.symbol, interval, now);
    const total = { open: null as PriceTicks | null, close: null as PriceTicks | null, lots: 0n, quoteAmount: 0n };
    let high: PriceTicks | null = null;
    let low: PriceTicks | null = null;
    const add = (window: Candle): void => {
      if (window.openTime >= to) return;
      if (window.openTime < from) {
        total.open = window.close;
        total.close = window.close;
        return;
      }
      if (window.trades === 0) return;
      total.open ??= window.open;
      total.close = window.close;
      total.lots += window.lots;
      total.quoteAmount += window.quoteAmount;
      if (high === null || window.high > high) high = window.high;
      if (low === null || window.low < low) low = window.low;
    };
    this.closed.forEach(add);
    if (current !== null) add(current);
    return { ...total, high: high ?? total.close, low: low ?? total.close };
  }

  private async fetch(now: TimestampMs): Promise<void> {
    const current = this.market.currentCandle(this.symbol, interval, now);
    if (current === null || current.openTime === this.openTime) return;
    const oldest = shiftCandle(interval, current.openTime, -windowsBack);
    const from = this.openTime === null || this.openTime < oldest ? oldest : this.openTime;
    const to = (current.openTime - 1) as TimestampMs;
    const fresh = await this.market.candles(this.symbol, interval, { from, to, limit: windowsBack }, now);
    if (from === oldest) this.closed = [...fresh];
    else this.closed.push(...fresh);
    this.openTime = current.openTime;
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
    return this.of(symbol).span(start, start + dayMs, now);
  }

  /** The day before it. */
  yesterday(symbol: SymbolId, zoneMinutes: number, now: TimestampMs): Span {
    const start = dayStart(zoneMinutes, now);
    return this.of(symbol).span(start - dayMs, start, now);
  }

  /** The 24 hours before the last 24 hours, in whole quarters of an hour. */
  dayBeforeLast(symbol: SymbolId, now: TimestampMs): Span {
    const quarter = 15 * minuteMs;
    const end = Math.floor((now - dayMs) / quarter) * quarter;
    return this.of(symbol).span(end - dayMs, end, now);
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
