import { orderWord, doublesShift, orderDouble, wordsShift } from '#engine/book/order-table.ts';
import type { Book } from '#engine/book/book.ts';
import { cancelsTaker, isSamePerson } from '#engine/matching/taker.ts';
import type { EngineState } from '#engine/state.ts';
import type { AccountId } from '#domain/units.ts';

/** What a walk through the opposing side would meet, without changing anything. */
export interface WalkResult {
  /** Lots that would trade. */
  lots: number;
  /** Their exact cost in quote units. */
  quote: number;
  /** Whether prevention stood in the way of some liquidity. */
  prevented: boolean;
}

/** An order as it would meet the book: what it wants, how far it goes, whom it avoids. */
export interface WalkOrder {
  readonly account: AccountId;
  /** 0 buys, 1 sells. */
  readonly side: number;
  /** Worst price. */
  readonly limit: number;
  /** Lots wanted; `Infinity` when only the budget bounds it. */
  readonly lots: number;
  /** Quote amount at most; `Infinity` when only the quantity bounds it. */
  readonly budget: number;
  /** Active prevention, index into `stpModes`. */
  readonly stp: number;
}

/** Walks the opposing side as matching would. Answers one reused object; cost grows with the orders passed. */
export type Walk = (book: Book, order: WalkOrder) => WalkResult;

/** Walks through the books of one engine. */
export function createWalk(state: EngineState): Walk {
  const { levels, orders } = state.tables;
  const result: WalkResult = { lots: 0, quote: 0, prevented: false };

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
    result.prevented = false;
    book.side(order.side ^ 1).walk((level) => {
      const price = levels.price(level);
      if (order.side === 0 ? price > order.limit : price < order.limit) return false;
      const unit = price * book.quotePerTickLot;
      if (order.stp === 0) return take(order, levels.lots(level), unit);
      return levels.queues.every(level, (slot) => {
        const maker = orders.words[(slot << wordsShift) | orderWord.account]! as AccountId;
        if (!isSamePerson(state, order.account, maker))
          return take(order, orders.doubles[(slot << doublesShift) | orderDouble.open]!, unit);
        result.prevented = true;
        return !cancelsTaker(order.stp);
      });
    });
    return result;
  };
}
