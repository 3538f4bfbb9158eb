import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Compares a local book with snapshots of GET depth. The book is seldom at a snapshot's version, because it moves from
 * push to push: levels that were pushed since then are left to the next comparison, all others must be equal.
 */
export class BookCheck {
  compared = 0;
  levels = 0;
  /** What each comparison under way heard. */
  #heard = new Set();

  constructor({ client, book, symbol }) {
    Object.assign(this, { client, book, symbol });
  }

  /** Give it every update before the book takes it. */
  note(update) {
    for (const updates of this.#heard) updates.push(update);
  }

  /** Makes one comparison. Answers what differs, as text: nothing if all is well or the book was made anew meanwhile. */
  async run() {
    const { book } = this;
    const { snapshots } = book.counts;
    const isSame = () => book.isReady && book.counts.snapshots === snapshots;
    const updates = [];
    this.#heard.add(updates);
    let snapshot;
    try {
      snapshot = await this.client.depth({ symbol: this.symbol, limit: 5000 });
      const isBehind = () => book.version < snapshot.lastUpdateId;
      for (let waits = 0; isSame() && isBehind() && waits < 200; waits += 1) await sleep(10);
    } finally {
      this.#heard.delete(updates);
    }
    const { lastUpdateId, bids, asks } = snapshot;
    if (!isSame()) return [];
    if (book.version < lastUpdateId) return [`the book stays at ${book.version}, behind ${lastUpdateId}`];
    const changed = updates.filter(({ toVersion }) => Number(toVersion) > lastUpdateId);
    const differences = [
      ...this.#compare('bids', bids, new Set(changed.flatMap((update) => update.bids.map(({ price }) => price)))),
      ...this.#compare('asks', asks, new Set(changed.flatMap((update) => update.asks.map(({ price }) => price)))),
    ];
    this.compared += 1;
    return differences;
  }

  #compare(side, levels, changed) {
    const [mine, theirs] = [new Map(this.book.levels(side)), new Map(levels)];
    const prices = [...new Set([...mine.keys(), ...theirs.keys()])].filter((price) => !changed.has(price));
    this.levels += prices.length;
    return prices
      .filter((price) => mine.get(price) !== theirs.get(price))
      .map(
        (price) => `${side} ${price}: ${mine.get(price) ?? 'nothing'} here, ${theirs.get(price) ?? 'nothing'} there`,
      );
  }
}
