import type { Candle, CandleInterval } from '#model/candle.ts';
import { candleIntervals, candleOpenTime, shiftCandle } from '#model/candle.ts';
import type { PriceTicks, SymbolId, TimestampMs } from '#model/units.ts';
import type { Bar } from '#history/tables/history-tables.ts';
import { candleOf, foldCandles, quietCandle } from '#market-data/candles/candle-plan.ts';
import { LiveBar } from '#history/collectors/live-bar.ts';
import { Ring } from '#market-data/ring.ts';

/** Minutes kept: a day for 24 hours of the finest candles, and an hour of margin. */
const minutesKept = 1500;

interface LiveWindow {
  readonly interval: CandleInterval;
  bar: LiveBar;
  /** The one with trades before `bar`; empty until a window ended since the start. */
  closed: LiveBar;
  end: number;
}

/** Stored bars of a symbol for `restore`. */
export interface StoredBars {
  readonly firstTradeAt: TimestampMs;
  /** Ascending; every minute with trades since the first of them. */
  readonly minutes: readonly Bar[];
  /** The last minute with trades before those; `null`: there is none. */
  readonly before: Bar | null;
  /** Every day with trades since the start of the week and of the month of the last trade. */
  readonly days: readonly Bar[];
}

/** One symbol's current bar of each interval, and its newest minutes: candles that need no history. */
export class CandleTail {
  readonly #symbol: SymbolId;
  readonly #windows: LiveWindow[] = candleIntervals.map((interval) => ({
    interval,
    bar: new LiveBar(),
    closed: new LiveBar(),
    end: 0,
  }));
  readonly #minutes = new Ring<Bar>(minutesKept);
  /** Every minute with trades that opens at or after this is kept. */
  #completeFrom = Number.NEGATIVE_INFINITY;
  #closeBefore: PriceTicks | null = null;
  /** A time within the minute of the first trade ever; `null` before it. */
  firstTradeAt: TimestampMs | null = null;
  #lastTradeAt = 0;
  #last: PriceTicks | null = null;

  constructor(symbol: SymbolId) {
    this.#symbol = symbol;
  }

  restore(stored: StoredBars): void {
    this.firstTradeAt = stored.firstTradeAt;
    if (stored.before !== null) this.#forget(stored.before);
    for (const day of stored.days) this.#grow(day, (interval) => interval === '1W' || interval === '1M');
    for (const minute of stored.minutes) this.#grow(minute, (interval) => interval !== '1W' && interval !== '1M');
    // The newest minute is still open: it is kept once it is closed.
    for (const minute of stored.minutes.slice(0, -1)) this.#keep(minute);
    const last = stored.minutes.at(-1) ?? stored.before;
    if (last === null) return;
    this.#last = last.close;
    this.#lastTradeAt = last.openTime;
  }

  /** `at` never decreases from call to call. */
  add(at: TimestampMs, price: PriceTicks, lots: number, quoteAmount: number): void {
    this.firstTradeAt ??= at;
    this.#lastTradeAt = at;
    this.#last = price;
    for (const window of this.#windows) {
      if (at >= window.end) this.#turn(window, at);
      window.bar.add(price, lots, quoteAmount);
    }
  }

  /** The candle of `now`'s window, or of the last trade's if that is later; `null` before the first trade. */
  current(interval: CandleInterval, now: number): Candle | null {
    if (this.#last === null) return null;
    const openTime = candleOpenTime(interval, Math.max(now, this.#lastTradeAt));
    const closeTime = shiftCandle(interval, openTime, 1);
    const { bar } = this.#window(interval);
    if (bar.openTime !== openTime) return quietCandle(openTime, closeTime, this.#last);
    return candleOf(bar.toBar(this.#symbol), openTime, closeTime);
  }

  /** The last window with trades before that of the last trade; `null`: none since the start. */
  closed(interval: CandleInterval): Candle | null {
    const { closed } = this.#window(interval);
    if (closed.trades === 0) return null;
    return candleOf(closed.toBar(this.#symbol), closed.openTime, shiftCandle(interval, closed.openTime, 1));
  }

  /** Whether candles from this window on need no history. */
  keeps(from: TimestampMs): boolean {
    return from >= this.#completeFrom;
  }

  /** Candles of these windows, or `null` if they begin before the kept minutes. */
  candles(interval: CandleInterval, windows: readonly TimestampMs[]): Candle[] | null {
    const first = windows[0];
    if (first === undefined) return [];
    if (!this.keeps(first)) return null;
    const bars: Bar[] = [];
    let close = this.#closeBefore;
    const take = (bar: Bar): void => {
      if (bar.openTime >= first) bars.push(bar);
      else close = bar.close;
    };
    for (let index = 0; index < this.#minutes.length; index += 1) take(this.#minutes.at(index) as Bar);
    const growing = (this.#windows[0] as LiveWindow).bar;
    if (growing.trades > 0) take(growing.toBar(this.#symbol));
    return foldCandles(interval, windows, bars, close);
  }

  #window(interval: CandleInterval): LiveWindow {
    return this.#windows[candleIntervals.indexOf(interval)] as LiveWindow;
  }

  #turn(window: LiveWindow, at: number): void {
    if (window.interval === '1m' && window.bar.trades > 0) this.#keep(window.bar.toBar(this.#symbol));
    const { bar, closed } = window;
    window.closed = bar;
    window.bar = closed;
    this.#begin(window, at);
  }

  #begin(window: LiveWindow, at: number): void {
    const openTime = candleOpenTime(window.interval, at);
    window.bar.begin(openTime);
    window.end = shiftCandle(window.interval, openTime, 1);
  }

  #grow(bar: Bar, concerns: (interval: CandleInterval) => boolean): void {
    for (const window of this.#windows) {
      if (!concerns(window.interval)) continue;
      if (bar.openTime >= window.end) this.#begin(window, bar.openTime);
      window.bar.addBar(bar);
    }
  }

  #keep(minute: Bar): void {
    const dropped = this.#minutes.push(minute);
    if (dropped !== undefined) this.#forget(dropped);
  }

  #forget(minute: Bar): void {
    this.#closeBefore = minute.close;
    this.#completeFrom = minute.openTime + 1;
  }
}
