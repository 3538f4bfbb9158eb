import type { DepthLevel, DepthPush } from '#web/data/streams/pushes.ts';

/** A book as REST answers it. */
export interface DepthSnapshot {
  readonly lastUpdateId: number;
  readonly bids: readonly (readonly [price: string, quantity: string])[];
  readonly asks: readonly (readonly [price: string, quantity: string])[];
}

/** Pushes that are kept while a snapshot is on its way. */
const waitingMax = 2000;

/**
 * A book made of a snapshot and of the changes since: equal to that of the exchange at every version. A gap between
 * changes is told, and the book asks for a new snapshot. DEC-WEB-07.
 */
export class LocalBook {
  private readonly bids = new Map<string, string>();
  private readonly asks = new Map<string, string>();
  private waiting: DepthPush[] = [];
  /** `null`: no snapshot yet. */
  private lastVersion: number | null = null;

  /** Version of the book; `null` while it is not known. */
  get version(): number | null {
    return this.lastVersion;
  }

  /** Takes the book as it was at a version, and the changes that came since. Answers whether it has no gap. */
  start({ lastUpdateId, bids, asks }: DepthSnapshot): boolean {
    this.bids.clear();
    this.asks.clear();
    for (const [price, quantity] of bids) this.bids.set(price, quantity);
    for (const [price, quantity] of asks) this.asks.set(price, quantity);
    this.lastVersion = lastUpdateId;
    const { waiting } = this;
    this.waiting = [];
    return waiting.every((push) => this.change(push));
  }

  /** Takes changes. Answers whether they follow the ones before; if not, the book is unknown until it starts again. */
  change(push: DepthPush): boolean {
    if (this.lastVersion === null) {
      this.waiting.push(push);
      if (this.waiting.length > waitingMax) this.waiting.shift();
      return true;
    }
    const to = Number(push.toVersion);
    if (to <= this.lastVersion) return true;
    if (Number(push.fromVersion) > this.lastVersion + 1) {
      this.stop();
      this.waiting.push(push);
      return false;
    }
    apply(this.bids, push.bids);
    apply(this.asks, push.asks);
    this.lastVersion = to;
    return true;
  }

  /** Forgets the book, because changes may be missed from now on. */
  stop(): void {
    this.lastVersion = null;
    this.waiting = [];
    this.bids.clear();
    this.asks.clear();
  }

  /** The best levels of a side, price and quantity in turn in units of 10 to the power of minus the decimals. */
  levels(side: 'bids' | 'asks', count: number, priceDecimals: number, quantityDecimals: number): Float64Array {
    const priceUnit = 10 ** priceDecimals;
    const quantityUnit = 10 ** quantityDecimals;
    const all = [...this[side]].map(([price, quantity]): [number, number] => [
      Math.round(Number(price) * priceUnit),
      Math.round(Number(quantity) * quantityUnit),
    ]);
    all.sort(side === 'bids' ? (one, other) => other[0] - one[0] : (one, other) => one[0] - other[0]);
    return Float64Array.from(all.slice(0, count).flat());
  }
}

function apply(side: Map<string, string>, levels: readonly DepthLevel[]): void {
  for (const { price, quantity } of levels) {
    if (Number(quantity) === 0) side.delete(price);
    else side.set(price, quantity);
  }
}
