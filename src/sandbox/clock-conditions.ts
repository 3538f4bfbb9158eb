import type { OrderStatus } from '#model/order.ts';
import type { OrderNumber, PriceTicks, SymbolId } from '#model/units.ts';
import type { EventFeed } from '#sequencer/event-feed.ts';

/*
 * What a clock can be advanced until: something happens on the exchange, seen by its events, so that nothing between
 * two steps is missed. DEC-KIT-04.
 */

/** Whether what is waited for has happened, or cannot happen any more; `null`: neither. */
export type ConditionOutcome = 'met' | 'impossible' | null;

/** A condition that is watched from its making on. */
export interface WatchedCondition {
  readonly outcome: () => ConditionOutcome;
  /** Ends the watching. */
  readonly end: () => void;
}

/** What is waited for of an order: that it is closed in any way, or that it is filled. */
export type OrderEnd = 'closed' | 'filled';

/** What a status says of the end of an order. */
export function outcomeOfStatus(status: OrderStatus, wanted: OrderEnd): ConditionOutcome {
  if (status === 'new' || status === 'partiallyFilled') return null;
  return wanted === 'closed' || status === 'filled' ? 'met' : 'impossible';
}

/** Until an order ends. */
export function untilOrder(feed: EventFeed, order: OrderNumber, wanted: OrderEnd): WatchedCondition {
  let outcome: ConditionOutcome = null;
  const end = feed.subscribe({
    orderClosed: (closed) => {
      if (closed.order === order) outcome ??= outcomeOfStatus(closed.status, wanted);
    },
  });
  return { outcome: () => outcome, end };
}

/** Prices in ticks at or beyond which one counts as crossed; `null`: none on that side. */
export interface PriceBounds {
  readonly above: number | null;
  readonly below: number | null;
}

/** Whether a price is at or beyond one of the bounds. */
export const isCrossed = ({ above, below }: PriceBounds, price: PriceTicks): boolean =>
  (above !== null && price >= above) || (below !== null && price <= below);

/** Until a pair or contract trades at or beyond a price. */
export function untilPrice(feed: EventFeed, symbol: SymbolId, bounds: PriceBounds): WatchedCondition {
  let isMet = false;
  const end = feed.subscribe({
    tradeExecuted: (trade) => {
      if (trade.symbol === symbol && isCrossed(bounds, trade.price)) isMet = true;
    },
  });
  return { outcome: () => (isMet ? 'met' : null), end };
}

/** Until a funding of a contract is settled. */
export function untilFunding(feed: EventFeed, contract: SymbolId): WatchedCondition {
  let isMet = false;
  const end = feed.subscribe({
    fact: (fact) => {
      if (fact.kind === 'fundingSettled' && fact.funding.contract === contract) isMet = true;
    },
  });
  return { outcome: () => (isMet ? 'met' : null), end };
}
