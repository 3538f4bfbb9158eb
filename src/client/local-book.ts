import type { BookLevel } from '#client/book-side.ts';
import { type BookSnapshot, BookVersions } from '#client/book-versions.ts';
import { BourseError } from '#client/bourse-error.ts';
import { channels } from '#client/channels.ts';
import type { PublicAggreDepthsV3Api } from '#client/push-types.ts';
import { isLimit, isNotTakenUp } from '#client/read-answer.ts';
import type { Rest } from '#client/rest.ts';
import type { Streams } from '#client/streams.ts';
import type { StreamSubscription } from '#client/subscription.ts';

/** How a book is kept. Each member may be left out. */
export interface BookOptions {
  /** How often changes are pushed; `100ms` by itself. */
  readonly speed?: '10ms' | '100ms' | undefined;
  /** Levels of a side that are kept, 100 to 5000; 5000 by itself. */
  readonly levels?: number | undefined;
  /** The book changed, became ready, or is no longer. */
  readonly onChange?: ((book: LocalBook) => void) | undefined;
  /** Pushes are missing: the book is not ready until it was made anew. */
  readonly onGap?: ((why: string) => void) | undefined;
}

/** What a book needs. */
interface BookParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly onClosed: () => void;
}

/** What a book went through. */
export interface BookCounts {
  readonly pushes: number;
  /** Snapshots that it was made of. */
  readonly snapshots: number;
  /** Pushes that did not follow the one before, and connections that were lost. */
  readonly gaps: number;
}

const levelsMax = 5000;
const levelsMin = 100;
/** A snapshot that is too old, or did not come. */
const snapshotPauseMs = 100;
const failurePauseMs = 1000;

/**
 * The order book of a pair, kept exact: a snapshot, the pushes that follow it, and another snapshot after every gap.
 * DEC-KIT-89.
 */
export class LocalBook {
  readonly symbol: string;
  /** Resolves once the book is ready for the first time, or was closed; rejects where the exchange refuses it. */
  readonly ready: Promise<void>;
  readonly #rest: Rest;
  readonly #options: BookOptions;
  readonly #onClosed: () => void;
  readonly #levels: number;
  readonly #book = new BookVersions();
  readonly #subscription: StreamSubscription;
  readonly #counts = { pushes: 0, snapshots: 0, gaps: 0 };
  #round = 0;
  #isClosed = false;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;

  /** Made by `book` of a client. `onClosed` hears of its end. @throws TypeError for an option that cannot be used */
  constructor({ rest, streams, onClosed }: BookParts, symbol: string, options: BookOptions) {
    const { speed = '100ms', levels = levelsMax } = options;
    if (speed !== '10ms' && speed !== '100ms') throw new TypeError('book: speed must be 10ms or 100ms');
    if (!Number.isSafeInteger(levels) || levels < levelsMin || levels > levelsMax)
      throw new TypeError(`book: levels must be a whole number from ${levelsMin} to ${levelsMax}`);
    this.symbol = symbol;
    this.#rest = rest;
    this.#options = options;
    this.#onClosed = onClosed;
    this.#levels = levels;
    this.ready = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.ready.catch(() => {});
    this.#subscription = streams.subscribe(
      channels.aggreDepth({ speed, symbol }),
      (update: PublicAggreDepthsV3Api) => this.#take(update),
      { onReady: () => this.#restart(), onGap: (why) => this.#gap(why), onRefused: (error) => this.#end(error) },
    );
  }

  /** Whether the book is certain: trade on no other. */
  get isReady(): boolean {
    return this.#book.isReady;
  }

  /** The version that it shows: `lastUpdateId` of the same book as `depth` answers it. */
  get version(): number {
    return this.#book.version;
  }

  get counts(): BookCounts {
    return { ...this.#counts };
  }

  /** The best bid; `null`: there is none. Of a book that is not ready the last one that was known. */
  get bestBid(): BookLevel | null {
    return this.#book.bids.top(1)[0] ?? null;
  }

  /** The best ask; `null`: there is none. */
  get bestAsk(): BookLevel | null {
    return this.#book.asks.top(1)[0] ?? null;
  }

  /** The best levels, best first; without `count` all that are known for certain. */
  levels(side: 'bids' | 'asks', count: number = levelsMax): readonly BookLevel[] {
    return this.#book[side].top(count);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#round += 1;
    this.#book.reset();
    this.#subscription.close();
    this.#resolve();
    this.#onClosed();
  }

  #take(update: PublicAggreDepthsV3Api): void {
    this.#counts.pushes += 1;
    const wasReady = this.#book.isReady;
    const isReady = this.#book.take(update);
    if (!wasReady) return;
    if (!isReady) {
      this.#gap('a push did not follow the one before');
      void this.#load();
      return;
    }
    if (this.#isRunningOut()) void this.#load();
    this.#changed();
  }

  /** Whether few levels are left of those that the snapshot showed, and more are behind them. */
  #isRunningOut(): boolean {
    const isShort = (side: 'bids' | 'asks'): boolean =>
      this.#book[side].isPart && this.#book[side].size < this.#levels / 2;
    if (!isShort('bids') && !isShort('asks')) return false;
    this.#book.reset();
    return true;
  }

  #gap(why: string): void {
    this.#round += 1;
    this.#counts.gaps += 1;
    if (this.#book.isReady) this.#book.reset();
    this.#options.onGap?.(why);
    this.#changed();
  }

  #restart(): void {
    this.#book.reset();
    void this.#load();
  }

  /** Asks for snapshots until one joins what was pushed. A later call ends this one. */
  async #load(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    while (round === this.#round && !this.#rest.pauses.isOver) {
      let pauseMs = snapshotPauseMs;
      try {
        const members = { symbol: this.symbol, limit: this.#levels };
        const snapshot = (await this.#rest.call('depth', members)) as BookSnapshot;
        if (round !== this.#round) return;
        if (this.#book.start(snapshot, this.#levels)) {
          this.#counts.snapshots += 1;
          this.#resolve();
          this.#changed();
          return;
        }
      } catch (error) {
        const mayPass = error instanceof BourseError && (error.isLost || isLimit(error) || isNotTakenUp(error));
        if (this.#rest.pauses.isOver) break;
        if (!mayPass && round === this.#round) {
          this.#end(error);
          return;
        }
        pauseMs = failurePauseMs;
      }
      await this.#rest.pauses.wait(pauseMs);
    }
  }

  #changed(): void {
    try {
      this.#options.onChange?.(this);
    } catch (error) {
      this.#rest.options.onError(error);
    }
  }

  /** The exchange has no such book, or no more. */
  #end(error: unknown): void {
    this.#reject(error);
    this.close();
    this.#changed();
  }
}
