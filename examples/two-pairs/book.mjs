/** The order book of a pair. Reads no network. Prices and quantities stay text, as they came. */
export class Book {
  version = 0;
  isReady = false;
  /** How many snapshots it was made from. */
  loads = 0;
  #sides = { bids: new Map(), asks: new Map() };
  #kept = [];
  #isJoined = false;

  /** Nothing is certain until the next snapshot. */
  drop() {
    this.isReady = false;
    this.#kept = [];
  }

  /** Takes a push. False: something is missing in front of it; it is kept for the next snapshot. */
  push(update) {
    if (this.isReady && this.#apply(update)) return true;
    if (this.isReady) this.drop();
    this.#kept.push(update);
    return false;
  }

  /** Takes a snapshot and what was kept. False: it is too old, or something is missing after it. */
  load({ lastUpdateId, bids, asks }) {
    const kept = this.#kept.filter(({ toVersion }) => Number(toVersion) > lastUpdateId);
    if (kept.length > 0 && Number(kept[0].fromVersion) > lastUpdateId + 1) return false;
    this.#sides = { bids: new Map(bids), asks: new Map(asks) };
    [this.#kept, this.#isJoined, this.isReady, this.version] = [[], false, true, lastUpdateId];
    this.loads += 1;
    for (const update of kept) this.push(update);
    return this.isReady;
  }

  copy() {
    const copy = new Book();
    copy.load({ lastUpdateId: this.version, ...this.#sides });
    return copy;
  }

  /** The levels of `bids` or `asks`, best first, as [price, quantity]. */
  levels(side) {
    return [...this.#sides[side]].sort(([one], [other]) => (side === 'bids' ? other - one : one - other));
  }

  /**
   * Goes on to the version of a snapshot, by the pushes that came meanwhile, and compares all levels there: how many,
   * and what differs. A push that covers versions on both sides of the snapshot does not tell which level changed when:
   * its levels are left out.
   */
  compare(pushes, { lastUpdateId, ...snapshot }) {
    const unclear = new Set();
    for (const update of pushes) {
      const changed = [...update.bids, ...update.asks];
      if (Number(update.toVersion) <= lastUpdateId) this.push(update);
      else if (Number(update.fromVersion) <= lastUpdateId) for (const { price } of changed) unclear.add(price);
    }
    const result = { levels: 0, different: [] };
    for (const side of ['bids', 'asks']) {
      const [mine, theirs] = [this.#sides[side], new Map(snapshot[side])];
      for (const price of new Set([...mine.keys(), ...theirs.keys()])) {
        if (unclear.has(price)) continue;
        result.levels += 1;
        const [here, there] = [mine.get(price) ?? 'nothing', theirs.get(price) ?? 'nothing'];
        if (here !== there) result.different.push(`${lastUpdateId}, ${side} ${price}: ${here} here, ${there} there`);
      }
    }
    return result;
  }

  #apply(update) {
    const [from, to] = [Number(update.fromVersion), Number(update.toVersion)];
    if (!this.#isJoined && to <= this.version) return true; // The snapshot has it already.
    // The first push may begin before the snapshot, because quantities are what is there now. Later ones must follow.
    if (this.#isJoined ? from !== this.version + 1 : from > this.version + 1) return false;
    [this.version, this.#isJoined] = [to, true];
    for (const side of ['bids', 'asks'])
      for (const { price, quantity } of update[side])
        if (quantity === '0') this.#sides[side].delete(price);
        else this.#sides[side].set(price, quantity);
    return true;
  }
}
