import type { Book } from '#engine/book/book.ts';
import { buySide, isWithinLimit, opposite, type SideCode } from '#engine/book/side-code.ts';
import { fitsExecutedQuote, wantedLots } from '#engine/matching/next-fill.ts';
import { cancelsTaker, isSamePerson } from '#engine/matching/taker.ts';
import type { EngineState } from '#engine/state.ts';
import type { AccountId } from '#domain/units.ts';

/** What a walk through the opposing side would meet, without changing anything. */
export interface WalkResult {
  /** Lots that would trade. */
  lots: number;
  /** Their exact cost in quote units. */
  quote: number;
}

/** An order as it would meet the book: what it wants, how far it goes, whom it avoids. */
export interface WalkOrder {
  readonly account: AccountId;
  readonly side: SideCode;
  /** Worst price. */
  readonly limit: number;
  /** Lots wanted; `Infinity` when only the budget bounds it. */
  readonly lots: number;
  /** Quote amount at most; `Infinity` when only the quantity bounds it. */
  readonly budget: number;
  /** Active prevention, index into `stpModes`. */
  readonly stp: number;
  /** What it can give, in units of what it gives: the walk ends once it would have to give more. */
  readonly affordable: number;
}

/**
 * Walks the opposing side order by order, as matching does: what it answers is the sum of all fills that matching would
 * make, or more than is affordable. Answers one reused object; cost grows with the orders passed.
 */
export type Walk = (book: Book, order: WalkOrder) => WalkResult;

/** Walks through the books of one engine. */
export function createWalk(state: EngineState): Walk {
  const { levels, orders } = state.tables;
  const result: WalkResult = { lots: 0, quote: 0 };

  /** Takes from one maker; answers whether matching would go on to the next. */
  function take(order: WalkOrder, maker: number, unit: number, basePerLot: number): boolean {
    const wanted = wantedLots(order.lots - result.lots, order.budget - result.quote, unit);
    if (wanted === 0) return false;
    const account = orders.account(maker);
    if (order.stp !== 0 && isSamePerson(state, order.account, account)) return !cancelsTaker(order.stp);
    const remaining = orders.remaining(maker);
    const taken = Math.min(wanted, remaining);
    if (!fitsExecutedQuote(result.quote, taken, unit)) return false;
    result.lots += taken;
    result.quote += taken * unit;
    const gives = order.side === buySide ? result.quote : result.lots * basePerLot;
    // A maker that keeps some stays the best: at its price nothing more is wanted.
    return taken === remaining && gives <= order.affordable;
  }

  return (book, order) => {
    result.lots = 0;
    result.quote = 0;
    book.side(opposite(order.side)).walk((level) => {
      const price = levels.price(level);
      if (!isWithinLimit(order.side, price, order.limit)) return false;
      const unit = price * book.quotePerTickLot;
      return levels.queues.every(level, (maker) => take(order, maker, unit, book.basePerLot));
    });
    return result;
  };
}
