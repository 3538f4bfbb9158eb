import { engineLimits } from '#model/limits.ts';
import type { CloseReason, OrderRef } from '#model/order.ts';
import type { AccountId, OrderNumber, SymbolId } from '#model/units.ts';
import { noOrder } from '#engine/book/order-table.ts';
import { bothSides } from '#engine/book/side-code.ts';
import type { Closing } from '#engine/spot/close-order.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Cancels by the owner of an order. */
export interface Cancelling {
  /** Cancels an open order of the account; refuses a closed, foreign or unknown one. */
  cancelOrder(account: AccountId, symbol: SymbolId, ref: OrderRef): void;
  /** Cancels an order if it is open and belongs to the account; otherwise does nothing and emits nothing. */
  cancelIfOpen(account: AccountId, symbol: SymbolId, order: OrderNumber): void;
  /** Cancels every open order of the account on these symbols, oldest first; unless a reason is given, by the user. */
  cancelOrders(account: AccountId, symbols: readonly SymbolId[], reason?: CloseReason): void;
  /** Cancels the account's oldest open orders on these symbols (none: on all), as many as one entry may. */
  cancelSomeOrders(account: AccountId, symbols: readonly SymbolId[]): void;
  /** Cancels an account's open orders for the exchange, the oldest first, at most so many; answers how many. */
  cancelOldest(account: AccountId, atMost: number): number;
  /** Cancels orders of a book for the exchange, at most so many; answers how many. Bids, then asks, the best first. */
  cancelSomeOf(symbol: SymbolId, atMost: number): number;
  /** Cancels every order of a book in that way. */
  cancelAllOf(symbol: SymbolId): void;
}

/** Creates the cancel functions of one engine. */
export function createCancelling(state: EngineState, removeResting: Closing['removeResting']): Cancelling {
  const { emit, tables } = state;
  const { orders } = tables;

  /** Slot of an account's open order on a symbol, `noOrder` if there is none. */
  function findLive(account: AccountId, symbol: SymbolId, ref: OrderRef): number {
    const slot = tables.lookup(account, ref, state.at);
    if (slot === noOrder || orders.isClosed(slot)) return noOrder;
    return orders.account(slot) === account && orders.symbol(slot) === symbol ? slot : noOrder;
  }

  function cancelOrder(account: AccountId, symbol: SymbolId, ref: OrderRef): void {
    const slot = findLive(account, symbol, ref);
    if (slot === noOrder) emit.cancelRefused(account, symbol, 'unknownOrder');
    else removeResting(state.books[symbol]!, slot, 'byUser');
  }

  function cancelIfOpen(account: AccountId, symbol: SymbolId, order: OrderNumber): void {
    const slot = findLive(account, symbol, { order });
    if (slot !== noOrder) removeResting(state.books[symbol]!, slot, 'byUser');
  }

  function cancelOrders(account: AccountId, symbols: readonly SymbolId[], reason: CloseReason = 'byUser'): void {
    if (!state.accounts.isUser(account)) return;
    for (const slot of state.accounts.openOrders.all(account)) {
      const symbol = orders.symbol(slot);
      if (symbols.includes(symbol)) removeResting(state.books[symbol]!, slot, reason);
    }
  }

  function cancelSomeOrders(account: AccountId, symbols: readonly SymbolId[]): void {
    if (!state.accounts.isUser(account)) return;
    const isMeant = (slot: number): boolean => symbols.length === 0 || symbols.includes(orders.symbol(slot));
    const meant = state.accounts.openOrders.all(account).filter(isMeant);
    for (const slot of meant.slice(0, engineLimits.cancelledOrdersPerEntry))
      removeResting(state.books[orders.symbol(slot)]!, slot, 'byUser');
  }

  function cancelOldest(account: AccountId, atMost: number): number {
    const oldest = state.accounts.openOrders.all(account).slice(0, atMost);
    for (const slot of oldest) removeResting(state.books[orders.symbol(slot)]!, slot, 'byExchange');
    return oldest.length;
  }

  function cancelSomeOf(symbol: SymbolId, atMost: number): number {
    const book = state.books[symbol]!;
    let cancelled = 0;
    for (const side of bothSides)
      for (let level = book.best(side); level >= 0 && cancelled < atMost; level = book.best(side)) {
        removeResting(book, tables.levels.queues.first(level), 'byExchange');
        cancelled += 1;
      }
    return cancelled;
  }

  const cancelAllOf = (symbol: SymbolId): void => {
    cancelSomeOf(symbol, Number.POSITIVE_INFINITY);
  };

  return { cancelOrder, cancelIfOpen, cancelOrders, cancelSomeOrders, cancelOldest, cancelSomeOf, cancelAllOf };
}
