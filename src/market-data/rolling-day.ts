import { assert } from '#base/assert.ts';
import { ExactSum, joinSum } from '#base/exact-sum.ts';
import type { PriceTicks } from '#model/units.ts';
import type { SecondColumns } from '#history/history-store.ts';

/** Length of the window. DEC-MKT-05. */
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
 * Trades of the last 24 hours per second, as sums and extremes. The window is the 86,400 whole seconds that end with
 * the current one. A trade costs O(1) amortized; memory is at most 86,400 rows of 48 bytes. Rows are deleted only when
 * a later trade makes them too old: a clock that is set forward and back loses nothing, because rows before the window
 * are merely not counted until then.
 */
export class RollingDay {
  readonly #rows = new SecondRows();
  /** First row of the window; the totals include it and all later rows. */
  #windowFirst = 0;
  readonly #lots = new ExactSum();
  readonly #quote = new ExactSum();
  #trades = 0;
  /** Rows whose high is above that of every later row; highs descend. */
  readonly #peaks = new RowQueue();
  readonly #troughs = new RowQueue();
  #firstPrice: PriceTicks | null = null;
  /** Close of the last deleted row. */
  #priceBefore: PriceTicks | null = null;

  /** Restores from history: the rows, and the price before them. Later trades are added after them. */
  load(columns: SecondColumns, firstPrice: PriceTicks, priceBefore: PriceTicks | null): void {
    assert(this.#rows.count === 0, 'a day is loaded before trades are added');
    this.#firstPrice = firstPrice;
    this.#priceBefore = priceBefore;
    const { seconds, high, low, close, trades, lotsHigh, lotsLow, quoteHigh, quoteLow } = columns;
    for (let index = 0; index < seconds.length; index += 1) {
      const row = this.#open(seconds[index] as number);
      this.#count(row, trades[index] as number);
      this.#rows.lots.addBig(row, joinSum(lotsHigh[index] as number, lotsLow[index] as number));
      this.#rows.quote.addBig(row, joinSum(quoteHigh[index] as number, quoteLow[index] as number));
      this.#lots.addParts(lotsHigh[index] as number, lotsLow[index] as number);
      this.#quote.addParts(quoteHigh[index] as number, quoteLow[index] as number);
      this.#price(row, high[index] as number);
      this.#price(row, low[index] as number);
      this.#rows.close[this.#rows.slot(row)] = close[index] as number;
    }
  }

  /** `at` never decreases from call to call. */
  add(at: number, price: PriceTicks, lots: number, quoteAmount: number): void {
    const rows = this.#rows;
    const second = Math.floor(at / 1000);
    let row = rows.next - 1;
    if (rows.count === 0 || rows.second[rows.slot(row)] !== second) row = this.#open(second);
    // The clock was ahead of this second: its row counts again.
    else if (row < this.#windowFirst) this.#moveWindow(second - daySeconds);
    this.#firstPrice ??= price;
    this.#count(row, 1);
    rows.lots.add(row, lots);
    rows.quote.add(row, quoteAmount);
    this.#lots.add(lots);
    this.#quote.add(quoteAmount);
    this.#price(row, price);
    rows.close[rows.slot(row)] = price;
  }

  /** The 24 hours that end at `now`, which is not before the last trade. */
  day(now: number): RollingTotals {
    this.#moveWindow(Math.floor(now / 1000) - daySeconds);
    const rows = this.#rows;
    const first = this.#windowFirst;
    const isQuiet = first === rows.next;
    return {
      high: isQuiet ? null : (rows.high[rows.slot(this.#peaks.firstFrom(first))] as PriceTicks),
      low: isQuiet ? null : (rows.low[rows.slot(this.#troughs.firstFrom(first))] as PriceTicks),
      lots: this.#lots.value(),
      quoteAmount: this.#quote.value(),
      trades: this.#trades,
      open:
        first > rows.first ? (rows.close[rows.slot(first - 1)] as PriceTicks) : (this.#priceBefore ?? this.#firstPrice),
    };
  }

  /** Sums of the last `seconds` whole seconds, ending with that of `now`; reads as many rows. */
  lastSeconds(now: number, seconds: number): { readonly lots: bigint; readonly quoteAmount: bigint } {
    const after = Math.floor(now / 1000) - seconds;
    const rows = this.#rows;
    let lots = 0n;
    let quoteAmount = 0n;
    for (let row = rows.next - 1; row >= rows.first; row -= 1) {
      if ((rows.second[rows.slot(row)] as number) <= after) break;
      lots += rows.lots.value(row);
      quoteAmount += rows.quote.value(row);
    }
    return { lots, quoteAmount };
  }

  #open(second: number): number {
    this.#moveWindow(second - daySeconds);
    this.#letGo();
    const row = this.#rows.push(second);
    this.#peaks.push(row);
    this.#troughs.push(row);
    return row;
  }

  #count(row: number, trades: number): void {
    const slot = this.#rows.slot(row);
    this.#rows.trades[slot] = (this.#rows.trades[slot] as number) + trades;
    this.#trades += trades;
  }

  /** Widens the newest row's range to `price`. */
  #price(row: number, price: number): void {
    const rows = this.#rows;
    const slot = rows.slot(row);
    if (price > (rows.high[slot] as number)) {
      rows.high[slot] = price;
      this.#peaks.replaceWhile(row, (earlier) => (rows.high[rows.slot(earlier)] as number) <= price);
    }
    if (price < (rows.low[slot] as number)) {
      rows.low[slot] = price;
      this.#troughs.replaceWhile(row, (earlier) => (rows.low[rows.slot(earlier)] as number) >= price);
    }
  }

  /** Moves the start of the window to after a second. */
  #moveWindow(upToSecond: number): void {
    const rows = this.#rows;
    while (this.#windowFirst < rows.next && (rows.second[rows.slot(this.#windowFirst)] as number) <= upToSecond) {
      const row = this.#windowFirst;
      this.#trades -= rows.trades[rows.slot(row)] as number;
      this.#lots.subtract(rows.lots.value(row));
      this.#quote.subtract(rows.quote.value(row));
      this.#windowFirst += 1;
    }
    while (this.#windowFirst > rows.first && (rows.second[rows.slot(this.#windowFirst - 1)] as number) > upToSecond) {
      this.#windowFirst -= 1;
      const row = this.#windowFirst;
      this.#trades += rows.trades[rows.slot(row)] as number;
      this.#lots.addBig(rows.lots.value(row));
      this.#quote.addBig(rows.quote.value(row));
    }
  }

  /** Deletes the rows before the window. */
  #letGo(): void {
    const rows = this.#rows;
    while (rows.first < this.#windowFirst) {
      const row = rows.first;
      this.#priceBefore = rows.close[rows.slot(row)] as PriceTicks;
      rows.lots.forget(row);
      rows.quote.forget(row);
      this.#peaks.dropIfFirst(row);
      this.#troughs.dropIfFirst(row);
      rows.first += 1;
    }
  }
}

const firstCapacity = 16;

/** Rows `first` to `next - 1`, at most a day of them, each in slot `row % capacity` of every column. */
class SecondRows {
  first = 0;
  next = 0;
  #capacity = firstCapacity;
  second = new Uint32Array(firstCapacity);
  trades = new Uint32Array(firstCapacity);
  high = new Float64Array(firstCapacity);
  low = new Float64Array(firstCapacity);
  close = new Float64Array(firstCapacity);
  readonly lots = new SumColumn();
  readonly quote = new SumColumn();

  get count(): number {
    return this.next - this.first;
  }

  slot(row: number): number {
    return row % this.#capacity;
  }

  /** Appends a row without trades and with an empty price range. */
  push(second: number): number {
    if (this.count === this.#capacity) this.#grow();
    const row = this.next;
    const slot = this.slot(row);
    this.second[slot] = second;
    this.trades[slot] = 0;
    this.high[slot] = Number.NEGATIVE_INFINITY;
    this.low[slot] = Number.POSITIVE_INFINITY;
    this.lots.clear(row);
    this.quote.clear(row);
    this.next += 1;
    return row;
  }

  #grow(): void {
    assert(this.#capacity < daySeconds, 'a day has no more rows than seconds');
    const capacity = Math.min(2 * this.#capacity, daySeconds);
    const grown = <Column extends Uint32Array | Float64Array>(from: Column, to: Column): Column => {
      for (let row = this.first; row < this.next; row += 1) to[row % capacity] = from[this.slot(row)] as number;
      return to;
    };
    this.second = grown(this.second, new Uint32Array(capacity));
    this.trades = grown(this.trades, new Uint32Array(capacity));
    this.high = grown(this.high, new Float64Array(capacity));
    this.low = grown(this.low, new Float64Array(capacity));
    this.close = grown(this.close, new Float64Array(capacity));
    this.lots.sums = grown(this.lots.sums, new Float64Array(capacity));
    this.quote.sums = grown(this.quote.sums, new Float64Array(capacity));
    this.#capacity = capacity;
  }
}

/** An exact sum per row: a safe integer, with the overflow stored separately. */
class SumColumn {
  sums = new Float64Array(firstCapacity);
  readonly #beyond = new Map<number, bigint>();

  clear(row: number): void {
    this.sums[row % this.sums.length] = 0;
  }

  add(row: number, amount: number): void {
    const slot = row % this.sums.length;
    const sum = this.sums[slot] as number;
    if (sum + amount <= Number.MAX_SAFE_INTEGER) {
      this.sums[slot] = sum + amount;
    } else {
      this.#beyond.set(row, (this.#beyond.get(row) ?? 0n) + BigInt(sum));
      this.sums[slot] = amount;
    }
  }

  addBig(row: number, value: bigint): void {
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) this.add(row, Number(value));
    else this.#beyond.set(row, (this.#beyond.get(row) ?? 0n) + value);
  }

  value(row: number): bigint {
    const sum = BigInt(this.sums[row % this.sums.length] as number);
    return this.#beyond.size === 0 ? sum : sum + (this.#beyond.get(row) ?? 0n);
  }

  forget(row: number): void {
    if (this.#beyond.size > 0) this.#beyond.delete(row);
  }
}

/** A double-ended queue of ascending row numbers. */
class RowQueue {
  #rows: number[] = [];
  #start = 0;

  push(row: number): void {
    this.#rows.push(row);
  }

  /** The first number that is not below `row`; there must be one. */
  firstFrom(row: number): number {
    let low = this.#start;
    let high = this.#rows.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle] as number) < row) low = middle + 1;
      else high = middle;
    }
    return this.#rows[low] as number;
  }

  /** Removes numbers from the end while `covers` holds for them, then appends `row`, the newest. */
  replaceWhile(row: number, covers: (earlier: number) => boolean): void {
    while (this.#rows.length > this.#start && covers(this.#rows.at(-1) as number)) this.#rows.pop();
    this.#rows.push(row);
  }

  dropIfFirst(row: number): void {
    if (this.#rows[this.#start] !== row) return;
    this.#start += 1;
    // The removed start is released once it is the larger part.
    if (this.#start > 64 && this.#start * 2 > this.#rows.length) {
      this.#rows = this.#rows.slice(this.#start);
      this.#start = 0;
    }
  }
}
