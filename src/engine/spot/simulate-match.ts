import type { Book } from '#engine/book/book.ts';
import { buySide, isWithinLimit, opposite, type SideCode } from '#engine/book/side-code.ts';
import { cancelsTaker, isSameTrader } from '#engine/spot/taker.ts';
import type { EngineState } from '#engine/state/state.ts';
import type { AccountId } from '#model/units.ts';
import { fitsExecutedQuote, fillableLots } from '#engine/spot/match.ts';

/** Sum of all fills that matching would execute. */
export interface SimulatedMatch {
  /** Lots that would trade. */
  lots: number;
  /** Their exact cost in quote units. */
  quote: number;
}

/** An order as matching sees it. */
export interface SimulatedOrder {
  readonly account: AccountId;
  readonly side: SideCode;
  /** Worst price, in ticks. */
  readonly limit: number;
  /** Quantity in lots; `Infinity` if only the quote amount bounds it. */
  readonly lots: number;
  /** Greatest quote amount; `Infinity` if only the quantity bounds it. */
  readonly budget: number;
  /** Active self-trade prevention, an index into `stpModes`; 0: none. */
  readonly stp: number;
  /** Units that the account can pay; the simulation stops once the order would pay more. */
  readonly affordable: number;
}

/**
 * Simulates matching, maker by maker, with the steps of `match.ts`: returns the sum of all fills, or a sum that is more
 * than affordable. Cost grows with the number of makers visited.
 */
export type SimulateMatch = (book: Book, order: SimulatedOrder) => SimulatedMatch;

/** Creates the simulation for the books of one engine. */
export function createSimulateMatch(state: EngineState): SimulateMatch {
  const { levels, orders } = state.tables;

  /** Adds the fill with one maker to `result`; returns whether matching would continue with the next maker. */
  function fill(result: SimulatedMatch, order: SimulatedOrder, maker: number, book: Book, unit: number): boolean {
    const fillable = fillableLots(order.lots - result.lots, order.budget - result.quote, unit);
    if (fillable === 0) return false;
    const account = orders.account(maker);
    if (order.stp !== 0 && isSameTrader(state, order.account, account)) return !cancelsTaker(order.stp);
    const remaining = orders.remaining(maker);
    const taken = Math.min(fillable, remaining);
    if (!fitsExecutedQuote(result.quote, taken, unit)) return false;
    result.lots += taken;
    result.quote += taken * unit;
    const gives = order.side === buySide ? result.quote : result.lots * book.basePerLot;
    // If the maker is not filled, the taker is: nothing is left to match.
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
