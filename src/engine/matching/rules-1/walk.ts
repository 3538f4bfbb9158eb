import { isWithinLimit, opposite } from '#engine/book/side-code.ts';
import { cancelsTaker, isSamePerson } from '#engine/matching/taker.ts';
import type { Walk, WalkOrder, WalkResult } from '#engine/matching/walk.ts';
import type { EngineState } from '#engine/state.ts';

/**
 * The walk of rules version 1. It ends where a level is emptied exactly, though matching goes on there: a sale by
 * amount could spend more than was checked.
 */
export function createWalkOfRules1(state: EngineState): Walk {
  const { levels, orders } = state.tables;
  const result: WalkResult = { lots: 0, quote: 0 };

  /** Takes what is wanted of `lots`; answers whether more is wanted. */
  function take(order: WalkOrder, lots: number, unit: number): boolean {
    const wanted = Math.min(order.lots - result.lots, Math.floor((order.budget - result.quote) / unit));
    const taken = Math.min(lots, wanted);
    result.lots += taken;
    result.quote += taken * unit;
    return taken < wanted;
  }

  return (book, order) => {
    result.lots = 0;
    result.quote = 0;
    book.side(opposite(order.side)).walk((level) => {
      const price = levels.price(level);
      if (!isWithinLimit(order.side, price, order.limit)) return false;
      const unit = price * book.quotePerTickLot;
      if (order.stp === 0) return take(order, levels.lots(level), unit);
      return levels.queues.every(level, (slot) => {
        const maker = orders.account(slot);
        if (!isSamePerson(state, order.account, maker)) return take(order, orders.remaining(slot), unit);
        return !cancelsTaker(order.stp);
      });
    });
    return result;
  };
}
