import { assert } from '#base/assert.ts';
import type { BookVersion, Lots, PriceTicks } from '#domain/units.ts';
import type { Book } from '#engine/book/book.ts';
import type { Closing } from '#engine/matching/close-order.ts';
import { createSettlementOfRules1 } from '#engine/matching/rules-1/settlement.ts';
import { createSettlement } from '#engine/matching/settlement.ts';
import type { Taker } from '#engine/matching/taker.ts';
import { matchesByRules2 } from '#engine/rule-changes.ts';
import type { EngineState } from '#engine/state.ts';

/**
 * One match of `lots` at the maker's price: trade, postings of taker, maker and house, then the orders' new state, the
 * maker's close if it is done, and the level. The lots exist on both sides. DEC-ORD-21.
 */
export type ExecuteFill = (book: Book, maker: number, level: number, lots: number) => void;

/** Fills for one engine and its taker. */
export function createExecuteFill(state: EngineState, taker: Taker, closeOrder: Closing['closeOrder']): ExecuteFill {
  const { emit, tables, takerView, makerView } = state;
  const { orders, levels } = tables;
  const settleFill = createSettlement(state, taker);
  const settleByRules1 = createSettlementOfRules1(state, taker);

  /** Counts the fill on the taker and in its record. */
  function advanceTaker(lots: number, quoteAmount: number, price: number): void {
    taker.fills += 1;
    taker.executed += lots;
    taker.executedQuote += quoteAmount;
    taker.lastFillPrice = price;
    taker.budget -= quoteAmount;
    taker.open -= lots;
    orders.countFill(taker.slot, lots, quoteAmount, state.at);
  }

  return (book, maker, level, lots) => {
    const price = levels.price(level);
    const quoteAmount = price * lots * book.quotePerTickLot;
    assert(lots > 0 && Number.isSafeInteger(quoteAmount), 'a fill has a size and an exact amount');
    assert(taker.side === 0 ? price <= taker.limit : price >= taker.limit, 'a taker never trades beyond its limit');

    const settle = matchesByRules2(state) ? settleFill : settleByRules1;
    settle(book, maker, price, lots, quoteAmount);
    advanceTaker(lots, quoteAmount, price);
    book.lastPrice = price;

    emit.orderFilled(takerView, lots as Lots, price as PriceTicks);
    let left: number;
    if (orders.remaining(maker) === lots) {
      left = tables.dequeue(book, taker.side ^ 1, maker);
      orders.countFill(maker, lots, quoteAmount, state.at);
      emit.orderFilled(makerView, lots as Lots, price as PriceTicks);
      closeOrder(maker, 'filled', makerView);
    } else {
      left = levels.addLots(level, -lots);
      orders.countFill(maker, lots, quoteAmount, state.at);
      emit.orderFilled(makerView, lots as Lots, price as PriceTicks);
    }
    book.version += 1;
    emit.levelChanged(
      book.symbol,
      book.version as BookVersion,
      taker.side === 0 ? 'sell' : 'buy',
      price as PriceTicks,
      left as Lots,
    );
  };
}
