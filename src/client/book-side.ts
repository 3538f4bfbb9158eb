/** A level: price and quantity, as the exchange writes them. */
export type BookLevel = readonly [price: string, quantity: string];

/**
 * Which of two decimals is greater: above zero the first, below zero the second. Exact; both are without sign, leading
 * zeros and zeros at the end, as all that the exchange writes.
 */
export function compareDecimals(one: string, other: string): number {
  const [whole = '', fraction = ''] = one.split('.');
  const [otherWhole = '', otherFraction = ''] = other.split('.');
  if (whole.length !== otherWhole.length) return whole.length - otherWhole.length;
  if (whole !== otherWhole) return whole < otherWhole ? -1 : 1;
  if (fraction === otherFraction) return 0;
  return fraction < otherFraction ? -1 : 1;
}

/** Levels of one side of a book, best first. */
export class BookSide {
  readonly #sign: 1 | -1;
  #levels: BookLevel[] = [];
  /** The last price that is known for certain; `null`: all are. */
  #reach: string | null = null;

  constructor(side: 'bids' | 'asks') {
    this.#sign = side === 'bids' ? -1 : 1;
  }

  get size(): number {
    return this.#levels.length;
  }

  /** Whether there are levels beyond those that are known. */
  get isPart(): boolean {
    return this.#reach !== null;
  }

  /** The best levels, best first; `count`: how many at most. */
  top(count: number): readonly BookLevel[] {
    return this.#levels.slice(0, count);
  }

  /** Takes a snapshot, best first. `isPart`: there may be more levels than it shows. */
  start(levels: readonly BookLevel[], isPart: boolean): void {
    this.#levels = levels.map(([price, quantity]) => [price, quantity]);
    this.#reach = isPart ? (levels.at(-1)?.[0] ?? null) : null;
  }

  /** Changes a level: the quantity is what is there now, 0 removes it. What is beyond the known levels is left out. */
  change(price: string, quantity: string): void {
    if (this.#reach !== null && compareDecimals(price, this.#reach) * this.#sign > 0) return;
    const at = this.#placeOf(price);
    const isThere = this.#levels[at]?.[0] === price;
    if (quantity !== '0') this.#levels.splice(at, isThere ? 1 : 0, [price, quantity]);
    else if (isThere) this.#levels.splice(at, 1);
  }

  /** Where a price stands, or would. */
  #placeOf(price: string): number {
    let [from, to] = [0, this.#levels.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (compareDecimals((this.#levels[middle] as BookLevel)[0], price) * this.#sign < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
