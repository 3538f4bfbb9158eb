import { ExactSum } from '#base/exact-sum.ts';
import type { SecondColumns } from '#history/history-store.ts';

/** Sums trades, added in order, per second into columns. */
export class SecondBuilder {
  readonly #columns = {
    seconds: [] as number[],
    high: [] as number[],
    low: [] as number[],
    close: [] as number[],
    trades: [] as number[],
    lotsHigh: [] as number[],
    lotsLow: [] as number[],
    quoteHigh: [] as number[],
    quoteLow: [] as number[],
  };
  #second = Number.NEGATIVE_INFINITY;
  #high = 0;
  #low = 0;
  #close = 0;
  #trades = 0;
  readonly #lots = new ExactSum();
  readonly #quote = new ExactSum();

  add(at: number, price: number, lots: number, quoteAmount: number): void {
    const second = Math.floor(at / 1000);
    if (second !== this.#second) {
      this.#finish();
      this.#second = second;
      this.#high = price;
      this.#low = price;
    }
    if (price > this.#high) this.#high = price;
    if (price < this.#low) this.#low = price;
    this.#close = price;
    this.#trades += 1;
    this.#lots.add(lots);
    this.#quote.add(quoteAmount);
  }

  build(): SecondColumns {
    this.#finish();
    const columns = this.#columns;
    return {
      seconds: Float64Array.from(columns.seconds),
      high: Float64Array.from(columns.high),
      low: Float64Array.from(columns.low),
      close: Float64Array.from(columns.close),
      trades: Float64Array.from(columns.trades),
      lotsHigh: Float64Array.from(columns.lotsHigh),
      lotsLow: Float64Array.from(columns.lotsLow),
      quoteHigh: Float64Array.from(columns.quoteHigh),
      quoteLow: Float64Array.from(columns.quoteLow),
    };
  }

  #finish(): void {
    if (this.#trades === 0) return;
    const columns = this.#columns;
    columns.seconds.push(this.#second);
    columns.high.push(this.#high);
    columns.low.push(this.#low);
    columns.close.push(this.#close);
    columns.trades.push(this.#trades);
    columns.lotsHigh.push(this.#lots.high);
    columns.lotsLow.push(this.#lots.low);
    columns.quoteHigh.push(this.#quote.high);
    columns.quoteLow.push(this.#quote.low);
    this.#trades = 0;
    this.#lots.clear();
    this.#quote.clear();
  }
}
