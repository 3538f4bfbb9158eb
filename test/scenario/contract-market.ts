import type { ContractRules } from '#model/contract.ts';
import { as } from '#model/units.ts';
import { Book, BookTables, priceKey } from '#engine/book/book.ts';
import { bothSides, buySide, type SideCode } from '#engine/book/side-code.ts';
import type { MarkedMarket } from '#engine/futures/update-mark.ts';
import { bitcoinTerms } from '../bitcoin-contract.ts';
import { listingOf } from '../permissive-listing.ts';

/** Price in ticks and lots of a level. */
export type Level = readonly [ticks: number, lots: number];

/** BTC_USDT: contracts of 0.0001 BTC, ticks of 0.1, USDT with six decimals: 10 units per tick and lot. */
export const bitcoinRules: ContractRules = {
  ...bitcoinTerms,
  id: as(0),
  base: as(0),
  settle: as(1),
  tiers: [],
  createdAt: as(0),
};
const unitsPerTickLot = 10;
const settleScale = 6;

/** A contract's book without orders, whose levels are set by hand. */
export class ContractMarket implements MarkedMarket {
  rules: ContractRules;
  readonly book: Book;
  readonly settleScale = settleScale;
  private readonly tables = new BookTables();

  constructor(rules: Partial<ContractRules> = {}) {
    this.rules = { ...bitcoinRules, ...rules };
    const { name, priceDecimals } = this.rules;
    const listing = { ...listingOf({ name, priceDecimals, quantityDecimals: 0 }), id: this.rules.id };
    this.book = new Book(listing, unitsPerTickLot, 0, this.tables);
  }

  get levels(): MarkedMarket['levels'] {
    return this.tables.levels;
  }

  /** Replaces all levels, and the last price unless it is `null`. */
  quote(bids: readonly Level[], asks: readonly Level[], last: number | null = null): this {
    for (const side of bothSides) {
      this.clear(side);
      for (const [ticks, lots] of side === buySide ? bids : asks) {
        const level = this.levels.open(ticks);
        this.levels.addLots(level, lots);
        this.book.side(side).insert(priceKey(side, ticks), level);
      }
    }
    if (last !== null) this.book.lastPrice = last;
    return this;
  }

  private clear(side: SideCode): void {
    for (let level = this.book.best(side); level >= 0; level = this.book.best(side)) {
      this.book.side(side).remove(this.book.bestKey(side));
      this.levels.close(level);
    }
  }
}
