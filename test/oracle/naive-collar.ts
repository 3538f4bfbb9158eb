import type { OrderRequest } from '#model/order.ts';
import type { NaiveOrder, NaiveState, NaiveSymbol } from './naive-state.ts';

const million = 1_000_000n;

/** Resting orders that an order of this side would meet, best first, then oldest first. */
export const opposing = (symbol: NaiveSymbol, side: string): NaiveOrder[] =>
  side === 'buy' ? symbol.asks : symbol.bids;

/** Whether a price of the opposing side is within an order's own price. */
export const isWithin = (side: string, limit: number, price: number): boolean =>
  side === 'buy' ? price <= limit : price >= limit;

const between = (least: bigint, value: bigint, most: bigint): bigint => {
  if (value < least) return least;
  return value > most ? most : value;
};

/** How far a market order may walk, itself a price that an order can have; `null` without a price to start from. */
export function naiveCollar(symbol: NaiveSymbol, side: string): number | null {
  const best = opposing(symbol, side)[0];
  const reference = symbol.lastPrice ?? best?.price;
  if (reference === undefined) return null;
  const last = BigInt(reference);
  const share = BigInt(symbol.listing.collarPpm);
  const bound =
    side === 'buy' ? (last * (million + share)) / million : (last * (million - share) + million - 1n) / million;
  return Number(between(1n, bound, BigInt(Number.MAX_SAFE_INTEGER)));
}

/** An order as it is when it is accepted; a market order has somebody to trade with. */
export function newOrder(state: NaiveState, account: number, request: OrderRequest): NaiveOrder {
  const symbol = state.symbols[request.symbol] as NaiveSymbol;
  const price = request.kind === 'market' ? naiveCollar(symbol, request.side) : request.price;
  return {
    number: state.lastOrder + 1,
    account,
    request,
    price: price as number,
    executed: 0,
    executedQuote: 0n,
    fills: 0,
    held: 0n,
    toCome: 0n,
    closeReason: null,
    acceptedAt: state.at,
    updatedAt: state.at,
  };
}
