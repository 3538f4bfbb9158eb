import type { Pair } from '#web/data/markets.ts';
import type { Balance } from '#web/data/account.ts';
import { amountOf, costOf, type OrderCost, type OrderDraft } from '#web/pages/trade/order-cost.ts';
import { type PairUnits, plainText, rescaled, typed } from '#web/pages/trade/pair-units.ts';
import { type Ticket, typeOf } from '#web/pages/trade/ticket-state.ts';
import type { TokenFees } from '#web/pages/trade/token-fee.ts';

/** What a form says: an order with what it costs, and what is wrong with it. */
export interface CheckedTicket {
  readonly draft: OrderDraft;
  readonly cost: OrderCost;
  /** By field; `null`: nothing is wrong with it. */
  readonly faults: { readonly price: string | null; readonly quantity: string | null; readonly amount: string | null };
  /** It can be sent. */
  readonly isComplete: boolean;
}

interface Market {
  readonly pair: Pair;
  readonly units: PairUnits;
  /** The other side of the book: price and lots in turn. */
  readonly opposing: Float64Array;
  /** What the account owns of the asset that it gives; `null`: nobody is signed in. */
  readonly given: Balance | null;
  /** How fees are paid in the platform token; `null`: they are not. */
  readonly tokenFees: TokenFees | null;
}

function decimalFault(text: string, value: bigint | null, decimals: number, isNeeded: boolean): string | null {
  if (!isNeeded || text.trim() === '') return null;
  if (value === null) return `A number with up to ${decimals} decimals`;
  return value === 0n ? 'More than nothing' : null;
}

/** Whether an order is too small or too large for the pair; `null`: neither. */
function boundsFault({ pair, units }: Market, draft: OrderDraft, amount: bigint): string | null {
  const isMarket = draft.type === 'MARKET';
  const least = isMarket ? pair.quoteAmountPrecisionMarket : pair.quoteAmountPrecision;
  const most = isMarket ? pair.maxQuoteAmountMarket : pair.maxQuoteAmount;
  if (amount > 0n && amount < (typed(least, units.quoteScale) ?? 0n)) return `At least ${least} ${pair.quoteAsset}`;
  const bound = typed(most, units.quoteScale);
  if (bound !== null && bound > 0n && amount > bound) return `At most ${most} ${pair.quoteAsset}`;
  return null;
}

/** What the order takes out of the account at most, in units of the asset that it gives. */
function neededOf({ side, amount, quantity }: OrderDraft, cost: OrderCost, units: PairUnits): bigint {
  if (side === 'SELL') return quantity === null ? 0n : rescaled(quantity, units.quantityDecimals, units.baseScale);
  return amount ?? cost.takenAmount + cost.restsAmount;
}

function fundsFault(market: Market, draft: OrderDraft, cost: OrderCost): string | null {
  const { given, units, pair } = market;
  if (given === null) return null;
  const isBuy = draft.side === 'BUY';
  const scale = isBuy ? units.quoteScale : units.baseScale;
  const free = typed(given.free, scale) ?? 0n;
  if (neededOf(draft, cost, units) <= free) return null;
  return `More than your ${plainText(free, scale)} ${isBuy ? pair.quoteAsset : pair.baseAsset}`;
}

/** Reads a form and says what it would do. DEC-WEB-10. */
export function checkTicket(ticket: Ticket, market: Market): CheckedTicket {
  const { units, opposing, tokenFees } = market;
  const type = typeOf(ticket);
  const isMarket = type === 'MARKET';
  const isByAmount = isMarket && ticket.isByAmount;
  const price = isMarket ? null : typed(ticket.price, units.priceDecimals);
  const quantity = isByAmount ? null : typed(ticket.quantity, units.quantityDecimals);
  const amount = isByAmount ? typed(ticket.amount, units.quoteScale) : null;
  const draft: OrderDraft = { side: ticket.side, type, price, quantity, amount };
  const isRead = (isMarket || price !== null) && (isByAmount ? amount !== null : quantity !== null);
  const readable = isRead ? draft : { ...draft, quantity: 0n, amount: null, price: price ?? 0n };
  const cost = costOf(readable, opposing, units, tokenFees);
  const whole = price !== null && quantity !== null ? amountOf(price, quantity, units) : cost.takenAmount;
  const bounds = isRead ? (boundsFault(market, draft, amount ?? whole) ?? fundsFault(market, draft, cost)) : null;
  const faults = {
    price: decimalFault(ticket.price, price, units.priceDecimals, !isMarket),
    quantity:
      decimalFault(ticket.quantity, quantity, units.quantityDecimals, !isByAmount) ?? (isByAmount ? null : bounds),
    amount: decimalFault(ticket.amount, amount, units.quoteScale, isByAmount) ?? (isByAmount ? bounds : null),
  };
  const isPositive = (isMarket || price !== 0n) && (isByAmount ? amount !== 0n : quantity !== 0n);
  const isFaultless = faults.price === null && faults.quantity === null && faults.amount === null;
  return { draft, cost, faults, isComplete: isRead && isPositive && isFaultless };
}
