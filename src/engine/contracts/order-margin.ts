import { shareUp } from '#domain/fees.ts';
import type { OrderRequest } from '#domain/order.ts';
import type { RejectReason } from '#domain/rejection.ts';
import type { AccountId } from '#domain/units.ts';
import type { Book } from '#engine/book/book.ts';
import { buySide, codeOfSide, sellSide } from '#engine/book/side-code.ts';
import { initialMargin, leverageOf, mostLots } from '#engine/contracts/position-margin.ts';
import { collarPrice } from '#engine/matching/collar.ts';
import { freeMargin } from '#engine/wallet/free-margin.ts';
import type { EngineState } from '#engine/state.ts';

/**
 * What an order of a contract holds: the margin of all its lots, and the greater of both fees, at the worst price for
 * it: of a buy its limit, of a sell its limit or the best bid, if that is higher. DEC-FUT-19.
 */
export function orderMargin(state: EngineState, book: Book, account: AccountId, order: OrderRequest): number {
  const limit = order.price ?? collarPrice(state, book, codeOfSide(order.side));
  const isSell = codeOfSide(order.side) === sellSide;
  const price = isSell && book.best(buySide) >= 0 ? Math.max(limit, book.bestPrice(buySide)) : limit;
  const notional = price * order.quantity! * book.quotePerTickLot;
  const fee = shareUp(notional, Math.max(book.feePpm(true), book.feePpm(false)));
  return initialMargin(notional, leverageOf(state, account, book.symbol)) + fee;
}

/** Terms that only pairs allow, and the most lots of an order. DEC-FUT-22. */
export function refusalByContractTerms(state: EngineState, book: Book, order: OrderRequest): RejectReason | null {
  if (order.quantity === null) return 'malformedOrder';
  return order.quantity > state.contracts.at(book.symbol).rules.maxLots ? 'aboveMaximumAmount' : null;
}

/** Risk limit and margin of an order that may open. DEC-FUT-19, DEC-FUT-21. */
export function refusalByMargin(
  state: EngineState,
  book: Book,
  account: AccountId,
  order: OrderRequest,
): RejectReason | null {
  const { symbol } = book;
  const lots = order.side === 'buy' ? order.quantity! : -order.quantity!;
  const after = (state.positions.find(account, symbol)?.lots ?? 0) + lots;
  const { rules } = state.contracts.at(symbol);
  const opens = Math.sign(after) === Math.sign(lots);
  if (opens && Math.abs(after) > mostLots(rules, leverageOf(state, account, symbol))) return 'aboveRiskLimit';
  const needed = orderMargin(state, book, account, order);
  // A sell may meet a bid at which its amount is none that fills have.
  if (!Number.isSafeInteger(needed)) return 'aboveMaximumAmount';
  return BigInt(needed) > freeMargin(state, account, book.quote) ? 'notEnoughMargin' : null;
}
