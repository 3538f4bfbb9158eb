import type { CloseReason } from '#domain/order.ts';
import type { Book } from '#engine/book/book.ts';
import { emitLevelChanged } from '#engine/matching/level-change.ts';
import { unlinkOpen } from '#engine/matching/open-orders.ts';
import type { EngineState } from '#engine/state.ts';

/** How orders end. */
export interface Closing {
  /**
   * Ends an order that stands in no queue (any more): what its hold still covers goes back, it leaves its account's
   * list, the event tells its final state, and its record stays only as long as its client id is kept.
   */
  closeOrder(slot: number, reason: CloseReason): void;
  /** Takes a resting order off its book and ends it. */
  removeResting(book: Book, slot: number, reason: CloseReason): void;
}

/** How the orders of one engine end. */
export function createClosing(state: EngineState): Closing {
  const { tables, ledger, emit } = state;
  const { orders } = tables;

  function closeOrder(slot: number, reason: CloseReason): void {
    if (ledger.holds.isOpen(slot)) ledger.closeHold(slot, 'cancelRelease', orders.number(slot));
    const isListed = orders.isListed(slot);
    if (isListed) unlinkOpen(state, slot);
    orders.close(slot, reason, state.at);
    emit.orderClosed(slot);
    tables.release(slot, isListed, state.at);
  }

  function removeResting(book: Book, slot: number, reason: CloseReason): void {
    const side = orders.side(slot);
    const price = orders.price(slot);
    const left = tables.dequeue(book, side, slot);
    closeOrder(slot, reason);
    emitLevelChanged(state, book, { side, price, lots: left });
  }

  return { closeOrder, removeResting };
}
