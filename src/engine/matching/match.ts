import type { CloseReason } from '#domain/order.ts';
import type { Book } from '#engine/book/book.ts';
import type { Closing } from '#engine/matching/close-order.ts';
import type { ExecuteFill } from '#engine/matching/fill.ts';
import { fitsExecutedQuote, wantedLots } from '#engine/matching/next-fill.ts';
import { cancelsMaker, cancelsTaker, type Taker } from '#engine/matching/taker.ts';
import type { EngineState } from '#engine/state.ts';

/** How matching ended: nothing more wanted, nothing more on offer within the limit, or stopped for a reason. */
export type MatchEnd = 'done' | 'exhausted' | Extract<CloseReason, 'stp' | 'byExchange'>;

/** Matches the taker against the opposing side in price-time order until it is done or stopped. DEC-ORD-08. */
export type Match = (book: Book) => MatchEnd;

/** Matching for one engine and its taker. */
export function createMatch(
  state: EngineState,
  taker: Taker,
  removeResting: Closing['removeResting'],
  executeFill: ExecuteFill,
): Match {
  const { levels, orders } = state.tables;
  return (book) => {
    while (taker.open > 0) {
      const opposing = taker.side ^ 1;
      const level = book.best(opposing);
      if (level < 0) return 'exhausted';
      const price = book.bestPrice(opposing);
      if (taker.side === 0 ? price > taker.limit : price < taker.limit) return 'exhausted';
      const unit = price * book.quotePerTickLot;
      const wanted = wantedLots(taker.open, taker.budget, unit);
      if (wanted === 0) return 'done';
      const maker = levels.queues.first(level);
      if (taker.avoids(orders.account(maker))) {
        if (cancelsMaker(taker.stp)) removeResting(book, maker, 'stp', state.makerView);
        if (cancelsTaker(taker.stp)) return 'stp';
        continue;
      }
      const lots = Math.min(wanted, orders.remaining(maker));
      if (!fitsExecutedQuote(taker.executedQuote, lots, unit)) return 'byExchange';
      executeFill(book, maker, level, lots);
    }
    return 'done';
  };
}
