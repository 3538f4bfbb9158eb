/** A ring buffer of the newest `size` items, oldest first. Memory grows with use, up to `size`. */
export class Ring<Item> {
  readonly #size: number;
  readonly #items: Item[] = [];
  /** Index of the oldest item once the ring is full. */
  #start = 0;
  /** Whether an item was ever evicted. */
  dropped = false;

  constructor(size: number) {
    this.#size = size;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Answers the evicted item, if any. */
  push(item: Item): Item | undefined {
    if (this.#items.length < this.#size) {
      this.#items.push(item);
      return undefined;
    }
    const oldest = this.#items[this.#start];
    this.#items[this.#start] = item;
    this.#start = (this.#start + 1) % this.#size;
    this.dropped = true;
    return oldest;
  }

  /** `index` counts from 0, the oldest. */
  at(index: number): Item | undefined {
    return this.#items[(this.#start + index) % this.#size];
  }

  newest(): Item | undefined {
    return this.length === 0 ? undefined : this.at(this.length - 1);
  }

  /** Items from `from` up to, not including, `to`. */
  slice(from: number, to: number): Item[] {
    const items: Item[] = [];
    for (let index = Math.max(0, from); index < Math.min(to, this.length); index += 1)
      items.push(this.at(index) as Item);
    return items;
  }
}
