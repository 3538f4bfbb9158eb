import type { CloseReason } from '#domain/order.ts';
import type { BookVersion, Lots, OrderNumber, PriceTicks } from '#domain/units.ts';
import { accountShift, accountWord } from '#engine/accounts/account-table.ts';
import type { Book } from '#engine/book/book.ts';
import {
  closeRecord,
  doublesShift,
  orderDouble,
  orderWord,
  wordsShift,
  type OrderCursor,
} from '#engine/book/order-table.ts';
import type { EngineState } from '#engine/state.ts';

/** Enters a resting order at the end of its account's open orders. */
export function linkOpen(state: EngineState, slot: number): void {
  const { words } = state.tables.orders;
  const { accounts } = state;
  const account = words[(slot << wordsShift) | orderWord.account]! << accountShift;
  const open = accounts.words[account | accountWord.openOrders]!;
  const line = state.tables.openOrders.append(open, slot);
  if (open < 0) accounts.words[account | accountWord.openOrders] = line;
  accounts.words[account | accountWord.openCount]! += 1;
  words[(slot << wordsShift) | orderWord.accountLine] = line;
}

function unlinkOpen(state: EngineState, slot: number, line: number): void {
  const { words } = state.tables.orders;
  const { accounts } = state;
  const account = words[(slot << wordsShift) | orderWord.account]! << accountShift;
  const open = accounts.words[account | accountWord.openOrders]!;
  accounts.words[account | accountWord.openOrders] = state.tables.openOrders.remove(open, line, slot);
  accounts.words[account | accountWord.openCount]! -= 1;
  words[(slot << wordsShift) | orderWord.accountLine] = -1;
}

/**
 * Ends an order that stands in no queue (any more): what its hold still covers goes back, it leaves its account's list,
 * the event tells its final state, and its record stays only as long as its client id is kept.
 */
export function closeOrder(state: EngineState, slot: number, reason: CloseReason, view: OrderCursor): void {
  const { tables } = state;
  const { words, doubles } = tables.orders;
  const word = slot << wordsShift;
  const number = doubles[slot << doublesShift]! as OrderNumber;
  const hold = words[word | orderWord.hold]!;
  if (hold >= 0) {
    state.ledger.closeHold(hold, 'cancelRelease', number);
    words[word | orderWord.hold] = -1;
  }
  const line = words[word | orderWord.accountLine]!;
  if (line >= 0) unlinkOpen(state, slot, line);
  closeRecord(tables.orders, slot, reason, state.at);
  state.emit.orderClosed(view.at(slot));
  tables.release(slot, line >= 0, state.at);
}

/** Takes a resting order off its book and ends it. */
export function removeResting(
  state: EngineState,
  book: Book,
  slot: number,
  reason: CloseReason,
  view: OrderCursor,
): void {
  const { tables } = state;
  const side = tables.orders.words[(slot << wordsShift) | orderWord.flags]! & 1;
  const price = tables.orders.doubles[(slot << doublesShift) | orderDouble.price]!;
  const left = tables.dequeue(book, side, slot);
  closeOrder(state, slot, reason, view);
  book.version += 1;
  state.emit.levelChanged(
    book.symbol,
    book.version as BookVersion,
    side === 0 ? 'buy' : 'sell',
    price as PriceTicks,
    left as Lots,
  );
}
