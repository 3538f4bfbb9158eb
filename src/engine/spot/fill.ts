import { assert } from '#base/assert.ts';
import type { Lots, PriceTicks } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { isWithinLimit, opposite } from '#engine/book/side-code.ts';
import { createSettleContractFill } from '#engine/futures/settle-contract-fill.ts';
import type { Closing } from '#engine/spot/close-order.ts';
import { createEmitTrade } from '#engine/spot/emit-trade.ts';
import { emitLevelChanged } from '#engine/spot/level-change.ts';
import { createSettleFill } from '#engine/spot/settle-fill.ts';
import type { Taker } from '#engine/spot/taker.ts';
import { createAccrueRebates } from '#engine/rebates/accrue-rebates.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Executes one fill of `lots` at the maker's price: trade, postings of taker, maker and house, then the new state of
 * both orders, the close of a filled maker, and the changed level. Both sides have the lots. DEC-ORD-21.
 */
export type ExecuteFill = (book: Book, taker: Taker, maker: number, level: number, lots: number) => void;

/** Creates the fill function of one engine. */
export function createExecuteFill(state: EngineState, closeResting: Closing['closeResting']): ExecuteFill {
  const { emit, tables } = state;
  const { orders, levels } = tables;
  const emitTrade = createEmitTrade(state);
  const accrueRebates = createAccrueRebates(state);
  const settleSpotFill = createSettleFill(state, emitTrade, accrueRebates);
  const settleContractFill = createSettleContractFill(state, emitTrade, accrueRebates);

  /** Adds the fill to the taker and to its record. */
  function advanceTaker(taker: Taker, lots: number, quoteAmount: number, price: number): void {
    taker.fills += 1;
    taker.executed += lots;
    taker.executedQuote += quoteAmount;
    taker.lastFillPrice = price;
    taker.remainingBudget -= quoteAmount;
    taker.remaining -= lots;
    orders.countFill(taker.slot, lots, quoteAmount, state.at);
  }

  return (book, taker, maker, level, lots) => {
    const makerSide = opposite(taker.side);
    const price = levels.price(level);
    const quoteAmount = price * lots * book.quotePerTickLot;
    assert(lots > 0 && Number.isSafeInteger(quoteAmount), 'a fill has a size and an exact amount');
    assert(isWithinLimit(taker.side, price, taker.limit), 'a taker never trades beyond its limit');

    const settleFill = book.isContract ? settleContractFill : settleSpotFill;
    settleFill(book, taker, maker, price, lots, quoteAmount);
    if (!book.isContract) book.traded.add(state.at, lots, quoteAmount);
    advanceTaker(taker, lots, quoteAmount, price);
    book.lastPrice = price;

    emit.orderFilled(taker.slot, lots as Lots, price as PriceTicks);
    const isMakerDone = orders.remaining(maker) === lots;
    const left = isMakerDone ? tables.dequeue(book, makerSide, maker) : levels.addLots(level, -lots);
    orders.countFill(maker, lots, quoteAmount, state.at);
    emit.orderFilled(maker, lots as Lots, price as PriceTicks);
    if (isMakerDone) closeResting(maker, 'filled');
    emitLevelChanged(state, book, { side: makerSide, price, lots: left });
  };
}
