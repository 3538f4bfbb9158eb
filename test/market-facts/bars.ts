/** Length of the windows in which trades are kept. */
export const minuteMs = 60_000;

/** Windows of one length, oldest first; arrays of equal length. */
export interface Bars {
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
  fold(minutes: number, from: number, until: number): Bars {
    const bars = {
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
      const bar = this.#barOf((time - this.#from) / minuteMs, minutes, last);
      last = bar.close;
      if (last === 0) continue;
      bars.times.push(time);
      bars.opens.push(bar.open);
      bars.highs.push(bar.high);
      bars.lows.push(bar.low);
      bars.closes.push(bar.close);
      bars.volumes.push(bar.volume);
      bars.takers.push(bar.takers);
      bars.trades.push(bar.trades);
    }
    return bars;
  }

  #barOf(first: number, minutes: number, last: number) {
    const bar = { open: last, high: last, low: last, close: last, volume: 0, takers: 0, trades: 0 };
    for (let minute = first; minute < first + minutes; minute += 1) {
      if ((this.#trades[minute] ?? 0) === 0) continue;
      const isFirst = bar.trades === 0;
      if (isFirst) bar.open = this.#opens[minute]!;
      bar.high = isFirst ? this.#highs[minute]! : Math.max(bar.high, this.#highs[minute]!);
      bar.low = isFirst ? this.#lows[minute]! : Math.min(bar.low, this.#lows[minute]!);
      bar.close = this.#closes[minute]!;
      bar.volume += this.#volumes[minute]!;
      bar.takers += this.#takers[minute]!;
      bar.trades += this.#trades[minute]!;
    }
    return bar;
  }
}

/** Logarithmic returns from close to close; one fewer than bars. */
export const returnsOf = ({ closes }: Bars): number[] =>
  closes.slice(1).map((close, before) => Math.log(close / closes[before]!));
