import type { Side } from '#model/order.ts';
import type { BookVersion, Lots, PriceTicks } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { BookImage } from '#sequencer/queries/exchange-queries.ts';

/** One price of one side. */
export interface DepthLevel {
  readonly price: PriceTicks;
  readonly lots: Lots;
}

/** Best price and quantity of both sides; `null` for an empty one. */
export interface BestPrices {
  /** `null`: the side is empty. */
  readonly bid: DepthLevel | null;
  readonly ask: DepthLevel | null;
}

interface Level {
  price: PriceTicks;
  lots: Lots;
  /** `["price","lots"]`, printed when first asked for. */
  text: string | null;
}

interface Change {
  readonly version: BookVersion;
  readonly side: Side;
  readonly price: PriceTicks;
  readonly lots: Lots;
}

/** Changes buffered until a book is loaded; beyond this the oldest are dropped, and a newer book is needed. */
const waitingChangesMax = 4096;

/**
 * The levels of one symbol, folded from its `levelChanged` events by version. Changes up to the book's version are
 * ignored, the next version is applied, a later one means that changes are missing: from then on changes are buffered
 * until `load` gets a book that they continue.
 */
export class DepthBook {
  #version = as<BookVersion>(0);
  /** Worst first, so that changes near the best price move few entries. */
  #bids: Level[] = [];
  #asks: Level[] = [];
  /** Buffered changes; `null` while no change is missing. */
  #waiting: Change[] | null = null;

  get version(): BookVersion {
    return this.#version;
  }

  /** Whether no change is missing. */
  get complete(): boolean {
    return this.#waiting === null;
  }

  change(version: BookVersion, side: Side, price: PriceTicks, lots: Lots): void {
    if (this.#waiting === null) {
      if (version <= this.#version) return;
      if (version === this.#version + 1) {
        this.#version = version;
        setLevel(side === 'buy' ? this.#bids : this.#asks, side === 'buy' ? 1 : -1, price, lots);
        return;
      }
      this.#waiting = [];
    }
    this.#waiting.push({ version, side, price, lots });
    if (this.#waiting.length > waitingChangesMax) this.#waiting.shift();
  }

  /** Replaces the book. False: changes after this book are missing, load a newer one. */
  load(image: BookImage): boolean {
    if (this.#waiting === null && image.version <= this.#version) return true;
    const changes = (this.#waiting ?? []).filter((change) => change.version > image.version);
    this.#version = image.version;
    this.#bids = image.bids.map(levelOf).reverse();
    this.#asks = image.asks.map(levelOf).reverse();
    this.#waiting = null;
    for (const change of changes) this.change(change.version, change.side, change.price, change.lots);
    return this.complete;
  }

  best(): BestPrices {
    return { bid: copyOf(this.#bids.at(-1)), ask: copyOf(this.#asks.at(-1)) };
  }

  /** At most `limit` levels a side, best first. */
  image(limit: number): BookImage {
    return { version: this.#version, bids: bestPairs(this.#bids, limit), asks: bestPairs(this.#asks, limit) };
  }

  /** The body of GET /api/v3/depth. `print` gives one level as `["price","lots"]`, kept until the level changes. */
  text(limit: number, print: (price: PriceTicks, lots: Lots) => string): string {
    const bids = bestTexts(this.#bids, limit, print);
    return `{"lastUpdateId":${this.#version},"bids":[${bids}],"asks":[${bestTexts(this.#asks, limit, print)}]}`;
  }
}

/** `order` is 1 for levels that ascend in price and -1 for levels that descend. */
function setLevel(levels: Level[], order: 1 | -1, price: PriceTicks, lots: Lots): void {
  let low = 0;
  let high = levels.length;
  // Most changes happen at the best prices, which are last.
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (((levels[middle] as Level).price - price) * order < 0) low = middle + 1;
    else high = middle;
  }
  const found = levels[low];
  if (found === undefined || found.price !== price) {
    if (lots !== 0) levels.splice(low, 0, { price, lots, text: null });
  } else if (lots === 0) {
    levels.splice(low, 1);
  } else {
    found.lots = lots;
    found.text = null;
  }
}

const levelOf = ([price, lots]: readonly [PriceTicks, Lots]): Level => ({ price, lots, text: null });
const copyOf = (level: Level | undefined): DepthLevel | null =>
  level === undefined ? null : { price: level.price, lots: level.lots };

function bestPairs(levels: readonly Level[], limit: number): (readonly [PriceTicks, Lots])[] {
  const pairs: (readonly [PriceTicks, Lots])[] = [];
  for (let index = levels.length - 1; index >= 0 && pairs.length < limit; index -= 1) {
    const level = levels[index] as Level;
    pairs.push([level.price, level.lots]);
  }
  return pairs;
}

function bestTexts(levels: readonly Level[], limit: number, print: (price: PriceTicks, lots: Lots) => string): string {
  const until = Math.max(0, levels.length - limit);
  const texts: string[] = [];
  for (let index = levels.length - 1; index >= until; index -= 1) {
    const level = levels[index] as Level;
    level.text ??= print(level.price, level.lots);
    texts.push(level.text);
  }
  return texts.join(',');
}
