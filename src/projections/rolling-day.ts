import { assert } from '#base/assert.ts';
import { ExactSum, joinSum, sumBase } from '#base/exact-sum.ts';
import type { PriceTicks } from '#domain/units.ts';
import type { SecondColumns } from '#history/history-store.ts';

/** Seconds of a day. */
export const daySeconds = 86_400;

/** Trades of a window; without any, `high` and `low` are `null` and the sums 0. */
export interface RollingTotals {
  readonly high: PriceTicks | null;
  readonly low: PriceTicks | null;
  readonly lots: bigint;
  readonly quoteAmount: bigint;
  readonly trades: number;
  /** Last price before the window; without one the first price ever; `null` before the first trade. */
  readonly open: PriceTicks | null;
}

/**
 * Trades of the last 24 hours by the second, as sums and extremes. The window at a moment is the 86,400 whole seconds
 * that end with the moment's own. Constant work per trade on average; at most 86,400 rows however many the trades.
 */
export class RollingDay {
  readonly #rows = new SecondRows();
  readonly #lots = new ExactSum();
  readonly #quote = new ExactSum();
  #trades = 0;
  /** Rows with the highest price of all rows from them on, falling; the first is the highest of all. */
  readonly #peaks = new RowQueue();
  readonly #troughs = new RowQueue();
  #firstPrice: PriceTicks | null = null;
  #priceBefore: PriceTicks | null = null;

  /** Starts from history: the rows, and what went before them. Trades added later come after. */
  load(columns: SecondColumns, firstPrice: PriceTicks, priceBefore: PriceTicks | null): void {
    assert(this.#rows.count === 0, 'a day is loaded before trades are added');
    this.#firstPrice = firstPrice;
    this.#priceBefore = priceBefore;
    for (let index = 0; index < columns.seconds.length; index += 1) {
      const row = this.#open(columns.seconds[index] as number);
      const rows = this.#rows;
      this.#count(row, columns.trades[index] as number);
      this.#addSum(
        row,
        rows.lotsHigh,
        rows.lotsLow,
        this.#lots,
        columns.lotsHigh[index] as number,
        columns.lotsLow[index] as number,
      );
      this.#addSum(
        row,
        rows.quoteHigh,
        rows.quoteLow,
        this.#quote,
        columns.quoteHigh[index] as number,
        columns.quoteLow[index] as number,
      );
      this.#price(row, columns.high[index] as number);
      this.#price(row, columns.low[index] as number);
      rows.close[row & rows.mask] = columns.close[index] as number;
    }
  }

  /** `at` never decreases from call to call. */
  add(at: number, price: PriceTicks, lots: number, quoteAmount: number): void {
    const rows = this.#rows;
    const second = Math.floor(at / 1000);
    let row = rows.next - 1;
    if (rows.count === 0 || rows.second[row & rows.mask] !== second) row = this.#open(second);
    this.#firstPrice ??= price;
    this.#count(row, 1);
    const lotsHigh = Math.floor(lots / sumBase);
    const quoteHigh = Math.floor(quoteAmount / sumBase);
    this.#addSum(row, rows.lotsHigh, rows.lotsLow, this.#lots, lotsHigh, lots - lotsHigh * sumBase);
    this.#addSum(row, rows.quoteHigh, rows.quoteLow, this.#quote, quoteHigh, quoteAmount - quoteHigh * sumBase);
    this.#price(row, price);
    rows.close[row & rows.mask] = price;
  }

  /** The 24 hours that end at `now`. Lets go what is older: a later question with an earlier `now` gets the same answer. */
  day(now: number): RollingTotals {
    this.#letGo(Math.floor(now / 1000) - daySeconds);
    const rows = this.#rows;
    return {
      high: rows.count === 0 ? null : (rows.high[this.#peaks.first() & rows.mask] as PriceTicks),
      low: rows.count === 0 ? null : (rows.low[this.#troughs.first() & rows.mask] as PriceTicks),
      lots: this.#lots.value(),
      quoteAmount: this.#quote.value(),
      trades: this.#trades,
      open: this.#priceBefore ?? this.#firstPrice,
    };
  }

  /** Sums of the last `seconds` whole seconds that end with `now`'s; looks at as many rows. */
  lastSeconds(now: number, seconds: number): { readonly lots: bigint; readonly quoteAmount: bigint } {
    const after = Math.floor(now / 1000) - seconds;
    const rows = this.#rows;
    let lots = 0n;
    let quoteAmount = 0n;
    for (let row = rows.next - 1; row >= rows.first; row -= 1) {
      const slot = row & rows.mask;
      if ((rows.second[slot] as number) <= after) break;
      lots += joinSum(rows.lotsHigh[slot] as number, rows.lotsLow[slot] as number);
      quoteAmount += joinSum(rows.quoteHigh[slot] as number, rows.quoteLow[slot] as number);
    }
    return { lots, quoteAmount };
  }

  #open(second: number): number {
    this.#letGo(second - daySeconds);
    const row = this.#rows.push(second);
    this.#peaks.push(row);
    this.#troughs.push(row);
    return row;
  }

  #count(row: number, trades: number): void {
    this.#rows.trades[row & this.#rows.mask]! += trades;
    this.#trades += trades;
  }

  #addSum(row: number, highs: Float64Array, lows: Float64Array, total: ExactSum, high: number, low: number): void {
    const slot = row & this.#rows.mask;
    const sum = (lows[slot] as number) + low;
    const carry = Math.floor(sum / sumBase);
    lows[slot] = sum - carry * sumBase;
    highs[slot] = (highs[slot] as number) + high + carry;
    total.addParts(high, low);
  }

  /** Widens the newest row's range to `price`. */
  #price(row: number, price: number): void {
    const rows = this.#rows;
    const slot = row & rows.mask;
    if (price > (rows.high[slot] as number)) {
      rows.high[slot] = price;
      this.#peaks.replaceWhile(row, (earlier) => (rows.high[earlier & rows.mask] as number) <= price);
    }
    if (price < (rows.low[slot] as number)) {
      rows.low[slot] = price;
      this.#troughs.replaceWhile(row, (earlier) => (rows.low[earlier & rows.mask] as number) >= price);
    }
  }

  #letGo(upToSecond: number): void {
    const rows = this.#rows;
    while (rows.count > 0) {
      const row = rows.first;
      const slot = row & rows.mask;
      if ((rows.second[slot] as number) > upToSecond) return;
      this.#priceBefore = rows.close[slot] as PriceTicks;
      this.#trades -= rows.trades[slot] as number;
      this.#lots.subtractParts(rows.lotsHigh[slot] as number, rows.lotsLow[slot] as number);
      this.#quote.subtractParts(rows.quoteHigh[slot] as number, rows.quoteLow[slot] as number);
      this.#peaks.dropIfFirst(row);
      this.#troughs.dropIfFirst(row);
      rows.first += 1;
    }
  }
}

const columnNames = [
  'second',
  'high',
  'low',
  'close',
  'trades',
  'lotsHigh',
  'lotsLow',
  'quoteHigh',
  'quoteLow',
] as const;

/** Rows `first` to `next - 1`, each in slot `row & mask` of every column. */
class SecondRows {
  first = 0;
  next = 0;
  mask = 15;
  second = new Float64Array(16);
  high = new Float64Array(16);
  low = new Float64Array(16);
  close = new Float64Array(16);
  trades = new Float64Array(16);
  lotsHigh = new Float64Array(16);
  lotsLow = new Float64Array(16);
  quoteHigh = new Float64Array(16);
  quoteLow = new Float64Array(16);

  get count(): number {
    return this.next - this.first;
  }

  /** A new row without trades; no price is in its range yet. */
  push(second: number): number {
    if (this.count > this.mask) this.#grow();
    const row = this.next;
    const slot = row & this.mask;
    for (const name of columnNames) this[name][slot] = 0;
    this.second[slot] = second;
    this.high[slot] = Number.NEGATIVE_INFINITY;
    this.low[slot] = Number.POSITIVE_INFINITY;
    this.next += 1;
    return row;
  }

  #grow(): void {
    const mask = this.mask * 2 + 1;
    for (const name of columnNames) {
      const grown = new Float64Array(mask + 1);
      for (let row = this.first; row < this.next; row += 1) grown[row & mask] = this[name][row & this.mask] as number;
      this[name] = grown;
    }
    this.mask = mask;
  }
}

/** Row numbers in ascending order, taken off at both ends. */
class RowQueue {
  #rows: number[] = [];
  #start = 0;

  push(row: number): void {
    this.#rows.push(row);
  }

  first(): number {
    return this.#rows[this.#start] as number;
  }

  /** Takes off the last ones that `covers` covers, and puts `row`, the newest of all, in their place. */
  replaceWhile(row: number, covers: (earlier: number) => boolean): void {
    while (this.#rows.length > this.#start && covers(this.#rows.at(-1) as number)) this.#rows.pop();
    this.#rows.push(row);
  }

  dropIfFirst(row: number): void {
    if (this.#rows[this.#start] !== row) return;
    this.#start += 1;
    // What was taken off at the start goes for good once it is the larger part.
    if (this.#start > 64 && this.#start * 2 > this.#rows.length) {
      this.#rows = this.#rows.slice(this.#start);
      this.#start = 0;
    }
  }
}
