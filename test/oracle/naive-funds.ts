import type { OrderRequest } from '#model/order.ts';
import type { RejectReason } from '#model/rejection.ts';
import { newOrder } from './naive-collar.ts';
import { runOrder } from './naive-matching.ts';
import type { NaiveOrder, NaiveState, NaiveSymbol } from './naive-state.ts';
import { baseUnit, goesByBudget, notionalOf } from './naive-state.ts';

/** What all fills of an order would be: it is placed on a copy of the exchange and looked at afterwards. */
function trial(state: NaiveState, account: number, request: OrderRequest): NaiveOrder {
  const copy = state.copyFor(request.symbol);
  const order = newOrder(copy, account, request);
  runOrder(copy, order);
  return order;
}

/** What the fills of an order will take of the asset it gives, in smallest units. */
export function amountOfFills(state: NaiveState, account: number, request: OrderRequest): bigint {
  const { executed, executedQuote } = trial(state, account, request);
  if (request.side === 'buy') return executedQuote;
  return BigInt(executed) * baseUnit(state, state.symbols[request.symbol] as NaiveSymbol);
}

/** Most that an order may take of what its account has free, in units of the asset it gives. */
export function fundsNeeded(state: NaiveState, account: number, request: OrderRequest): bigint {
  const symbol = state.symbols[request.symbol] as NaiveSymbol;
  const byBudget = goesByBudget(request);
  if (request.side === 'buy') {
    if (request.kind !== 'market') {
      return notionalOf(state, symbol, request.price as number, request.quantity as number);
    }
    return byBudget ? BigInt(request.budget as number) : amountOfFills(state, account, request);
  }
  if (byBudget) return amountOfFills(state, account, request);
  return BigInt(request.quantity as number) * baseUnit(state, symbol);
}

/** Funds are the last thing that is looked at: a market order has somebody to trade with by then. */
export function fundsRefusal(state: NaiveState, account: number, request: OrderRequest): RejectReason | null {
  const { base, quote } = (state.symbols[request.symbol] as NaiveSymbol).listing;
  const isBuy = request.side === 'buy';
  const spare = state.freeOf(account, isBuy ? quote : base) - fundsNeeded(state, account, request);
  const way = goesByBudget(request) ? 'budget' : 'quantity';
  const order = `${request.kind} ${request.side} by ${way}`;
  if (spare === 0n) state.meet(`funds of ${order} just enough`);
  if (spare === -1n) state.meet(`funds of ${order} one unit short`);
  if (spare >= 0n) return null;
  return isBuy ? 'notEnoughQuote' : 'notEnoughBase';
}
