import { markDecimals } from '#model/contract.ts';
import type { PriceTicks } from '#model/units.ts';

/** What a spot market trades at now. */
export interface SpotPrices {
  /** `null`: the side is empty. */
  readonly bid: PriceTicks | null;
  readonly ask: PriceTicks | null;
  /** `null` before the first trade. */
  readonly last: PriceTicks | null;
}

/**
 * Twice the last price, drawn to the nearer of best bid and ask where it lies outside of them; twice their middle
 * before the first trade.
 */
function doublePrice({ bid, ask, last }: SpotPrices): number | null {
  if (bid === null || ask === null) return null;
  return last === null ? bid + ask : 2 * Math.min(Math.max(last, bid), ask);
}

/** Half of a doubled price in ticks as steps of 10^-markDecimals, rounded down; `null` if that is 0 or not exact. */
function inSteps(double: number, priceDecimals: number): number | null {
  const places = markDecimals - priceDecimals;
  const steps =
    places >= 0 ? (BigInt(double) * 10n ** BigInt(places)) / 2n : BigInt(double) / 2n / 10n ** BigInt(-places);
  return steps > 0n && steps <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(steps) : null;
}

/** Index price of a spot market, in steps of 10^-markDecimals; `null` where it is not live. DEC-FUT-41. */
export function spotIndexPrice(prices: SpotPrices, priceDecimals: number): number | null {
  const double = doublePrice(prices);
  return double === null ? null : inSteps(double, priceDecimals);
}
