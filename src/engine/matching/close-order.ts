import type { CloseReason } from '#domain/order.ts';
import type { AccountId, BookVersion, Lots, OrderNumber, PriceTicks } from '#domain/units.ts';
import { accountShift, accountWord } from '#engine/accounts/account-table.ts';
import { hasClientId, type Book } from '#engine/book/book.ts';
import {
  closeRecord,
  doublesShift,
  orderDouble,
  orderWord,
  wordsShift,
  type OrderCursor,
} from '#engine/book/order-table.ts';
import type { EngineState } from '#engine/state.ts';

/** Enters a resting order at the end of its account's open orders, and makes it findable. */
export function linkOpen(state: EngineState, slot: number): void {
  const { words } = state.tables.orders;
  const { accounts } = state;
  const word = slot << wordsShift;
  const account = words[word + orderWord.account]!;
  const last = accounts.words[(account << accountShift) + accountWord.lastOrder]!;
  words[word + orderWord.previousOfAccount] = last;
  words[word + orderWord.nextOfAccount] = -1;
  if (last < 0) accounts.words[(account << accountShift) + accountWord.firstOrder] = slot;
  else words[(last << wordsShift) + orderWord.nextOfAccount] = slot;
  accounts.words[(account << accountShift) + accountWord.lastOrder] = slot;
  accounts.words[(account << accountShift) + accountWord.openCount]! += 1;
  state.tables.enterIndexes(slot);
}

function unlinkOpen(state: EngineState, slot: number): void {
  const { words } = state.tables.orders;
  const { accounts } = state;
  const word = slot << wordsShift;
  const account = words[word + orderWord.account]! as AccountId;
  const next = words[word + orderWord.nextOfAccount]!;
  const previous = words[word + orderWord.previousOfAccount]!;
  if (previous < 0) accounts.words[(account << accountShift) + accountWord.firstOrder] = next;
  else words[(previous << wordsShift) + orderWord.nextOfAccount] = next;
  if (next < 0) accounts.words[(account << accountShift) + accountWord.lastOrder] = previous;
  else words[(next << wordsShift) + orderWord.previousOfAccount] = previous;
  accounts.words[(account << accountShift) + accountWord.openCount]! -= 1;
}

/** `previousOfAccount` of an order that is not in its account's list. */
export const notLinked = -2;

/**
 * Ends an order that stands in no queue (any more): what its hold still covers goes back, it leaves its account's list,
 * the event tells its final state, and its record stays only as long as its client id is kept.
 */
export function closeOrder(state: EngineState, slot: number, reason: CloseReason, view: OrderCursor): void {
  const { tables } = state;
  const { words, doubles } = tables.orders;
  const word = slot << wordsShift;
  const hold = words[word + orderWord.hold]!;
  if (hold >= 0) {
    state.ledger.closeHold(hold, 'cancelRelease', doubles[slot << doublesShift]! as OrderNumber);
    words[word + orderWord.hold] = -1;
  }
  const wasOpen = words[word + orderWord.previousOfAccount] !== notLinked;
  if (wasOpen) {
    unlinkOpen(state, slot);
    words[word + orderWord.previousOfAccount] = notLinked;
  }
  closeRecord(tables.orders, slot, reason, state.at);
  state.emit.orderClosed(view.at(slot));
  if (hasClientId(tables.orders, slot)) tables.keepClosed(slot, wasOpen);
  else tables.forget(slot, wasOpen);
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
  const side = tables.orders.words[(slot << wordsShift) + orderWord.flags]! & 1;
  const price = tables.orders.doubles[(slot << doublesShift) + orderDouble.price]!;
  const left = tables.dequeue(book, side, slot);
  closeOrder(state, slot, reason, view);
  book.version += 1;
  state.emit.levelChanged(
    book.rules.id,
    book.version as BookVersion,
    side === 0 ? 'buy' : 'sell',
    price as PriceTicks,
    left as Lots,
  );
}
