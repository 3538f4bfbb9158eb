/**
 * An order book kept from a snapshot and pushes of changed levels. Reads no network: feed it with `take` and `start`.
 * Prices and quantities stay text, because text is exact.
 */
export class LocalBook {
  /** Version of the book; counts the changed levels of the pair. */
  version = 0;
  isReady = false;
  /** How many snapshots it was made from. */
  loads = 0;
  #sides = { bids: new Map(), asks: new Map() };
  #waiting = [];
  /** The first push after a snapshot may begin before it. */
  #isFirst = false;

  /** Forgets everything: a new subscription begins. */
  reset() {
    this.isReady = false;
    this.#waiting = [];
  }

  /** Takes the content of a push. False: there is a gap, or no snapshot yet; pushes are kept until `start`. */
  take(update) {
    if (this.isReady && !this.#apply(update)) this.reset();
    if (!this.isReady) this.#waiting.push(update);
    return this.isReady;
  }

  /** Takes a snapshot, then the pushes that waited. False: it is too old to join them, a newer one is needed. */
  start({ lastUpdateId, bids, asks }) {
    const later = this.#waiting.filter(({ toVersion }) => Number(toVersion) > lastUpdateId);
    if (later.length > 0 && Number(later[0].fromVersion) > lastUpdateId + 1) return false;
    this.version = lastUpdateId;
    this.#sides = { bids: new Map(bids), asks: new Map(asks) };
    this.#isFirst = true;
    this.isReady = true;
    this.loads += 1;
    this.#waiting = [];
    // A gap among those that waited ends it again, and keeps what came after the gap.
    for (const update of later) this.take(update);
    return this.isReady;
  }

  /** The best levels of `bids` or `asks`, best first, as [price, quantity]. */
  top(side, count) {
    const sign = side === 'bids' ? -1 : 1;
    return [...this.#sides[side]].sort(([one], [other]) => (one - other) * sign).slice(0, count);
  }

  /** False: something is missing between the book and this update. */
  #apply({ fromVersion, toVersion, bids, asks }) {
    const [from, to] = [Number(fromVersion), Number(toVersion)];
    // Before the snapshot: it is in there already.
    if (this.#isFirst && to <= this.version) return true;
    const joins = this.#isFirst ? from <= this.version + 1 : from === this.version + 1;
    if (!joins) return false;
    this.#isFirst = false;
    this.version = to;
    this.#change(this.#sides.bids, bids);
    this.#change(this.#sides.asks, asks);
    return true;
  }

  /** Quantities are what is left at a price, not what was added; 0 removes the level. */
  #change(levels, changed) {
    for (const { price, quantity } of changed) {
      if (quantity === '0') levels.delete(price);
      else levels.set(price, quantity);
    }
  }
}
