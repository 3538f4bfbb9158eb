import type { BalanceView } from '#model/account.ts';
import { copyOrder } from '#model/event-record.ts';
import type { OrderRef, OrderView, Side } from '#model/order.ts';
import type { AccountId, AssetId, Balance, Lots, OrderNumber, PriceTicks, SymbolId } from '#model/units.ts';
import { isClientIdExpired } from '#engine/book/closed-orders.ts';
import { noOrder } from '#engine/book/order-table.ts';
import { codeOfSide } from '#engine/book/side-code.ts';
import { ratePpmOf } from '#engine/spot/commission.ts';
import { collarPrice } from '#engine/spot/collar.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Queries of the state. Results are copies; nothing changes. The query port calls these. */

/** Balances that are not zero, in the order of asset ids. */
export function balancesOf(state: EngineState, account: AccountId): BalanceView[] {
  const { balances } = state.ledger;
  const views: BalanceView[] = [];
  for (let row = balances.first(account); row >= 0; row = balances.next(row)) {
    const free = balances.free.get(row) as Balance;
    const held = balances.held.get(row) as Balance;
    if (free !== 0n || held !== 0n) views.push({ asset: balances.assetOf(row) as AssetId, free, held });
  }
  return views.sort((first, second) => first.asset - second.asset);
}

/** Open orders of an account, oldest first; `symbol` null: of every symbol. */
export function openOrdersOf(state: EngineState, account: AccountId, symbol: SymbolId | null): OrderView[] {
  if (!state.accounts.isUser(account)) return [];
  const { orders } = state.tables;
  const slots = state.accounts.openOrders.all(account);
  return slots
    .filter((slot) => symbol === null || orders.symbol(slot) === symbol)
    .map((slot) => copyOrder(state.tables.viewOf(slot)));
}

/** An order of the account: open, or closed and its client order id still kept; `null` otherwise. */
export function orderOf(state: EngineState, account: AccountId, symbol: SymbolId, ref: OrderRef): OrderView | null {
  const slot = state.tables.lookup(account, ref, state.at);
  if (slot === noOrder) return null;
  const view = state.tables.viewOf(slot);
  if (view.account !== account || view.symbol !== symbol) return null;
  return view.closeReason !== null && isClientIdExpired(view.updatedAt, state.at) ? null : copyOrder(view);
}

/** Whose an order is that is open, or keeps its client order id; `null`: no such order is kept. */
export function accountOfOrder(state: EngineState, order: OrderNumber): AccountId | null {
  const slot = state.tables.numbers.lookup(order);
  return slot === noOrder ? null : state.tables.viewOf(slot).account;
}

/** Market collar: the worst price that a market order placed now could reach; 0 if there is no reference price. */
export function collarOf(state: EngineState, symbol: SymbolId, side: Side): PriceTicks {
  const book = state.books[symbol];
  return (book === undefined ? 0 : collarPrice(book, codeOfSide(side))) as PriceTicks;
}

/** Fee rates in parts per million: the account's own or of its tier, but no more than those of the symbol. */
export function feeRatesOf(
  state: EngineState,
  account: AccountId,
  symbol: SymbolId,
): { makerPpm: number; takerPpm: number } {
  const { makerFeePpm, takerFeePpm } = state.books[symbol]!.rules;
  const rate = (ofPair: number, isMaker: boolean): number => ratePpmOf(state, account, ofPair, isMaker);
  return { makerPpm: rate(makerFeePpm, true), takerPpm: rate(takerFeePpm, false) };
}

/** Levels of one side, best first. */
export function levelsOf(state: EngineState, symbol: SymbolId, side: Side): [PriceTicks, Lots][] {
  const { levels } = state.tables;
  const pairs: [PriceTicks, Lots][] = [];
  state.books[symbol]!.side(codeOfSide(side)).every((level) => {
    pairs.push([levels.price(level) as PriceTicks, levels.lots(level) as Lots]);
    return true;
  });
  return pairs;
}

/** How many orders rest at each price of one side, best first. */
export function orderCountsOf(state: EngineState, symbol: SymbolId, side: Side): [PriceTicks, number][] {
  const { levels } = state.tables;
  const counts: [PriceTicks, number][] = [];
  state.books[symbol]!.side(codeOfSide(side)).every((level) => {
    let orders = 0;
    levels.queues.every(level, () => {
      orders += 1;
      return true;
    });
    counts.push([levels.price(level) as PriceTicks, orders]);
    return true;
  });
  return counts;
}

/** Free balance of a house account. */
export function houseBalance(state: EngineState, account: AccountId, asset: AssetId): bigint {
  const row = state.ledger.balances.find(account, asset);
  return row < 0 ? 0n : state.ledger.balances.free.get(row);
}
