import { shareUp } from '#domain/fees.ts';
import type { OrderRequest } from '#domain/order.ts';
import type { RejectReason } from '#domain/rejection.ts';
import type { AccountId } from '#domain/units.ts';
import type { Book } from '#engine/book/book.ts';
import { buySide, codeOfSide, sellSide } from '#engine/book/side-code.ts';
import { marksPerTick } from '#engine/contracts/mark-price.ts';
import { initialMargin, leverageOf } from '#engine/contracts/position-margin.ts';
import { exceedsRiskLimit, orderedLots } from '#engine/contracts/risk-limit.ts';
import { collarPrice } from '#engine/matching/collar.ts';
import { freeMargin } from '#engine/wallet/free-margin.ts';
import type { EngineState } from '#engine/state.ts';

const million = 1_000_000n;

/**
 * The price in ticks at which an incoming order costs most: of a buy its limit or the end of its collar; of a sell the
 * best bid, if that is higher. DEC-FUT-46.
 */
export function costliestPrice(state: EngineState, book: Book, order: OrderRequest): number {
  const side = codeOfSide(order.side);
  const limit = order.price ?? collarPrice(state, book, side);
  return side === sellSide && book.best(buySide) >= 0 ? Math.max(limit, book.bestPrice(buySide)) : limit;
}

/** What so many lots of an order need at a price: margin and commission of a taker, each rounded up. DEC-FUT-46. */
export function orderMargin(state: EngineState, book: Book, account: AccountId, price: number, lots: number): number {
  const notional = price * lots * book.quotePerTickLot;
  return initialMargin(notional, leverageOf(state, account, book.symbol)) + shareUp(notional, book.feePpm(false));
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
  const worth = BigInt(price) * marksPerTick(priceDecimals) * million;
  return side === 'buy'
    ? worth <= index * (million + BigInt(bidLimitPpm))
    : worth >= index * (million - BigInt(askLimitPpm));
}

/** Risk limit and margin of an order that may open. DEC-FUT-46, DEC-FUT-53. */
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
  const price = costliestPrice(state, book, order);
  const needed = orderMargin(state, book, account, price, order.quantity!);
  // Its limit or collar alone was checked before: a fill may be worth more, and what it needs besides.
  const isExact = Number.isSafeInteger(price * order.quantity! * book.quotePerTickLot) && Number.isSafeInteger(needed);
  if (!isExact) return 'aboveMaximumAmount';
  return BigInt(needed) > freeMargin(state, account, book.quote) ? 'notEnoughMargin' : null;
}
