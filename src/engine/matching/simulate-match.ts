import type { Book } from '#engine/book/book.ts';
import { buySide, isWithinLimit, opposite, type SideCode } from '#engine/book/side-code.ts';
import { fitsExecutedQuote, wantedLots } from '#engine/matching/next-fill.ts';
import { cancelsTaker, isSamePerson } from '#engine/matching/taker.ts';
import type { EngineState } from '#engine/state.ts';
import type { AccountId } from '#domain/units.ts';

/** All fills that matching would make, without changing anything. */
export interface SimulatedMatch {
  /** Lots that would trade. */
  lots: number;
  /** Their exact cost in quote units. */
  quote: number;
}

/** An order as matching would see it: what it wants, its worst price, whom it avoids. */
export interface SimulatedOrder {
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
  /** What it can give, in units of what it gives: the simulation ends once it would have to give more. */
  readonly affordable: number;
}

/**
 * Simulates matching order by order, with matching's own steps: answers the sum of all fills that matching would make,
 * or more than is affordable. Cost grows with the orders passed.
 */
export type SimulateMatch = (book: Book, order: SimulatedOrder) => SimulatedMatch;

/** Simulates matching on the books of one engine. */
export function createSimulateMatch(state: EngineState): SimulateMatch {
  const { levels, orders } = state.tables;

  /** Adds the fill with one maker to `result`; answers whether matching would go on to the next. */
  function fill(result: SimulatedMatch, order: SimulatedOrder, maker: number, book: Book, unit: number): boolean {
    const wanted = wantedLots(order.lots - result.lots, order.budget - result.quote, unit);
    if (wanted === 0) return false;
    const account = orders.account(maker);
    if (order.stp !== 0 && isSamePerson(state, order.account, account)) return !cancelsTaker(order.stp);
    const remaining = orders.remaining(maker);
    const taken = Math.min(wanted, remaining);
    if (!fitsExecutedQuote(result.quote, taken, unit)) return false;
    result.lots += taken;
    result.quote += taken * unit;
    const gives = order.side === buySide ? result.quote : result.lots * book.basePerLot;
    // A maker that keeps some stays the best: at its price nothing more is wanted.
    return taken === remaining && gives <= order.affordable;
  }

  return (book, order) => {
    const result: SimulatedMatch = { lots: 0, quote: 0 };
    book.side(opposite(order.side)).every((level) => {
      const price = levels.price(level);
      if (!isWithinLimit(order.side, price, order.limit)) return false;
      const unit = price * book.quotePerTickLot;
      return levels.queues.every(level, (maker) => fill(result, order, maker, book, unit));
    });
    return result;
  };
}
