import type { OrderView, Side } from '#model/order.ts';
import type { BookVersion, Lots, PriceTicks } from '#model/units.ts';
import type { OrderCounts } from '#sequencer/queries/contract-queries.ts';
import { Ring } from '#market-data/ring.ts';

/** Versions whose changes are remembered. DEC-FUT-10. */
export const commitsMax = 1000;

/** One price of one side of a contract's book. */
export interface ContractLevel {
  readonly price: PriceTicks;
  /** Orders that rest there; 0: the level is gone. */
  readonly orders: number;
  readonly lots: Lots;
}

/** The level that a version of a book changed; every version changes one. */
export interface DepthCommit extends ContractLevel {
  readonly version: BookVersion;
  readonly side: Side;
}

/**
 * How many orders rest at each price of a contract, and its newest changes. An order counts at its price from its
 * acceptance until it is closed: between entries, and whenever a level changes, those are the orders that rest, because
 * a taker changes no level of its own side before it rests itself.
 */
export class ContractDepth {
  #bids = new Map<PriceTicks, number>();
  #asks = new Map<PriceTicks, number>();
  readonly #commits = new Ring<DepthCommit>(commitsMax);

  accepted({ side, price }: OrderView): void {
    const counts = this.#of(side);
    counts.set(price, (counts.get(price) ?? 0) + 1);
  }

  closed({ side, price }: OrderView): void {
    const counts = this.#of(side);
    const left = (counts.get(price) ?? 0) - 1;
    if (left === 0) counts.delete(price);
    else counts.set(price, left);
  }

  changed(version: BookVersion, side: Side, price: PriceTicks, lots: Lots): void {
    const orders = lots === 0 ? 0 : this.orders(side, price);
    this.#commits.push({ version, side, price, orders, lots });
  }

  /** Replaces the counts, between two entries. */
  load({ bids, asks }: OrderCounts): void {
    this.#bids = new Map(bids);
    this.#asks = new Map(asks);
  }

  /** Orders that rest at a price. */
  orders(side: Side, price: PriceTicks): number {
    return this.#of(side).get(price) ?? 0;
  }

  /** The newest changes since the start, newest first, one a version, without gaps. DEC-FUT-32. */
  commits(limit: number): readonly DepthCommit[] {
    return this.#commits.slice(this.#commits.length - limit, this.#commits.length).reverse();
  }

  #of(side: Side): Map<PriceTicks, number> {
    return side === 'buy' ? this.#bids : this.#asks;
  }
}
