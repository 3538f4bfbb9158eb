import { accountShift, accountWord } from '#engine/accounts/account-table.ts';
import { orderWord, wordsShift } from '#engine/book/order-table.ts';
import type { EngineState } from '#engine/state.ts';

/** Enters a resting order at the end of its account's open orders. */
export function linkOpen(state: EngineState, slot: number): void {
  const { words } = state.tables.orders;
  const { accounts } = state;
  const account = words[(slot << wordsShift) | orderWord.account]!;
  accounts.words[(account << accountShift) | accountWord.openCount]! += 1;
  words[(slot << wordsShift) | orderWord.accountLine] = accounts.openOrders.append(account, slot);
}

/** Takes an order out of its account's open orders, where it stands in this line. */
export function unlinkOpen(state: EngineState, slot: number, line: number): void {
  const { words } = state.tables.orders;
  const { accounts } = state;
  const account = words[(slot << wordsShift) | orderWord.account]!;
  accounts.openOrders.remove(account, line, slot);
  accounts.words[(account << accountShift) | accountWord.openCount]! -= 1;
  words[(slot << wordsShift) | orderWord.accountLine] = -1;
}
