import type { Fraction } from './fraction.ts';
import { isAtMost, times, whole } from './fraction.ts';
import type { NaiveState, NaiveSymbol } from './naive-state.ts';
import { baseUnit, openLots, quoteUnit } from './naive-state.ts';

const minuteMs = 60_000;

/** A guarded price: of two known prices both, else one twice. */
export interface NaivePrice {
  readonly low: Fraction;
  readonly high: Fraction;
}

const minuteOf = (at: number): number => Math.floor(at / minuteMs);
const exactly = (price: Fraction): NaivePrice => ({ low: price, high: price });
const symbolOf = (state: NaiveState, base: number, quote: number): NaiveSymbol | undefined =>
  state.symbols.find(({ listing }) => listing.base === base && listing.quote === quote);

/** What one smallest unit of an asset is worth in smallest units of another, by the last price; `null` without one. */
export function lastWorth(state: NaiveState, symbol: NaiveSymbol | undefined): Fraction | null {
  if (symbol === undefined || symbol.lastPrice === null) return null;
  return { over: BigInt(symbol.lastPrice) * quoteUnit(state, symbol), under: baseUnit(state, symbol) };
}

/** By all trades of this minute and the 14 before, if there were some in three minutes. */
function weightedWorth(state: NaiveState, symbol: NaiveSymbol): Fraction | null {
  const recent = state.trades.filter(
    (trade) => trade.symbol === symbol.id && minuteOf(trade.at) > minuteOf(state.at) - 15,
  );
  if (new Set(recent.map(({ at }) => minuteOf(at))).size < 3) return null;
  const quote = recent.reduce((sum, trade) => sum + trade.quote, 0n);
  const lots = recent.reduce((sum, trade) => sum + BigInt(trade.lots), 0n);
  return { over: quote, under: lots * baseUnit(state, symbol) };
}

/** Half way between the best prices, if each side has the depth at prices within 2 % of there. */
function middleWorth(state: NaiveState, symbol: NaiveSymbol, depth: Fraction): Fraction | null {
  const [bid] = symbol.bids;
  const [ask] = symbol.asks;
  if (bid === undefined || ask === undefined) return null;
  const twice = BigInt(bid.price) + BigInt(ask.price);
  const isNear = (price: number): boolean => {
    const away = 2n * BigInt(price) - twice;
    return (away < 0n ? -away : away) * 100n <= 2n * twice;
  };
  for (const side of [symbol.bids, symbol.asks]) {
    const near = side.filter(({ price }) => isNear(price));
    const quote = near.reduce((sum, order) => sum + BigInt(order.price) * BigInt(openLots(order)), 0n);
    if (!isAtMost(depth, whole(quote * quoteUnit(state, symbol)))) return null;
  }
  return { over: twice * quoteUnit(state, symbol), under: 2n * baseUnit(state, symbol) };
}

/** Of three known prices the middle one, of two both. */
function medianWorth(state: NaiveState, symbol: NaiveSymbol, depth: Fraction): NaivePrice | null {
  const all = [lastWorth(state, symbol), weightedWorth(state, symbol), middleWorth(state, symbol, depth)];
  const known = all.filter((price) => price !== null).sort((one, other) => (isAtMost(one, other) ? -1 : 1));
  if (known.length < 2) return null;
  state.meet(`guarded price of ${known.length}`);
  return known.length === 3 ? exactly(known[1] as Fraction) : { low: known[0]!, high: known[1]! };
}

function directWorth(state: NaiveState, asset: number, valuedIn: number): NaivePrice | null {
  if (asset === valuedIn) return exactly(whole(1n));
  const reference = state.references.get(asset);
  if (reference !== undefined && state.at < reference.until) {
    state.meet('guarded price by reference');
    const over = reference.digits * 10n ** BigInt(state.scales[valuedIn] as number);
    return exactly({ over, under: 10n ** BigInt(reference.decimals + (state.scales[asset] as number)) });
  }
  const symbol = symbolOf(state, asset, valuedIn);
  return symbol === undefined ? null : medianWorth(state, symbol, depthIn(state, valuedIn));
}

const depthIn = (state: NaiveState, valuedIn: number): Fraction =>
  whole(1000n * 10n ** BigInt(state.scales[valuedIn] as number));

/** What rules take a unit of an asset to be worth; over the first pair that gives a price if its own gives none. */
export function guardedWorth(state: NaiveState, asset: number, valuedIn: number): NaivePrice | null {
  const direct = directWorth(state, asset, valuedIn);
  if (direct !== null) return direct;
  for (const symbol of state.symbols) {
    const { base, quote } = symbol.listing;
    if (base !== asset || quote === valuedIn) continue;
    const hop = directWorth(state, quote, valuedIn);
    if (hop === null) continue;
    const depth = depthIn(state, valuedIn);
    // The depth in whole units of the quote asset.
    const needed = whole((depth.over * hop.low.under) / hop.low.over);
    const price = medianWorth(state, symbol, needed);
    if (price !== null) return { low: times(price.low, hop.low), high: times(price.high, hop.high) };
  }
  return null;
}

/** Polling at the price of the token: in each minute before its first command, and when what decides it is set. */
export function lookAtToken(state: NaiveState): void {
  const { feeToken } = state;
  state.tokenWorth = feeToken === null ? null : (guardedWorth(state, feeToken.token, feeToken.valuedIn)?.low ?? null);
}

/** Passes on to the time of a command. */
export function lookAtPrices(state: NaiveState): void {
  if (minuteOf(state.at) <= state.lookedAt) return;
  state.lookedAt = minuteOf(state.at);
  state.trades = state.trades.filter(({ at }) => minuteOf(at) > minuteOf(state.at) - 15);
  lookAtToken(state);
}
