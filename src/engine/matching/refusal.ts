import { shareDown, shareUp } from '#domain/fees.ts';
import type { OrderRequest } from '#domain/order.ts';
import type { RejectReason } from '#domain/rejection.ts';
import type { AccountId } from '#domain/units.ts';
import { accountFlag } from '#engine/accounts/account-table.ts';
import type { Book } from '#engine/book/book.ts';
import { kindCode } from '#engine/book/order-flags.ts';
import { collarPrice } from '#engine/matching/collar.ts';
import type { MeetBook } from '#engine/matching/meet-book.ts';
import type { EngineState } from '#engine/state.ts';

/** Why orders would be refused now, `null` if they would not. Asking changes nothing. */
export interface Refusals {
  /** The first reason that applies, in the order of DEC-ORD-04, of those that come before client ids. DEC-ORD-18. */
  beforeId(account: AccountId, order: OrderRequest): RejectReason | null;
  /** The first of the rest, for an order that `beforeId` let pass. DEC-ORD-09, DEC-ORD-10. */
  afterId(account: AccountId, order: OrderRequest, isIdInUse: boolean): RejectReason | null;
}

/** The refusals of one engine. */
export function createRefusals(state: EngineState, meet: MeetBook): Refusals {
  const { accounts } = state;
  const { balances } = state.ledger;

  function beforeId(account: AccountId, order: OrderRequest): RejectReason | null {
    const book = state.books[order.symbol];
    if (book === undefined) return 'unknownSymbol';
    return (
      refusalByRules(book, order) ??
      refusalByTerms(order) ??
      refusalBySize(book, order) ??
      refusalByBand(book, order) ??
      refusalByAccount(account, order)
    );
  }

  function afterId(account: AccountId, order: OrderRequest, isIdInUse: boolean): RejectReason | null {
    const book = state.books[order.symbol]!;
    return (
      (isIdInUse ? 'clientOrderIdInUse' : null) ??
      refusalByLiquidity(book, order) ??
      refusalByFunds(book, account, order)
    );
  }

  function refusalByAccount(account: AccountId, order: OrderRequest): RejectReason | null {
    if (!accounts.isUser(account)) return 'unknownAccount';
    if (accounts.has(account, accountFlag.unusable)) return 'accountNotUsable';
    const mayRest = order.kind === 'limit' || order.kind === 'postOnly';
    return mayRest && accounts.openCount(account) >= accounts.openMax(account) ? 'tooManyOpenOrders' : null;
  }

  function refusalByFunds(book: Book, account: AccountId, order: OrderRequest): RejectReason | null {
    const isBuy = order.side === 'buy';
    const row = balances.find(account, isBuy ? book.quote : book.base);
    const free = row < 0 ? 0 : balances.free.near(row);
    if (free >= fundsAtWorst(book, order) || free >= fundsNeeded(book, account, order, free)) return null;
    return isBuy ? 'notEnoughQuote' : 'notEnoughBase';
  }

  /**
   * What an order may have to give at worst, in the asset that it gives; beyond `free` some number that is more.
   * DEC-ORD-19, DEC-ORD-34.
   */
  function fundsNeeded(book: Book, account: AccountId, order: OrderRequest, free: number): number {
    const isBuy = order.side === 'buy';
    if (order.kind !== 'market' || isBuy === (order.budget !== null)) return fundsAtWorst(book, order);
    const met = meet(book, account, order, { affordable: free });
    return isBuy ? met.quote : met.lots * book.basePerLot;
  }

  /** At least what `fundsNeeded` answers, told without looking into the book: no fill is worse than the limit. */
  function fundsAtWorst(book: Book, order: OrderRequest): number {
    if (order.quantity === null) return order.side === 'buy' ? order.budget! : Number.POSITIVE_INFINITY;
    if (order.side === 'sell') return order.quantity * book.basePerLot;
    return notional(book, order.price ?? collarPrice(state, book, 0), order.quantity);
  }

  return { beforeId, afterId };
}

function refusalByRules(book: Book, order: OrderRequest): RejectReason | null {
  if ((book.allowed(order.side === 'buy' ? 0 : 1) & (1 << kindCode(order.kind))) !== 0) return null;
  const { rules } = book;
  if (rules.status !== 'online') return 'tradingSuspended';
  if (!rules.apiTradingAllowed) return 'apiTradingOff';
  const { tradeSideType } = rules;
  if (tradeSideType !== 'all' && tradeSideType !== (order.side === 'buy' ? 'buyOnly' : 'sellOnly'))
    return 'sideNotAllowed';
  return order.kind === 'market' ? 'marketNotAllowed' : 'kindNotAllowed';
}

/** Zero is well formed: it is below every minimum. DEC-ORD-41. */
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

/** Price times quantity in quote units; beyond 2^53 some number that is greater still. */
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

/** Price at which a market order by quantity is sized: the last, else the best opposing; 0 when there is neither. */
function marketReference(book: Book, order: OrderRequest): number {
  if (book.lastPrice !== 0) return book.lastPrice;
  const opposing = order.side === 'buy' ? 1 : 0;
  return book.best(opposing) < 0 ? 0 : book.bestPrice(opposing);
}

/** PERCENT_PRICE_BY_SIDE: buys of three types, sells of every priced type. SPEC-ORD-19, DEC-ORD-14. */
function refusalByBand(book: Book, order: OrderRequest): RejectReason | null {
  const { lastPrice } = book;
  if (order.price === null || lastPrice === 0) return null;
  // A filter that is off has no number for a bound, and nothing is beyond that.
  if (order.side === 'sell')
    return order.price < shareUp(lastPrice, book.askMultiplierDownPpm) ? 'priceOutsideBand' : null;
  if (order.kind === 'postOnly') return null;
  return order.price > shareDown(lastPrice, book.bidMultiplierUpPpm) ? 'priceOutsideBand' : null;
}

function refusalByLiquidity(book: Book, order: OrderRequest): RejectReason | null {
  if (order.kind !== 'postOnly' && order.kind !== 'market') return null;
  const opposing = order.side === 'buy' ? 1 : 0;
  const isEmpty = book.best(opposing) < 0;
  if (order.kind === 'market') return isEmpty ? 'noOpposingOrder' : null;
  if (isEmpty) return null;
  const price = book.bestPrice(opposing);
  const wouldTake = order.side === 'buy' ? order.price! >= price : order.price! <= price;
  return wouldTake ? 'wouldTakeLiquidity' : null;
}
