import type { ReadPush } from './push-reader.ts';

/** A book as GET /api/v3/depth answers it. */
export interface RestDepth {
  readonly lastUpdateId: number;
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
}

interface Update {
  readonly from: number;
  readonly to: number;
  readonly bids: readonly { readonly price: string; readonly quantity: string }[];
  readonly asks: readonly { readonly price: string; readonly quantity: string }[];
}

/**
 * An order book kept by a client, exactly by the steps of DEC-STR-20. Knows nothing but what came over the
 * wire.
 */
export class LocalBook {
  version = 0;
  restarts = 0;
  private bids = new Map<string, string>();
  private asks = new Map<string, string>();
  private waiting: Update[] = [];
  private isReady = false;
  /** The first message behind a snapshot may begin before it: quantities are absolute. */
  private isFirst = false;

  /** Takes a push of the channel aggre.depth. True: a snapshot has to be fetched. */
  take({ body }: ReadPush): boolean {
    if (body.case !== 'publicAggreDepths') throw new Error(`a push of ${body.case}`);
    const { fromVersion, toVersion, bids, asks } = body.value;
    const update = { from: Number(fromVersion), to: Number(toVersion), bids, asks };
    if (!this.isReady) this.waiting.push(update);
    else this.follow(update);
    return !this.isReady;
  }

  /** Takes a snapshot. False: it is older than what waits, another one is needed. */
  start(snapshot: RestDepth): boolean {
    const later = this.waiting.filter(({ to }) => to > snapshot.lastUpdateId);
    if (later.length > 0 && (later[0] as Update).from > snapshot.lastUpdateId + 1) return false;
    this.version = snapshot.lastUpdateId;
    this.bids = new Map(snapshot.bids);
    this.asks = new Map(snapshot.asks);
    this.isReady = true;
    this.waiting = [];
    this.isFirst = true;
    for (const update of later) this.follow(update);
    return true;
  }

  get isFollowing(): boolean {
    return this.isReady;
  }

  depth(limit: number): RestDepth {
    const sorted = (side: Map<string, string>, sign: 1 | -1) =>
      [...side].sort(([one], [other]) => (Number(one) - Number(other)) * sign).slice(0, limit);
    return { lastUpdateId: this.version, bids: sorted(this.bids, -1), asks: sorted(this.asks, 1) };
  }

  private follow(update: Update): void {
    if (this.isFirst && update.to <= this.version) return;
    if (update.from === this.version + 1 || (this.isFirst && update.from <= this.version)) {
      this.isFirst = false;
      this.apply(update);
      return;
    }
    this.isReady = false;
    this.restarts += 1;
    this.waiting = [update];
  }

  private apply({ to, bids, asks }: Update): void {
    this.version = to;
    for (const [side, levels] of [
      [this.bids, bids],
      [this.asks, asks],
    ] as const) {
      for (const { price, quantity } of levels) {
        if (quantity === '0') side.delete(price);
        else side.set(price, quantity);
      }
    }
  }
}
