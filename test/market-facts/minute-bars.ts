/** Length of the windows in which trades are kept. */
export const minuteMs = 60_000;

/** Windows of one length, oldest first; arrays of equal length. */
export interface CandleSeries {
  /** Open times. */
  readonly times: readonly number[];
  /** Prices in ticks; without trades all four are the close before. */
  readonly opens: readonly number[];
  readonly highs: readonly number[];
  readonly lows: readonly number[];
  readonly closes: readonly number[];
  /** Traded value in the quote asset's smallest unit. */
  readonly volumes: readonly number[];
  /** Orders that took liquidity. */
  readonly takers: readonly number[];
  readonly trades: readonly number[];
}

/** Trades of one market by minutes, from `from` (a whole minute) on for `count` minutes. Others are ignored. */
export class MinuteBars {
  readonly #from: number;
  readonly #opens: Float64Array;
  readonly #highs: Float64Array;
  readonly #lows: Float64Array;
  readonly #closes: Float64Array;
  readonly #volumes: Float64Array;
  readonly #takers: Uint32Array;
  readonly #trades: Uint32Array;

  constructor(from: number, count: number) {
    this.#from = from;
    this.#opens = new Float64Array(count);
    this.#highs = new Float64Array(count);
    this.#lows = new Float64Array(count);
    this.#closes = new Float64Array(count);
    this.#volumes = new Float64Array(count);
    this.#takers = new Uint32Array(count);
    this.#trades = new Uint32Array(count);
  }

  /** A trade, in order of time. `isFirst`: of its taker. */
  add(at: number, price: number, volume: number, isFirst: boolean): void {
    const minute = Math.floor((at - this.#from) / minuteMs);
    if (minute < 0 || minute >= this.#trades.length) return;
    if (this.#trades[minute] === 0) {
      this.#opens[minute] = price;
      this.#lows[minute] = price;
    }
    this.#highs[minute] = Math.max(this.#highs[minute]!, price);
    this.#lows[minute] = Math.min(this.#lows[minute]!, price);
    this.#closes[minute] = price;
    this.#volumes[minute]! += volume;
    this.#takers[minute]! += isFirst ? 1 : 0;
    this.#trades[minute]! += 1;
  }

  /** Windows of so many minutes that open in `[from, until)`, both whole windows, from the first with a trade on. */
  fold(minutes: number, from: number, until: number): CandleSeries {
    const candles = {
      times: [] as number[],
      opens: [] as number[],
      highs: [] as number[],
      lows: [] as number[],
      closes: [] as number[],
      volumes: [] as number[],
      takers: [] as number[],
      trades: [] as number[],
    };
    let last = 0;
    for (let time = from; time < until; time += minutes * minuteMs) {
      const candle = this.#candleOf((time - this.#from) / minuteMs, minutes, last);
      last = candle.close;
      if (last === 0) continue;
      candles.times.push(time);
      candles.opens.push(candle.open);
      candles.highs.push(candle.high);
      candles.lows.push(candle.low);
      candles.closes.push(candle.close);
      candles.volumes.push(candle.volume);
      candles.takers.push(candle.takers);
      candles.trades.push(candle.trades);
    }
    return candles;
  }

  #candleOf(first: number, minutes: number, last: number) {
    const candle = { open: last, high: last, low: last, close: last, volume: 0, takers: 0, trades: 0 };
    for (let minute = first; minute < first + minutes; minute += 1) {
      if ((this.#trades[minute] ?? 0) === 0) continue;
      const isFirst = candle.trades === 0;
      if (isFirst) candle.open = this.#opens[minute]!;
      candle.high = isFirst ? this.#highs[minute]! : Math.max(candle.high, this.#highs[minute]!);
      candle.low = isFirst ? this.#lows[minute]! : Math.min(candle.low, this.#lows[minute]!);
      candle.close = this.#closes[minute]!;
      candle.volume += this.#volumes[minute]!;
      candle.takers += this.#takers[minute]!;
      candle.trades += this.#trades[minute]!;
    }
    return candle;
  }
}

/** Logarithmic returns from close to close; one fewer than candles. */
export const returnsOf = ({ closes }: CandleSeries): number[] =>
  closes.slice(1).map((close, before) => Math.log(close / closes[before]!));
