/** How much may wait. */
export interface FairQueueBounds {
  readonly perOwnerMax: number;
  readonly totalMax: number;
}

/**
 * A queue that is fair by owner: owners take turns, the items of one come in their order. So whoever brings little is
 * served soon, however much others brought before.
 */
export class FairQueue<Item> {
  readonly #bounds: FairQueueBounds;
  /** Owners with items, the next one first. */
  readonly #byOwner = new Map<string, Item[]>();
  #size = 0;

  constructor(bounds: FairQueueBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /** False: as much as may waits already, of this owner or of all. */
  add(owner: string, item: Item): boolean {
    const items = this.#byOwner.get(owner);
    if (this.#size >= this.#bounds.totalMax || (items?.length ?? 0) >= this.#bounds.perOwnerMax) return false;
    if (items === undefined) this.#byOwner.set(owner, [item]);
    else items.push(item);
    this.#size += 1;
    return true;
  }

  /** The next item, of the owner whose turn it is. */
  take(): Item | undefined {
    for (const [owner, items] of this.#byOwner) {
      const item = items.shift() as Item;
      this.#byOwner.delete(owner);
      if (items.length > 0) this.#byOwner.set(owner, items);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }
}
