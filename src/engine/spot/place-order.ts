import { futuresWalletOf } from '#model/account.ts';
import { holdOwnerNumbers } from '#model/hold.ts';
import { mayRest, type CloseReason, type OrderRequest } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import { as, type AccountId, type Lots } from '#model/units.ts';
import { priceKey, type Book } from '#engine/book/book.ts';
import { kindCode, packFlags, stpCode } from '#engine/book/order-flags.ts';
import type { OrderCursor } from '#engine/book/order-cursor.ts';
import { noOrder } from '#engine/book/order-table.ts';
import { buySide, codeOfSide, opposite } from '#engine/book/side-code.ts';
import { holdOfOrder, orderMargin } from '#engine/futures/order-margin.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { Closing } from '#engine/spot/close-order.ts';
import { collarPrice } from '#engine/spot/collar.ts';
import { emitLevelChanged } from '#engine/spot/level-change.ts';
import { type Match, type MatchEnd, fitsExecutedQuote } from '#engine/spot/match.ts';
import { mayPayFeeFrom } from '#engine/spot/commission.ts';
import type { SimulateOrder } from '#engine/spot/simulate-order.ts';
import type { Refusals } from '#engine/spot/refusal.ts';
import { Taker } from '#engine/spot/taker.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Places one order. Emits exactly one of: accepted (then it is matched), repeated (idempotent retry by client order
 * id), refused.
 */
export type PlaceOrder = (account: AccountId, order: OrderRequest) => void;

/** Places orders, and those that only close a position of a contract. */
export interface Placing {
  readonly placeOrder: PlaceOrder;
  readonly reducePosition: PlaceOrder;
  /** Places an order of the exchange itself, of a kind that never rests: it is not checked, and it holds nothing. */
  readonly placeForExchange: PlaceOrder;
}

/** The parts that placing an order uses. */
export interface PlaceOrderParts {
  readonly refusals: Refusals;
  readonly simulateOrder: SimulateOrder;
  readonly match: Match;
  readonly closeIncoming: Closing['closeIncoming'];
}

/** Creates the function that places the orders of one engine. */
export function createPlaceOrder(state: EngineState, parts: PlaceOrderParts): Placing {
  const { refusals, simulateOrder, match, closeIncoming } = parts;
  const { tables, ledger, emit } = state;
  const { orders, clientIds } = tables;
  /** Reused for every order, so that placing one allocates nothing. */
  const incoming = new Taker(state);

  function placeOrder(account: AccountId, order: OrderRequest): void {
    const { clientOrderId } = order;
    const early = refusals.earlyRefusal(account, order);
    const known = clientOrderId === null ? noOrder : clientIds.lookup(account, clientOrderId, state.at);
    // Client-order-id idempotency: a retry with the same parameters answers the first order. DEC-ORD-18.
    if (known !== noOrder && isSameOrder(tables.viewOf(known), order)) {
      emit.orderRepeated(known);
      return;
    }
    const reason = early ?? refusals.lateRefusal(account, order, known !== noOrder);
    if (reason !== null) {
      emit.orderRefused(account, order.symbol, reason, clientOrderId === null ? null : clientOrderId.text);
      return;
    }
    execute(account, order, false);
  }

  /** Accepts an order that was checked, and matches it. */
  function execute(account: AccountId, order: OrderRequest, reduces: boolean): void {
    const book = state.books[order.symbol]!;
    const limit = order.price ?? collarPrice(book, codeOfSide(order.side));
    const slot = createRecord(book, account, order, limit);
    emit.orderAccepted(slot);
    if (book.isContract ? !reduces : mayRest(order)) openHold(book, slot, order);
    const taker = incoming.start(slot, limit, orders.hold(slot));
    if (taker.hold === noHold && !book.isContract) taker.neededByFills = amountNeededByFills(book, taker, order);
    const end = order.kind === 'fillOrKill' ? fillOrKill(book, taker, order) : match(book, taker);
    finish(book, taker, order, end);
    book.assertUncrossed();
  }

  function createRecord(book: Book, account: AccountId, order: OrderRequest, limit: number): number {
    const slot = orders.allocate();
    const isBuy = order.side === 'buy';
    const { base, quote } = book;
    const payer = book.isContract ? futuresWalletOf(account) : account;
    const gives = ledger.balances.row(payer, isBuy || book.isContract ? quote : base);
    const gets = book.isContract ? gives : ledger.balances.row(account, isBuy ? base : quote);
    tables.lastOrder += 1;
    orders.initialize(slot, {
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

  /** Opens a hold for the greatest amount that an order may pay, if it may rest; other orders pay from free balance. */
  function openHold(book: Book, slot: number, order: OrderRequest): void {
    const lots = order.quantity!;
    const amount = book.isContract
      ? marginOfIncoming(book, slot, order)
      : order.side === 'buy'
        ? order.price! * lots * book.quotePerTickLot
        : lots * book.basePerLot;
    const owner = { kind: holdOwnerNumbers.order, id: orders.number(slot) };
    orders.setHold(slot, ledger.openHold(orders.gives(slot), amount, owner, 'orderHold'));
  }

  function marginOfIncoming(book: Book, slot: number, order: OrderRequest): number {
    const { heldAt, amount } = holdOfOrder(state, book, orders.account(slot), order);
    incoming.heldAt = heldAt;
    return amount;
  }

  /**
   * Free balance that all fills of an order without a hold will take, if token deduction pays fees from the same
   * balance: fees must not use it. 0 if it does not.
   */
  function amountNeededByFills(book: Book, taker: Taker, order: OrderRequest): number {
    const isBuy = taker.side === buySide;
    if (!mayPayFeeFrom(state, taker.account, isBuy ? book.quote : book.base)) return 0;
    const simulated = simulateOrder(book, taker.account, order);
    return isBuy ? simulated.quote : simulated.lots * book.basePerLot;
  }

  /**
   * FOK (fill or kill): fills the whole order or nothing. Counts only liquidity that self-trade prevention does not
   * remove. DEC-ORD-50.
   */
  function fillOrKill(book: Book, taker: Taker, order: OrderRequest): MatchEnd {
    const { account, remaining } = taker;
    if (simulateOrder(book, account, order).lots === remaining) return match(book, taker);
    // Would it have been filled without prevention? Then prevention is why it is closed.
    return simulateOrder(book, account, order, { preventsSelfTrade: false }).lots === remaining ? 'stp' : 'exhausted';
  }

  /** After matching: closes the order, or rests what remains of it if its kind may rest. DEC-ORD-35. */
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

  /**
   * Why the unfilled rest is canceled: the market collar, if liquidity is left beyond it; else there was no liquidity.
   */
  function reasonOfRest(book: Book, taker: Taker, end: MatchEnd): CloseReason {
    const isMarket = orders.kind(taker.slot) === kindCode('market');
    return isMarket && end === 'exhausted' && book.best(opposite(taker.side)) >= 0 ? 'collar' : 'unfilledRest';
  }

  function rest(book: Book, taker: Taker): void {
    const { slot } = taker;
    const price = orders.price(slot);
    const unit = price * book.quotePerTickLot;
    if (!fitsExecutedQuote(taker.executedQuote, taker.remaining, unit)) {
      closeIncoming(slot, 'byExchange');
      return;
    }
    const level = book.side(taker.side).lookup(priceKey(taker.side, price));
    if (level >= 0 && tables.levels.lots(level) + taker.remaining > Number.MAX_SAFE_INTEGER) {
      closeIncoming(slot, 'byExchange');
      return;
    }
    if (book.isContract) lowerHold(book, taker, price);
    state.accounts.addOpenOrder(orders.account(slot), slot);
    tables.addToIndexes(slot);
    const joined = tables.enqueue(book, taker.side, slot, level);
    emitLevelChanged(state, book, { side: taker.side, price, lots: tables.levels.lots(joined) });
  }

  /** A sell that came to a higher bid trades at its limit once it rests, and holds for that. DEC-FUT-46. */
  function lowerHold(book: Book, { hold, account, heldAt, remaining }: Taker, limit: number): void {
    const surplus =
      orderMargin(state, book, account, heldAt, remaining) - orderMargin(state, book, account, limit, remaining);
    if (surplus > 0) ledger.release(hold, surplus, 'surplusRelease');
  }

  /**
   * Places an order that closes a position at most: its lots are cut to the position. It holds nothing, so it must be
   * of a kind that never rests. DEC-FUT-25.
   */
  function reducePosition(account: AccountId, order: OrderRequest): void {
    const { clientOrderId } = order;
    const early = reducingRefusal(order) ?? refusals.earlyRefusal(account, order, true);
    const known = clientOrderId === null ? noOrder : clientIds.lookup(account, clientOrderId, state.at);
    if (known !== noOrder && isSameReduction(tables.viewOf(known), order)) {
      emit.orderRepeated(known);
      return;
    }
    const lots = early === null ? reducibleLots(state, account, order) : 0;
    const cut = { ...order, quantity: as<Lots>(Math.min(lots, order.quantity ?? 0)) };
    const late = (): RejectReason | null => refusals.lateRefusal(account, cut, known !== noOrder, true);
    const reason = early ?? (lots === 0 ? 'noPosition' : late());
    if (reason === null) execute(account, cut, true);
    else emit.orderRefused(account, order.symbol, reason, clientOrderId === null ? null : clientOrderId.text);
  }

  function reducingRefusal(order: OrderRequest): RejectReason | null {
    if (state.books[order.symbol]?.isContract !== true) return 'unknownContract';
    return order.kind === 'market' || order.kind === 'immediateOrCancel' ? null : 'kindNotAllowed';
  }

  const placeForExchange: PlaceOrder = (account, order) => execute(account, order, true);

  return { placeOrder, reducePosition, placeForExchange };
}

/**
 * Client-order-id idempotency: whether a request with the client order id of an earlier order asks for the same order,
 * and so is a retry.
 */
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

/** Whether an order is a retry of one whose lots may have been cut to a position. */
const isSameReduction = (view: OrderCursor, order: OrderRequest): boolean =>
  view.askedQuantity <= (order.quantity ?? 0) && isSameOrder(view, { ...order, quantity: as(view.askedQuantity) });

/** Lots of an opposite position, which an order may close; 0 without one. */
function reducibleLots(state: EngineState, account: AccountId, order: OrderRequest): number {
  const lots = state.positions.find(account, order.symbol)?.lots ?? 0;
  return order.side === 'buy' ? Math.max(0, -lots) : Math.max(0, lots);
}

/** Whether the rest of the quote amount is too small to fill one more lot. DEC-ORD-13. */
function isBudgetSpent(taker: Taker, book: Book, end: MatchEnd): boolean {
  if (taker.executed === 0) return false;
  if (end === 'done') return true;
  return end === 'exhausted' && taker.remainingBudget < taker.lastFillPrice * book.quotePerTickLot;
}
