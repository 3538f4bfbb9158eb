import { holdOwnerNumbers } from '#domain/hold.ts';
import type { CloseReason, OrderRequest } from '#domain/order.ts';
import type { AccountId, BookVersion, Lots, PriceTicks } from '#domain/units.ts';
import { priceKey, type Book } from '#engine/book/book.ts';
import { kindCode, packFlags, stpCode } from '#engine/book/order-flags.ts';
import type { OrderCursor } from '#engine/book/order-cursor.ts';
import { noOrder } from '#engine/book/order-table.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { Closing } from '#engine/matching/close-order.ts';
import { collarPrice } from '#engine/matching/collar.ts';
import type { Match, MatchEnd } from '#engine/matching/match.ts';
import { mayPayFeeFrom } from '#engine/matching/commission.ts';
import type { MeetBook } from '#engine/matching/meet-book.ts';
import { fitsExecutedQuote } from '#engine/matching/next-fill.ts';
import { linkOpen } from '#engine/matching/open-orders.ts';
import type { Refusals } from '#engine/matching/refusal.ts';
import type { Taker } from '#engine/matching/taker.ts';
import { boundsExecutedQuote } from '#engine/rule-changes.ts';
import type { EngineState } from '#engine/state.ts';

/** Places one order: accepted and matched, answered again, or refused. Tells exactly one of the three. */
export type PlaceOrder = (account: AccountId, order: OrderRequest) => void;

/** What placing an order is made of. */
export interface PlaceOrderParts {
  readonly taker: Taker;
  readonly refusals: Refusals;
  readonly meet: MeetBook;
  readonly match: Match;
  readonly closeOrder: Closing['closeOrder'];
}

/** Places the orders of one engine. */
export function createPlaceOrder(state: EngineState, parts: PlaceOrderParts): PlaceOrder {
  const { taker, refusals, meet, match, closeOrder } = parts;
  const { tables, ledger, emit, takerView } = state;
  const { orders, clientIds } = tables;

  function placeOrder(account: AccountId, order: OrderRequest): void {
    const { clientOrderId } = order;
    const hasId = clientOrderId !== null && clientOrderId.length > 0;
    if (hasId) clientIds.want(account, clientOrderId);
    const early = refusals.beforeId(account, order);
    const known = hasId ? clientIds.findWanted(state.at) : noOrder;
    if (known !== noOrder && isSameOrder(takerView.at(known), order)) {
      emit.orderRepeated(takerView);
      return;
    }
    const reason = early ?? refusals.afterId(account, order, known !== noOrder);
    if (reason !== null) {
      emit.orderRefused(account, order.symbol, reason, clientOrderId === null ? null : clientOrderId.text);
      return;
    }
    const book = state.books[order.symbol]!;
    const limit = order.price ?? collarPrice(state, book, order.side === 'buy' ? 0 : 1);
    const slot = enterRecord(book, account, order, limit);
    emit.orderAccepted(takerView.at(slot));
    if (order.kind === 'limit' || order.kind === 'postOnly') openHold(book, slot, order);
    taker.start(slot, limit, orders.hold(slot));
    if (taker.hold === noHold) taker.toGive = feesCouldTake(book, order);
    const end = order.kind === 'fillOrKill' ? fillOrKill(book, order) : match(book);
    finish(book, order, end);
    book.assertUncrossed();
  }

  function enterRecord(book: Book, account: AccountId, order: OrderRequest, limit: number): number {
    const slot = orders.take();
    const isBuy = order.side === 'buy';
    const { base, quote } = book;
    tables.lastOrder += 1;
    orders.enter(slot, {
      number: tables.lastOrder,
      account,
      symbol: book.symbol,
      price: limit,
      asked: order.quantity ?? order.budget!,
      flags: packFlags(isBuy ? 0 : 1, kindCode(order.kind), stpCode(order.stpMode), order.budget !== null),
      at: state.at,
      gives: ledger.balances.row(account, isBuy ? quote : base),
      gets: ledger.balances.row(account, isBuy ? base : quote),
    });
    if (order.clientOrderId !== null) clientIds.writeFound(slot);
    return slot;
  }

  /** Orders that may rest set aside their worst case at once; others pay from free balance. */
  function openHold(book: Book, slot: number, order: OrderRequest): void {
    const lots = order.quantity!;
    const amount = order.side === 'buy' ? order.price! * lots * book.quotePerTickLot : lots * book.basePerLot;
    const owner = { kind: holdOwnerNumbers.order, id: orders.number(slot) };
    orders.setHold(slot, ledger.openHold(orders.gives(slot), amount, owner, 'orderHold'));
  }

  /**
   * What the fills of an order without a hold will take in all, where token fees are paid from the same balance: fees
   * must leave it there. 0 where they are not.
   */
  function feesCouldTake(book: Book, order: OrderRequest): number {
    const isBuy = taker.side === 0;
    if (!mayPayFeeFrom(state, taker.account, isBuy ? book.quote : book.base)) return 0;
    const met = meet(book, taker.account, order);
    return isBuy ? met.quote : met.lots * book.basePerLot;
  }

  /** All at once or nothing, counting only liquidity that self-trade prevention would not remove. DEC-ORD-50. */
  function fillOrKill(book: Book, order: OrderRequest): MatchEnd {
    const { account, open } = taker;
    if (meet(book, account, order).lots === open) return match(book);
    return meet(book, account, order, { isPrevented: false }).lots === open ? 'stp' : 'exhausted';
  }

  /** Rests what may rest, closes what may not. DEC-ORD-35. */
  function finish(book: Book, order: OrderRequest, end: MatchEnd): void {
    const { slot } = taker;
    const isDone = taker.byBudget ? isBudgetSpent(taker, book, end) : taker.open === 0;
    if (isDone) {
      closeOrder(slot, 'filled', takerView);
    } else if (end === 'stp' || end === 'byExchange') {
      closeOrder(slot, end, takerView);
    } else if (order.kind === 'limit' || order.kind === 'postOnly') {
      rest(book, slot);
    } else {
      closeOrder(slot, reasonOfRest(book, end), takerView);
    }
  }

  /** A market order's rest was stopped by the collar if there is still liquidity beyond it. */
  function reasonOfRest(book: Book, end: MatchEnd): CloseReason {
    const isMarket = orders.kind(taker.slot) === kindCode('market');
    return isMarket && end === 'exhausted' && book.best(taker.side ^ 1) >= 0 ? 'collar' : 'unfilledRest';
  }

  function rest(book: Book, slot: number): void {
    const price = orders.price(slot);
    const unit = price * book.quotePerTickLot;
    if (boundsExecutedQuote(state) && !fitsExecutedQuote(taker.executedQuote, taker.open, unit)) {
      closeOrder(slot, 'byExchange', takerView);
      return;
    }
    const level = book.side(taker.side).find(priceKey(taker.side, price));
    if (level >= 0 && tables.levels.lots(level) + taker.open > Number.MAX_SAFE_INTEGER) {
      closeOrder(slot, 'byExchange', takerView);
      return;
    }
    linkOpen(state, slot);
    tables.enterIndexes(slot);
    const at = tables.enqueue(book, taker.side, slot, level);
    book.version += 1;
    emit.levelChanged(
      book.symbol,
      book.version as BookVersion,
      taker.side === 0 ? 'buy' : 'sell',
      price as PriceTicks,
      tables.levels.lots(at) as Lots,
    );
  }

  return placeOrder;
}

/** Whether an order with the same client id asks for the same: then it is the first one again. */
export function isSameOrder(view: OrderCursor, order: OrderRequest): boolean {
  return (
    view.symbol === order.symbol &&
    view.side === order.side &&
    view.kind === order.kind &&
    (order.price === null || view.price === order.price) &&
    view.askedQuantity === (order.quantity ?? 0) &&
    view.budget === order.budget &&
    view.stpMode === order.stpMode
  );
}

/** A budget is spent when what is left of it cannot trade one more lot. DEC-ORD-13. */
function isBudgetSpent(taker: Taker, book: Book, end: MatchEnd): boolean {
  if (taker.executed === 0) return false;
  if (end === 'done') return true;
  return end === 'exhausted' && taker.budget < taker.lastFillPrice * book.quotePerTickLot;
}
