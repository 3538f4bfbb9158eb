/** Dropped items that are kept in memory at least, before the list is copied without them. */
const compactedFrom = 1024;

/** What happened within a time that ends now: items in the order of their times. */
export class SlidingWindow<Item extends { readonly at: number }> {
  private readonly lengthMs: number;
  private items: Item[] = [];
  private first = 0;

  /** An item is dropped once it is `lengthMs` old. */
  constructor(lengthMs: number) {
    this.lengthMs = lengthMs;
  }

  /** Number of items. */
  get count(): number {
    return this.items.length - this.first;
  }

  /** Items, oldest first. */
  all(): readonly Item[] {
    return this.items.slice(this.first);
  }

  /** Adds an item that is not older than the others. */
  add(item: Item): void {
    this.items.push(item);
  }

  /** Drops what is too old at `now` and hands each to `onDropped`, oldest first. */
  slide(now: number, onDropped: (item: Item) => void): void {
    while (this.first < this.items.length && this.items[this.first]!.at + this.lengthMs <= now) {
      onDropped(this.items[this.first]!);
      this.first += 1;
    }
    if (this.first < compactedFrom || this.first * 2 < this.items.length) return;
    this.items = this.items.slice(this.first);
    this.first = 0;
  }
}
