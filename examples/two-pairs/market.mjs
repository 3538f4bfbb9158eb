import { setTimeout as sleep } from 'node:timers/promises';
import { openStream } from '../by-hand/stream.mjs';
import { Book } from './book.mjs';

/** The books of several pairs, from one connection. */
export class Market {
  counted = { pushes: 0, gaps: 0, unseenGaps: 0, publicConnections: 0 };
  stream;
  #rest;
  #pairs;

  constructor({ rest, wsUrl, symbols }) {
    this.#rest = rest;
    this.#pairs = new Map(symbols.map((symbol) => [symbol, { symbol, book: new Book(), round: 0, heard: null }]));
    this.stream = openStream({
      url: async () => `${wsUrl}?encoding=json`,
      channels: symbols.map((symbol) => `spot@public.aggre.depth.v3.api.pb@10ms@${symbol}`),
      onSubscribed: () => {
        this.counted.publicConnections += 1;
        for (const pair of this.#pairs.values()) void this.#load(pair);
      },
      onPush: ({ symbol, publicAggreDepths }) => this.#take(this.#pairs.get(symbol), publicAggreDepths),
      onLost: () => this.#forget(),
    });
  }

  book(symbol) {
    return this.#pairs.get(symbol).book;
  }

  close() {
    this.stream.close();
    this.#forget();
  }

  /**
   * Brings a copy of a book to the version of a new snapshot, and compares them there. Null: the book was made anew
   * meanwhile.
   */
  async compare(symbol) {
    const pair = this.#pairs.get(symbol);
    const { book } = pair;
    if (!book.isReady) return null;
    const [copy, heard, { loads }] = [book.copy(), [], book];
    pair.heard = heard;
    const snapshot = await this.#snapshot(symbol);
    const isSame = () => book.isReady && book.loads === loads;
    const isBehind = () => book.version < snapshot.lastUpdateId;
    for (let waits = 0; isSame() && isBehind() && waits < 100; waits += 1) await sleep(20);
    pair.heard = null;
    if (!isSame()) return null;
    if (!isBehind()) return copy.compare(heard, snapshot);
    // The last push was lost, and none has come since to show it.
    this.counted.unseenGaps += 1;
    book.drop();
    void this.#load(pair);
    return null;
  }

  #take(pair, update) {
    this.counted.pushes += 1;
    pair.heard?.push(update);
    const wasReady = pair.book.isReady;
    if (pair.book.push(update) || !wasReady) return;
    this.counted.gaps += 1;
    void this.#load(pair);
  }

  /** Asks for snapshots until one joins the pushes, or a gap or a lost connection begins another round. */
  async #load(pair) {
    pair.round += 1;
    for (const { round } = pair; round === pair.round; await sleep(100)) {
      const snapshot = await this.#snapshot(pair.symbol).catch(({ message }) => console.error(message));
      if (snapshot && round === pair.round && pair.book.load(snapshot)) return;
    }
  }

  #forget() {
    for (const pair of this.#pairs.values()) {
      pair.round += 1; // A snapshot asked for before is of no use: pushes were lost after it.
      pair.book.drop();
    }
  }

  #snapshot(symbol) {
    return this.#rest.get('/api/v3/depth', { symbol, limit: 5000 });
  }
}
