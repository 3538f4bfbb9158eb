import { shareUp } from '#model/fees.ts';
import type { OrderRequest } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { buySide, codeOfSide, sellSide, type SideCode } from '#engine/book/side-code.ts';
import { bigMillion, dividedUp } from '#base/whole-numbers.ts';
import { marksPerTick } from '#engine/state/futures/mark-price.ts';
import { initialMargin, leverageOf } from '#engine/futures/position-margin.ts';
import { exceedsRiskLimit, orderedLots } from '#engine/futures/risk-limit.ts';
import { collarPrice } from '#engine/spot/collar.ts';
import type { EngineState } from '#engine/state/state.ts';
import { freeMargin } from '#engine/futures/equity.ts';

/**
 * The price in ticks at which an incoming order costs most: of a buy its limit or the end of its collar; of a sell the
 * best bid, if that is higher. DEC-FUT-46.
 */
export function costliestPrice(book: Book, order: OrderRequest): number {
  const side = codeOfSide(order.side);
  const limit = order.price ?? collarPrice(book, side);
  return side === sellSide && book.best(buySide) >= 0 ? Math.max(limit, book.bestPrice(buySide)) : limit;
}

/** What so many lots of an order need at a price: margin and commission of a taker, each rounded up. DEC-FUT-46. */
export function orderMargin(state: EngineState, book: Book, account: AccountId, price: number, lots: number): number {
  const notional = price * lots * book.quotePerTickLot;
  return initialMargin(notional, leverageOf(state, account, book.symbol)) + shareUp(notional, book.feePpm(false));
}

/** So many lots at a price in ticks, bought or sold. */
export interface PricedLots {
  readonly side: SideCode;
  readonly price: number;
  readonly lots: number;
}

/**
 * Open loss: what lots lose at once that are bought above, or sold below, a mark price; rounded up, and 0 before the
 * first one. DEC-FUT-101.
 */
export function openLossAt(book: Book, { side, price, lots }: PricedLots, mark: number): bigint {
  if (mark === 0) return 0n;
  const perTick = marksPerTick(book.rules.priceDecimals);
  const above = BigInt(price) * perTick - BigInt(mark);
  const worse = side === buySide ? above : -above;
  return worse > 0n ? dividedUp(worse * BigInt(lots) * BigInt(book.quotePerTickLot), perTick) : 0n;
}

/** Open loss at the worse of fair price and index. DEC-FUT-102. */
export function openLoss(state: EngineState, book: Book, priced: PricedLots): bigint {
  const { fair, index } = state.marks.of(state.contracts.at(book.symbol).rules);
  return openLossAt(book, priced, priced.side === buySide ? Math.min(fair, index) : Math.max(fair, index));
}

/**
 * What an incoming order holds: initial margin and commission at the price at which it costs most, and its open loss at
 * its limit, or the end of its collar, against the fair price. DEC-FUT-46, DEC-FUT-101.
 */
export function holdOfOrder(
  state: EngineState,
  book: Book,
  account: AccountId,
  order: OrderRequest,
): { readonly heldAt: number; readonly amount: number } {
  const heldAt = costliestPrice(book, order);
  const { fair } = state.marks.of(state.contracts.at(book.symbol).rules);
  const loss = openLossAt(book, pricedAtWorst(book, order), fair);
  return { heldAt, amount: orderMargin(state, book, account, heldAt, order.quantity!) + Number(loss) };
}

/** Lots of an order at its limit or the end of its collar. */
function pricedAtWorst(book: Book, order: OrderRequest): PricedLots {
  const side = codeOfSide(order.side);
  return { side, price: order.price ?? collarPrice(book, side), lots: order.quantity! };
}

/** Terms that only pairs allow, the most lots of an order, and its price. DEC-FUT-22, DEC-FUT-52. */
export function refusalByContractTerms(state: EngineState, book: Book, order: OrderRequest): RejectReason | null {
  if (order.quantity === null) return 'malformedOrder';
  if (order.quantity > state.contracts.at(book.symbol).rules.maxLots) return 'aboveMaximumAmount';
  return isWithinBand(state, book, order) ? null : 'priceOutsideBand';
}

/** Price band: how far a limit may be from the index on the side where it would trade; none before it is known. */
function isWithinBand(state: EngineState, book: Book, { price, side }: OrderRequest): boolean {
  const index = BigInt(state.marks.indexOf(book.symbol));
  if (price === null || index === 0n) return true;
  const { bidLimitPpm, askLimitPpm, priceDecimals } = state.contracts.at(book.symbol).rules;
  const worth = BigInt(price) * marksPerTick(priceDecimals) * bigMillion;
  return side === 'buy'
    ? worth <= index * (bigMillion + BigInt(bidLimitPpm))
    : worth >= index * (bigMillion - BigInt(askLimitPpm));
}

/**
 * Risk limit and margin of an order that may open. It needs its open loss at the worse of fair price and index, of
 * which it holds that at the fair price. DEC-FUT-46, DEC-FUT-53, DEC-FUT-102.
 */
export function refusalByMargin(
  state: EngineState,
  book: Book,
  account: AccountId,
  order: OrderRequest,
): RejectReason | null {
  const { symbol } = book;
  const side = codeOfSide(order.side);
  const all = order.quantity! + orderedLots(state, account, symbol, side);
  if (exceedsRiskLimit(state, account, symbol, side === buySide ? all : -all)) return 'aboveRiskLimit';
  const price = costliestPrice(book, order);
  const loss = openLoss(state, book, pricedAtWorst(book, order));
  const needed = orderMargin(state, book, account, price, order.quantity!) + Number(loss);
  // Its limit or collar alone was checked before: a fill may be worth more, and what it needs besides.
  const isExact = Number.isSafeInteger(price * order.quantity! * book.quotePerTickLot) && Number.isSafeInteger(needed);
  if (!isExact) return 'aboveMaximumAmount';
  return BigInt(needed) > freeMargin(state, account, book.quote) ? 'notEnoughMargin' : null;
}
