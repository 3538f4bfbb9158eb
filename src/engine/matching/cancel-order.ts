import type { OrderRef } from '#domain/order.ts';
import type { AccountId, OrderNumber, SymbolId } from '#domain/units.ts';
import { accountShift, accountWord } from '#engine/accounts/account-table.ts';
import { orderWord, wordsShift } from '#engine/book/order-table.ts';
import { slotOf } from '#engine/book/order-reference.ts';
import { removeResting } from '#engine/matching/close-order.ts';
import type { EngineState } from '#engine/state.ts';

/** Slot of an account's live order on a symbol; -1 if there is none. */
function findLive(state: EngineState, account: AccountId, symbol: SymbolId, ref: OrderRef): number {
  const { numbers, clientIds, orders } = state.tables;
  const slot = slotOf('order' in ref ? numbers.find(ref.order) : clientIds.find(account, ref.clientOrderId, state.at));
  if (slot < 0) return -1;
  const word = slot << wordsShift;
  return orders.words[word | orderWord.account] === account && orders.words[word | orderWord.symbol] === symbol
    ? slot
    : -1;
}

/** Cancels an open order of the account; a finished, foreign or unknown one is refused. */
export function cancelOrder(state: EngineState, account: AccountId, symbol: SymbolId, ref: OrderRef): void {
  const slot = findLive(state, account, symbol, ref);
  if (slot < 0) state.emit.cancelRefused(account, symbol, 'unknownOrder');
  else removeResting(state, state.books[symbol]!, slot, 'byUser', state.takerView);
}

/** Cancels an order if it is still open and the account's own; says nothing otherwise. */
export function cancelIfOpen(state: EngineState, account: AccountId, symbol: SymbolId, order: OrderNumber): void {
  const slot = findLive(state, account, symbol, { order });
  if (slot >= 0) removeResting(state, state.books[symbol]!, slot, 'byUser', state.takerView);
}

/** Cancels every open order of the account on these symbols, oldest first. */
export function cancelOrders(state: EngineState, account: AccountId, symbols: readonly SymbolId[]): void {
  if (!state.accounts.isUser(account)) return;
  const open = state.accounts.words[(account << accountShift) | accountWord.openOrders]!;
  for (const slot of state.tables.openOrders.all(open)) {
    const symbol = state.tables.orders.words[(slot << wordsShift) | orderWord.symbol]! as SymbolId;
    if (symbols.includes(symbol)) removeResting(state, state.books[symbol]!, slot, 'byUser', state.takerView);
  }
}
