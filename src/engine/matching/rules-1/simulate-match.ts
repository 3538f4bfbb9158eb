import { isWithinLimit, opposite } from '#engine/book/side-code.ts';
import { cancelsTaker, isSameTrader } from '#engine/matching/taker.ts';
import type { SimulateMatch, SimulatedOrder, SimulatedMatch } from '#engine/matching/simulate-match.ts';
import type { EngineState } from '#engine/state.ts';

/**
 * Creates the simulation of rules version 1. It ends at a level that is emptied exactly, where matching continues: a
 * sale by quote amount could use more than was checked.
 */
export function createSimulateMatchOfRules1(state: EngineState): SimulateMatch {
  const { levels, orders } = state.tables;
  /** Adds what the order may fill of `lots` to `result`; returns whether it may fill more. */
  function take(result: SimulatedMatch, order: SimulatedOrder, lots: number, unit: number): boolean {
    const fillable = Math.min(order.lots - result.lots, Math.floor((order.budget - result.quote) / unit));
    const taken = Math.min(lots, fillable);
    result.lots += taken;
    result.quote += taken * unit;
    return taken < fillable;
  }

  return (book, order) => {
    const result: SimulatedMatch = { lots: 0, quote: 0 };
    book.side(opposite(order.side)).every((level) => {
      const price = levels.price(level);
      if (!isWithinLimit(order.side, price, order.limit)) return false;
      const unit = price * book.quotePerTickLot;
      if (order.stp === 0) return take(result, order, levels.lots(level), unit);
      return levels.queues.every(level, (slot) => {
        const maker = orders.account(slot);
        if (!isSameTrader(state, order.account, maker)) return take(result, order, orders.remaining(slot), unit);
        return !cancelsTaker(order.stp);
      });
    });
    return result;
  };
}
