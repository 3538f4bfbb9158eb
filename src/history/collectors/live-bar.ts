import { ExactSum } from '#base/exact-sum.ts';
import type { PriceTicks, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Bar } from '#history/tables/history-tables.ts';

/** A bar that is still open. */
export class LiveBar {
  openTime = as<TimestampMs>(0);
  open = as<PriceTicks>(0);
  high = as<PriceTicks>(0);
  low = as<PriceTicks>(0);
  close = as<PriceTicks>(0);
  trades = 0;
  readonly #lots = new ExactSum();
  readonly #quoteAmount = new ExactSum();

  /** Begins a new bar without trades. */
  begin(openTime: TimestampMs): void {
    this.openTime = openTime;
    this.trades = 0;
    this.#lots.clear();
    this.#quoteAmount.clear();
  }

  add(price: PriceTicks, lots: number, quoteAmount: number): void {
    if (this.trades === 0) {
      this.open = price;
      this.high = price;
      this.low = price;
    } else {
      if (price > this.high) this.high = price;
      if (price < this.low) this.low = price;
    }
    this.close = price;
    this.trades += 1;
    this.#lots.add(lots);
    this.#quoteAmount.add(quoteAmount);
  }

  /** Merges a later bar into this one. */
  addBar(bar: Bar): void {
    if (this.trades === 0) {
      this.open = bar.open;
      this.high = bar.high;
      this.low = bar.low;
    } else {
      if (bar.high > this.high) this.high = bar.high;
      if (bar.low < this.low) this.low = bar.low;
    }
    this.close = bar.close;
    this.trades += bar.trades;
    this.#lots.addBig(bar.lots);
    this.#quoteAmount.addBig(bar.quoteAmount);
  }

  toBar(symbol: SymbolId): Bar {
    return {
      symbol,
      span: 'minute',
      openTime: this.openTime,
      open: this.open,
      high: this.high,
      low: this.low,
      close: this.close,
      lots: this.#lots.value(),
      quoteAmount: this.#quoteAmount.value(),
      trades: this.trades,
    };
  }
}
