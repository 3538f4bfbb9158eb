import { holdOwnerNumbers } from '#domain/hold.ts';
import { mayRest, type CloseReason, type OrderRequest } from '#domain/order.ts';
import type { AccountId } from '#domain/units.ts';
import { priceKey, type Book } from '#engine/book/book.ts';
import { kindCode, packFlags, stpCode } from '#engine/book/order-flags.ts';
import type { OrderCursor } from '#engine/book/order-cursor.ts';
import { noOrder } from '#engine/book/order-table.ts';
import { buySide, codeOfSide, opposite } from '#engine/book/side-code.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { Closing } from '#engine/matching/close-order.ts';
import { collarPrice } from '#engine/matching/collar.ts';
import { emitLevelChanged } from '#engine/matching/level-change.ts';
import type { Match, MatchEnd } from '#engine/matching/match.ts';
import { mayPayFeeFrom } from '#engine/matching/commission.ts';
import type { SimulateOrder } from '#engine/matching/simulate-order.ts';
import { fitsExecutedQuote } from '#engine/matching/next-fill.ts';
import { linkOpen } from '#engine/matching/open-orders.ts';
import type { Refusals } from '#engine/matching/refusal.ts';
import { Taker } from '#engine/matching/taker.ts';
import { boundsExecutedQuote } from '#engine/rule-changes.ts';
import type { EngineState } from '#engine/state.ts';

/** Places one order: accepted and matched, answered again, or refused. Tells exactly one of the three. */
export type PlaceOrder = (account: AccountId, order: OrderRequest) => void;

/** What placing an order is made of. */
export interface PlaceOrderParts {
  readonly refusals: Refusals;
  readonly simulateOrder: SimulateOrder;
  readonly match: Match;
  readonly closeIncoming: Closing['closeIncoming'];
}

/** Places the orders of one engine. */
export function createPlaceOrder(state: EngineState, parts: PlaceOrderParts): PlaceOrder {
  const { refusals, simulateOrder, match, closeIncoming } = parts;
  const { tables, ledger, emit } = state;
  const { orders, clientIds } = tables;
  /** One object serves every order in turn, so that an order allocates nothing. */
  const incoming = new Taker(state);

  function placeOrder(account: AccountId, order: OrderRequest): void {
    const { clientOrderId } = order;
    const early = refusals.beforeId(account, order);
    const known = clientOrderId === null ? noOrder : clientIds.lookup(account, clientOrderId, state.at);
    if (known !== noOrder && isSameOrder(tables.viewOf(known), order)) {
      emit.orderRepeated(known);
      return;
    }
    const reason = early ?? refusals.afterId(account, order, known !== noOrder);
    if (reason !== null) {
      emit.orderRefused(account, order.symbol, reason, clientOrderId === null ? null : clientOrderId.text);
      return;
    }
    const book = state.books[order.symbol]!;
    const limit = order.price ?? collarPrice(state, book, codeOfSide(order.side));
    const slot = enterRecord(book, account, order, limit);
    emit.orderAccepted(slot);
    if (mayRest(order)) openHold(book, slot, order);
    const taker = incoming.start(slot, limit, orders.hold(slot));
    if (taker.hold === noHold) taker.toGive = feesCouldTake(book, taker, order);
    const end = order.kind === 'fillOrKill' ? fillOrKill(book, taker, order) : match(book, taker);
    finish(book, taker, order, end);
    book.assertUncrossed();
  }

  function enterRecord(book: Book, account: AccountId, order: OrderRequest, limit: number): number {
    const slot = orders.take();
    const isBuy = order.side === 'buy';
    const { base, quote } = book;
    const gives = ledger.balances.row(account, isBuy ? quote : base);
    const gets = ledger.balances.row(account, isBuy ? base : quote);
    tables.lastOrder += 1;
    orders.enter(slot, {
      number: tables.lastOrder,
      account,
      symbol: book.symbol,
      price: limit,
      quantity: order.quantity ?? 0,
      budget: order.budget ?? 0,
      flags: packFlags(codeOfSide(order.side), kindCode(order.kind), stpCode(order.stpMode), order.budget !== null),
      at: state.at,
      gives,
      gets,
    });
    if (order.clientOrderId !== null) clientIds.write(slot, order.clientOrderId);
    return slot;
  }

  /** An order that may rest sets its worst case aside at once; others pay from free balance. */
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
  function feesCouldTake(book: Book, taker: Taker, order: OrderRequest): number {
    const isBuy = taker.side === buySide;
    if (!mayPayFeeFrom(state, taker.account, isBuy ? book.quote : book.base)) return 0;
    const simulated = simulateOrder(book, taker.account, order);
    return isBuy ? simulated.quote : simulated.lots * book.basePerLot;
  }

  /** All at once or nothing, counting only liquidity that self-trade prevention would not remove. DEC-ORD-50. */
  function fillOrKill(book: Book, taker: Taker, order: OrderRequest): MatchEnd {
    const { account, remaining } = taker;
    if (simulateOrder(book, account, order).lots === remaining) return match(book, taker);
    return simulateOrder(book, account, order, { isPrevented: false }).lots === remaining ? 'stp' : 'exhausted';
  }

  /** Rests what may rest, closes what may not. DEC-ORD-35. */
  function finish(book: Book, taker: Taker, order: OrderRequest, end: MatchEnd): void {
    const { slot } = taker;
    const isDone = taker.byBudget ? isBudgetSpent(taker, book, end) : taker.remaining === 0;
    if (isDone) {
      closeIncoming(slot, 'filled');
    } else if (end === 'stp' || end === 'byExchange') {
      closeIncoming(slot, end);
    } else if (mayRest(order)) {
      rest(book, taker);
    } else {
      closeIncoming(slot, reasonOfRest(book, taker, end));
    }
  }

  /** A market order's rest was stopped by the collar if there is still liquidity beyond it. */
  function reasonOfRest(book: Book, taker: Taker, end: MatchEnd): CloseReason {
    const isMarket = orders.kind(taker.slot) === kindCode('market');
    return isMarket && end === 'exhausted' && book.best(opposite(taker.side)) >= 0 ? 'collar' : 'unfilledRest';
  }

  function rest(book: Book, taker: Taker): void {
    const { slot } = taker;
    const price = orders.price(slot);
    const unit = price * book.quotePerTickLot;
    if (boundsExecutedQuote(state) && !fitsExecutedQuote(taker.executedQuote, taker.remaining, unit)) {
      closeIncoming(slot, 'byExchange');
      return;
    }
    const level = book.side(taker.side).lookup(priceKey(taker.side, price));
    if (level >= 0 && tables.levels.lots(level) + taker.remaining > Number.MAX_SAFE_INTEGER) {
      closeIncoming(slot, 'byExchange');
      return;
    }
    linkOpen(state, slot);
    tables.enterIndexes(slot);
    const joined = tables.enqueue(book, taker.side, slot, level);
    emitLevelChanged(state, book, { side: taker.side, price, lots: tables.levels.lots(joined) });
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
  return end === 'exhausted' && taker.remainingBudget < taker.lastFillPrice * book.quotePerTickLot;
}
