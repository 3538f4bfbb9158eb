import type { CloseReason } from '#model/order.ts';
import type { Book } from '#engine/book/book.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { emitLevelChanged } from '#engine/spot/level-change.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Closes orders: releases what their holds still cover (hold release) and emits their final state. */
export interface Closing {
  /** Closes an order that never rested. */
  closeIncoming(slot: number, reason: CloseReason): void;
  /** Closes an order that rested and was removed from its queue already. */
  closeResting(slot: number, reason: CloseReason): void;
  /** Removes a resting order from its book and closes it. */
  removeResting(book: Book, slot: number, reason: CloseReason): void;
}

/** Creates the functions that close the orders of one engine. */
export function createClosing(state: EngineState): Closing {
  const { tables, ledger, emit } = state;
  const { orders } = tables;

  /** Hold release: what the hold of a closing order still covers becomes free balance again. DEC-ORD-17. */
  function releaseHold(slot: number): void {
    const hold = orders.hold(slot);
    if (hold === noHold) return;
    ledger.closeHold(hold, 'cancelRelease');
    orders.setHold(slot, noHold);
  }

  function closeIncoming(slot: number, reason: CloseReason): void {
    releaseHold(slot);
    orders.close(slot, reason, state.at);
    emit.orderClosed(slot);
    tables.release(slot, false, state.at);
  }

  function closeResting(slot: number, reason: CloseReason): void {
    releaseHold(slot);
    state.accounts.removeOpenOrder(orders.account(slot), slot);
    orders.close(slot, reason, state.at);
    emit.orderClosed(slot);
    tables.release(slot, true, state.at);
  }

  function removeResting(book: Book, slot: number, reason: CloseReason): void {
    const side = orders.side(slot);
    const price = orders.price(slot);
    const left = tables.dequeue(book, side, slot);
    closeResting(slot, reason);
    emitLevelChanged(state, book, { side, price, lots: left });
  }

  return { closeIncoming, closeResting, removeResting };
}
