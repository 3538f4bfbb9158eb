import { shareDown, shareUp } from '#model/fees.ts';
import { mayRest, type OrderRequest } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import { refusalBySymbol } from '#model/symbol.ts';
import type { AccountId } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { kindCode } from '#engine/book/order-flags.ts';
import { buySide, codeOfSide, opposite } from '#engine/book/side-code.ts';
import { refusalByContractTerms, refusalByMargin } from '#engine/futures/order-margin.ts';
import { collarPrice } from '#engine/spot/collar.ts';
import type { SimulateOrder } from '#engine/spot/simulate-order.ts';
import type { EngineState } from '#engine/state/state.ts';
import { isInDoubt } from '#engine/money/network-forks.ts';

/** Checks of an order before it is accepted: each returns why it is refused, `null` if it is not. Nothing changes. */
export interface Refusals {
  /**
   * Checks that precede the one of the client order id; the first reason in the order of DEC-ORD-04. A retry of an
   * accepted order is answered with that order even if there is such a reason today. DEC-ORD-18. `reduces`: an order
   * that only closes a position is taken in the state delivery too. DEC-FUT-57.
   */
  earlyRefusal(account: AccountId, order: OrderRequest, reduces?: boolean): RejectReason | null;
  /**
   * The other checks, for an order without an early refusal: client order id in use, liquidity, funds. DEC-ORD-09,
   * DEC-ORD-10. `reduces`: an order that only closes a position needs none.
   */
  lateRefusal(account: AccountId, order: OrderRequest, isIdInUse: boolean, reduces?: boolean): RejectReason | null;
}

/** Creates the checks of one engine. */
export function createRefusals(state: EngineState, simulateOrder: SimulateOrder): Refusals {
  const { accounts, trading } = state;
  const { balances } = state.ledger;

  function earlyRefusal(account: AccountId, order: OrderRequest, reduces = false): RejectReason | null {
    const book = state.books[order.symbol];
    if (book === undefined) return 'unknownSymbol';
    if (!trading.isOpen) return book.isContract ? 'contractNotTradable' : 'tradingSuspended';
    return (
      (reduces && isInDelivery(book) ? null : refusalByRules(book, order)) ??
      refusalByTerms(order) ??
      refusalBySize(book, order) ??
      (book.isContract ? refusalByContractTerms(state, book, order) : null) ??
      refusalByPercentPrice(book, order) ??
      refusalByAccount(book, account, order)
    );
  }

  const isInDelivery = (book: Book): boolean => state.contracts.get(book.symbol)?.rules.state === 'delivery';

  function lateRefusal(
    account: AccountId,
    order: OrderRequest,
    isIdInUse: boolean,
    reduces = false,
  ): RejectReason | null {
    const book = state.books[order.symbol]!;
    return (
      (isIdInUse ? 'clientOrderIdInUse' : null) ??
      refusalByLiquidity(book, order) ??
      (reduces
        ? null
        : book.isContract
          ? refusalByMargin(state, book, account, order)
          : refusalByFunds(book, account, order))
    );
  }

  /**
   * The account must exist, be usable, have its trading on, and have fewer open orders than its open-order cap. That of
   * an insurance fund is not usable for contracts. DEC-LIM-06, DEC-FUT-58, DEC-OPR-167.
   */
  function refusalByAccount(book: Book, account: AccountId, order: OrderRequest): RejectReason | null {
    if (!accounts.isUser(account)) return 'unknownAccount';
    if (accounts.isStopped(account)) return accounts.isUnusable(account) ? 'accountNotUsable' : 'tradingOffForAccount';
    if (isInDoubt(state, account)) return 'depositInDoubt';
    if (book.isContract && state.contracts.isInsurer(account)) return 'accountNotUsable';
    return mayRest(order) && accounts.openCount(account) >= accounts.openOrdersMax(account)
      ? 'tooManyOpenOrders'
      : null;
  }

  function refusalByFunds(book: Book, account: AccountId, order: OrderRequest): RejectReason | null {
    const isBuy = order.side === 'buy';
    const row = balances.find(account, isBuy ? book.quote : book.base);
    const free = row < 0 ? 0 : balances.free.near(row);
    if (free >= fundsAtWorst(book, order) || free >= fundsNeeded(book, account, order, free)) return null;
    return isBuy ? 'notEnoughQuote' : 'notEnoughBase';
  }

  /**
   * The greatest amount that an order may pay, in the asset it pays with. Above `free`, any larger number is returned.
   * DEC-ORD-19, DEC-ORD-34.
   */
  function fundsNeeded(book: Book, account: AccountId, order: OrderRequest, free: number): number {
    const isBuy = order.side === 'buy';
    if (order.kind !== 'market' || isBuy === (order.budget !== null)) return fundsAtWorst(book, order);
    const simulated = simulateOrder(book, account, order, { affordable: free });
    return isBuy ? simulated.quote : simulated.lots * book.basePerLot;
  }

  /** Upper bound of `fundsNeeded` that does not read the book: no fill is worse than the limit. */
  function fundsAtWorst(book: Book, order: OrderRequest): number {
    if (order.quantity === null) return order.side === 'buy' ? order.budget! : Number.POSITIVE_INFINITY;
    if (order.side === 'sell') return order.quantity * book.basePerLot;
    return notional(book, order.price ?? collarPrice(book, buySide), order.quantity);
  }

  return { earlyRefusal, lateRefusal };
}

/** What the book keeps of the rules answers for nearly every order; the rules tell the reason. */
function refusalByRules(book: Book, { side, kind }: OrderRequest): RejectReason | null {
  if ((book.allowed(codeOfSide(side)) & (1 << kindCode(kind))) !== 0) return null;
  if (book.isContract && book.rules.status !== 'online') return 'contractNotTradable';
  return refusalBySymbol(book.rules, side, kind);
}

/** Zero is well formed; it is refused later, as below every minimum. DEC-ORD-41. */
const isAmount = (value: number | null): boolean => value !== null && Number.isSafeInteger(value) && value >= 0;

function refusalByTerms(order: OrderRequest): RejectReason | null {
  const isMarket = order.kind === 'market';
  const isIdFit = order.clientOrderId === null || order.clientOrderId.length > 0;
  const wellFormed =
    (isMarket
      ? order.price === null &&
        (order.quantity === null) !== (order.budget === null) &&
        isAmount(order.quantity ?? order.budget)
      : isAmount(order.price) && order.price !== 0 && isAmount(order.quantity) && order.budget === null) && isIdFit;
  return wellFormed ? null : 'malformedOrder';
}

/** Price times quantity in quote units; inexact above 2^53, but still above every bound. */
const notional = (book: Book, price: number, lots: number): number => price * lots * book.quotePerTickLot;

function refusalBySize(book: Book, order: OrderRequest): RejectReason | null {
  const isMarket = order.kind === 'market';
  const lots = order.quantity;
  if (lots !== null && (lots < book.minLots || lots === 0)) return 'belowMinimumQuantity';
  const amount = lots === null ? order.budget! : notional(book, order.price ?? marketReference(book, order), lots);
  if (lots === null && amount === 0) return 'belowMinimumAmount';
  if (amount < book.minNotional(isMarket) && (amount > 0 || lots === null)) return 'belowMinimumAmount';
  if (amount > book.maxNotional(isMarket)) return 'aboveMaximumAmount';
  if (lots !== null && lots * book.basePerLot > Number.MAX_SAFE_INTEGER) return 'aboveMaximumAmount';
  return null;
}

/**
 * Reference price for the notional of a market order by quantity: the last price, else the best opposing one; 0 if
 * there is neither.
 */
function marketReference(book: Book, order: OrderRequest): number {
  if (book.lastPrice !== 0) return book.lastPrice;
  const opposing = opposite(codeOfSide(order.side));
  return book.best(opposing) < 0 ? 0 : book.bestPrice(opposing);
}

/**
 * Percent price filter (PERCENT_PRICE_BY_SIDE): how far a price may be from the last price. It checks sells of every
 * kind with a price, and buys except post-only ones. SPEC-ORD-19, DEC-ORD-14.
 */
function refusalByPercentPrice(book: Book, order: OrderRequest): RejectReason | null {
  const { lastPrice } = book;
  if (order.price === null || lastPrice === 0) return null;
  // The bound of a filter that is off is NaN, and every comparison with NaN is false.
  if (order.side === 'sell')
    return order.price < shareUp(lastPrice, book.askMultiplierDownPpm) ? 'priceOutsideBand' : null;
  if (order.kind === 'postOnly') return null;
  return order.price > shareDown(lastPrice, book.bidMultiplierUpPpm) ? 'priceOutsideBand' : null;
}

/** Post-only orders must not match; market orders need an opposing order. */
function refusalByLiquidity(book: Book, order: OrderRequest): RejectReason | null {
  if (order.kind !== 'postOnly' && order.kind !== 'market') return null;
  const opposing = opposite(codeOfSide(order.side));
  const isEmpty = book.best(opposing) < 0;
  if (order.kind === 'market') return isEmpty ? 'noOpposingOrder' : null;
  if (isEmpty) return null;
  const price = book.bestPrice(opposing);
  const wouldTake = order.side === 'buy' ? order.price! >= price : order.price! <= price;
  return wouldTake ? 'wouldTakeLiquidity' : null;
}
