import { type BookLevel, BookSide } from '#client/book-side.ts';
import type { PublicAggreDepthsV3Api } from '#client/push-types.ts';

/** A book as `depth` answers it. */
export interface BookSnapshot {
  readonly lastUpdateId: number;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

type Update = Pick<PublicAggreDepthsV3Api, 'fromVersion' | 'toVersion' | 'bids' | 'asks'>;

/** Pushes that wait for a snapshot, at most: so many are worth a minute and more. */
const waitingMax = 10_000;

/**
 * A book of a snapshot and the pushes that follow it without a gap. It reads no network: it is fed with `take` and
 * `start`. DEC-KIT-89.
 */
export class BookVersions {
  readonly bids: BookSide = new BookSide('bids');
  readonly asks: BookSide = new BookSide('asks');
  #version = 0;
  #isReady = false;
  #waiting: Update[] = [];
  /** The first push after a snapshot may begin before it. */
  #isFirst = false;

  /** Counts the changed levels of the pair: of what the book shows. */
  get version(): number {
    return this.#version;
  }

  /** Whether the book is certain. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** A new subscription begins: what is known is old. */
  reset(): void {
    this.#isReady = false;
    this.#waiting = [];
  }

  /** Takes a push. False: there is a gap, or no snapshot yet; pushes are kept until `start`. */
  take(update: Update): boolean {
    if (this.#isReady && !this.#apply(update)) this.reset();
    if (!this.#isReady) {
      // The oldest are what the next snapshot has already.
      if (this.#waiting.length === waitingMax) this.#waiting = this.#waiting.slice(waitingMax / 2);
      this.#waiting.push(update);
    }
    return this.#isReady;
  }

  /**
   * Takes a snapshot, then the pushes that waited. `levelsMax`: how many levels of a side it shows at most. False: it
   * does not join them, a newer one is needed.
   */
  start({ lastUpdateId, bids, asks }: BookSnapshot, levelsMax: number): boolean {
    const later = this.#waiting.filter(({ toVersion }) => Number(toVersion) > lastUpdateId);
    if (later[0] !== undefined && Number(later[0].fromVersion) > lastUpdateId + 1) return false;
    this.#version = lastUpdateId;
    this.bids.start(bids, bids.length >= levelsMax);
    this.asks.start(asks, asks.length >= levelsMax);
    this.#isFirst = true;
    this.#isReady = true;
    this.#waiting = [];
    // A gap among those that waited ends it again, and keeps what came after the gap.
    for (const update of later) this.take(update);
    return this.#isReady;
  }

  /** False: something is missing between the book and this push. */
  #apply({ fromVersion, toVersion, bids, asks }: Update): boolean {
    const [from, to] = [Number(fromVersion), Number(toVersion)];
    // Before the snapshot: it is in there already.
    if (this.#isFirst && to <= this.#version) return true;
    const joins = this.#isFirst ? from <= this.#version + 1 : from === this.#version + 1;
    if (!joins) return false;
    this.#isFirst = false;
    this.#version = to;
    for (const { price, quantity } of bids) this.bids.change(price, quantity);
    for (const { price, quantity } of asks) this.asks.change(price, quantity);
    return true;
  }
}
