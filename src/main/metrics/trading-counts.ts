import type { EventSink } from '#model/events.ts';
import { type CloseReason, closeReasons } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { SymbolId } from '#model/units.ts';

/** Counts of what happened in books and of what was refused, since they were subscribed to the events. */
export interface TradingCounts {
  readonly sink: Partial<EventSink>;
  accepted(symbol: SymbolId): number;
  refused(symbol: SymbolId): number;
  closed(symbol: SymbolId, reason: CloseReason): number;
  trades(symbol: SymbolId): number;
  /** Reasons that refused anything, in no order. */
  refusals(): readonly (readonly [RejectReason, number])[];
}

/** Counts one more of a kind. */
function increment<Kind>(counts: Map<Kind, number>, kind: Kind): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

/** Counts from nothing. */
export function createTradingCounts(): TradingCounts {
  const accepted = new Map<SymbolId, number>();
  const refused = new Map<SymbolId, number>();
  const trades = new Map<SymbolId, number>();
  const closed = Object.fromEntries(closeReasons.map((reason) => [reason, new Map()])) as Record<
    CloseReason,
    Map<SymbolId, number>
  >;
  const refusals = new Map<RejectReason, number>();
  return {
    sink: {
      orderAccepted: ({ symbol }) => increment(accepted, symbol),
      orderRefused: (_account, symbol, reason) => {
        // A symbol that is not listed can be any number, and there is no end to those.
        if (reason !== 'unknownSymbol') increment(refused, symbol);
        increment(refusals, reason);
      },
      cancelRefused: (_account, _symbol, reason) => increment(refusals, reason),
      tradeExecuted: ({ symbol }) => increment(trades, symbol),
      orderClosed: ({ symbol, closeReason }) => {
        if (closeReason !== null) increment(closed[closeReason], symbol);
      },
      fact: (fact) => {
        if (fact.kind === 'commandRefused') increment(refusals, fact.reason);
      },
    },
    accepted: (symbol) => accepted.get(symbol) ?? 0,
    refused: (symbol) => refused.get(symbol) ?? 0,
    closed: (symbol, reason) => closed[reason].get(symbol) ?? 0,
    trades: (symbol) => trades.get(symbol) ?? 0,
    refusals: () => [...refusals],
  };
}
