import type { CloseReason } from '#model/order.ts';
import type { Book } from '#engine/book/book.ts';
import { isWithinLimit, opposite } from '#engine/book/side-code.ts';
import { createCheckFill } from '#engine/futures/settle-contract-fill.ts';
import type { Closing } from '#engine/spot/close-order.ts';
import type { ExecuteFill } from '#engine/spot/fill.ts';
import { cancelsMaker, cancelsTaker, type Taker } from '#engine/spot/taker.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * How matching ended: `done`, the taker is filled; `exhausted`, no opposing order within the limit is left; or it was
 * stopped for a reason.
 */
export type MatchEnd = 'done' | 'exhausted' | Extract<CloseReason, 'stp' | 'byExchange'>;

/** Matches a taker against the opposing side in price-time order until it is done or stopped. DEC-ORD-08. */
export type Match = (book: Book, taker: Taker) => MatchEnd;

/**
 * Lots that an order may still fill at a price: bounded by its remaining quantity and its remaining quote amount, of
 * which one may be `Infinity`. `unit`: quote units of one lot at that price. 0: the order is done.
 */
export const fillableLots = (lots: number, budget: number, unit: number): number =>
  Math.min(lots, Math.floor(budget / unit));

/** Whether the quote amount executed stays a safe integer after filling `lots` more. */
export const fitsExecutedQuote = (executedQuote: number, lots: number, unit: number): boolean =>
  executedQuote + lots * unit <= Number.MAX_SAFE_INTEGER;

/** Creates the matching function of one engine. */
export function createMatch(
  state: EngineState,
  removeResting: Closing['removeResting'],
  executeFill: ExecuteFill,
): Match {
  const { levels, orders } = state.tables;
  const checkFill = createCheckFill(state);
  return (book, taker) => {
    while (taker.remaining > 0) {
      const opposing = opposite(taker.side);
      const level = book.best(opposing);
      if (level < 0) return 'exhausted';
      const price = book.bestPrice(opposing);
      if (!isWithinLimit(taker.side, price, taker.limit)) return 'exhausted';
      const unit = price * book.quotePerTickLot;
      const fillable = fillableLots(taker.remaining, taker.remainingBudget, unit);
      if (fillable === 0) return 'done';
      const maker = levels.queues.first(level);
      if (taker.isSelfTrade(orders.account(maker))) {
        if (cancelsMaker(taker.stp)) removeResting(book, maker, 'stp');
        if (cancelsTaker(taker.stp)) return 'stp';
        continue;
      }
      const lots = Math.min(fillable, orders.remaining(maker));
      if (!fitsExecutedQuote(taker.executedQuote, lots, unit)) return 'byExchange';
      if (book.isContract) {
        const able = checkFill(book, taker, maker, price, lots);
        if (able === 'notTaker') return 'byExchange';
        if (able === 'notMaker') {
          removeResting(book, maker, 'byExchange');
          continue;
        }
      }
      executeFill(book, taker, maker, level, lots);
    }
    return 'done';
  };
}
