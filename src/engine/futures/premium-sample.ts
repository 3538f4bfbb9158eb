import { clamped, dividedNearest } from '#base/whole-numbers.ts';
import { rateScale } from '#engine/state/futures/funding-rate.ts';

/**
 * The premium of a contract over its index, in parts per 10^8 and rounded to the nearest: (max(0, impact bid − index) −
 * max(0, index − impact ask)) / index, within ±100 %. A side without depth, whose impact price is 0, counts as 0.
 * DEC-FUT-13, DEC-FUT-26.
 */
export function premiumSample(index: number, impactBid: number, impactAsk: number): number {
  const above = impactBid > index ? BigInt(impactBid - index) : 0n;
  const below = impactAsk > 0 && impactAsk < index ? BigInt(index - impactAsk) : 0n;
  return Number(clamped(dividedNearest((above - below) * rateScale, BigInt(index)), -rateScale, rateScale));
}
