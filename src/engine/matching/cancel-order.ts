import type { OrderRef } from '#domain/order.ts';
import type { AccountId, OrderNumber, SymbolId } from '#domain/units.ts';
import { accountShift, accountWord } from '#engine/accounts/account-table.ts';
import { orderWord, wordsShift } from '#engine/book/order-table.ts';
import { removeResting } from '#engine/matching/close-order.ts';
import { findByClientId } from '#engine/matching/place-order.ts';
import type { EngineState } from '#engine/state.ts';

/** Slot of an account's order on a symbol, live or lately closed; -1 if there is none. */
export function findOrder(state: EngineState, account: AccountId, symbol: SymbolId, ref: OrderRef): number {
  const slot =
    'order' in ref ? state.tables.numbers.find(ref.order) : findByClientId(state, account, ref.clientOrderId);
  if (slot < 0) return -1;
  const { words } = state.tables.orders;
  const word = slot << wordsShift;
  return words[word + orderWord.account] === account && words[word + orderWord.symbol] === symbol ? slot : -1;
}

const isOpen = (state: EngineState, slot: number): boolean =>
  state.tables.orders.words[(slot << wordsShift) + orderWord.level]! >= 0;

/** Cancels an open order of the account; a finished, foreign or unknown one is refused. */
export function cancelOrder(state: EngineState, account: AccountId, symbol: SymbolId, ref: OrderRef): void {
  const slot = state.books[symbol] === undefined ? -1 : findOrder(state, account, symbol, ref);
  if (slot < 0 || !isOpen(state, slot)) {
    state.emit.cancelRefused(account, symbol, 'unknownOrder');
    return;
  }
  removeResting(state, state.books[symbol]!, slot, 'byUser', state.takerView);
}

/** Cancels an order if it is still open and the account's own; says nothing otherwise. */
export function cancelIfOpen(state: EngineState, account: AccountId, symbol: SymbolId, order: OrderNumber): void {
  const slot = findOrder(state, account, symbol, { order });
  if (slot >= 0 && isOpen(state, slot)) removeResting(state, state.books[symbol]!, slot, 'byUser', state.takerView);
}

/** Cancels every open order of the account on these symbols, oldest first. */
export function cancelOrders(state: EngineState, account: AccountId, symbols: readonly SymbolId[]): void {
  if (!state.accounts.isUser(account)) return;
  let slot = state.accounts.words[(account << accountShift) + accountWord.firstOrder]!;
  while (slot >= 0) {
    const { words } = state.tables.orders;
    const word = slot << wordsShift;
    const next = words[word + orderWord.nextOfAccount]!;
    const symbol = words[word + orderWord.symbol]! as SymbolId;
    if (symbols.includes(symbol)) removeResting(state, state.books[symbol]!, slot, 'byUser', state.takerView);
    slot = next;
  }
}
