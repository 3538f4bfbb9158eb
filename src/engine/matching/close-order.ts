import type { CloseReason } from '#domain/order.ts';
import type { BookVersion, Lots, PriceTicks } from '#domain/units.ts';
import type { Book } from '#engine/book/book.ts';
import type { OrderCursor } from '#engine/book/order-cursor.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { unlinkOpen } from '#engine/matching/open-orders.ts';
import type { EngineState } from '#engine/state.ts';

/** How orders end. */
export interface Closing {
  /**
   * Ends an order that stands in no queue (any more): what its hold still covers goes back, it leaves its account's
   * list, the event tells its final state, and its record stays only as long as its client id is kept.
   */
  closeOrder(slot: number, reason: CloseReason, view: OrderCursor): void;
  /** Takes a resting order off its book and ends it. */
  removeResting(book: Book, slot: number, reason: CloseReason, view: OrderCursor): void;
}

/** How the orders of one engine end. */
export function createClosing(state: EngineState): Closing {
  const { tables, ledger, emit } = state;
  const { orders } = tables;

  function closeOrder(slot: number, reason: CloseReason, view: OrderCursor): void {
    closeHold(slot);
    const line = orders.accountLine(slot);
    if (line >= 0) unlinkOpen(state, slot, line);
    orders.close(slot, reason, state.at);
    emit.orderClosed(view.at(slot));
    tables.release(slot, line >= 0, state.at);
  }

  function closeHold(slot: number): void {
    const hold = orders.hold(slot);
    if (hold === noHold) return;
    ledger.closeHold(hold, 'cancelRelease');
    orders.setHold(slot, noHold);
  }

  function removeResting(book: Book, slot: number, reason: CloseReason, view: OrderCursor): void {
    const side = orders.side(slot);
    const price = orders.price(slot);
    const left = tables.dequeue(book, side, slot);
    closeOrder(slot, reason, view);
    book.version += 1;
    emit.levelChanged(
      book.symbol,
      book.version as BookVersion,
      side === 0 ? 'buy' : 'sell',
      price as PriceTicks,
      left as Lots,
    );
  }

  return { closeOrder, removeResting };
}
