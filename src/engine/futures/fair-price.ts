import { bigMillion, clamped, dividedNearest, dividedUp } from '#base/whole-numbers.ts';
import { toMarkPrice } from '#engine/state/futures/mark-price.ts';
import { rateScale } from '#engine/state/futures/funding-rate.ts';

/** What a fair price follows from. Prices in steps of 10^-markDecimals. */
export interface FairInputs {
  readonly index: number;
  /** Of the last funding, in parts per 10^8. */
  readonly lastRate: number;
  /** Until the next funding: from 0 to the cycle. */
  readonly timeLeftMs: number;
  readonly cycleMs: number;
  /** Mean of mid − index over the last five minutes, as twice the sum of `basisCount` samples. */
  readonly basisTwiceSum: bigint;
  readonly basisCount: number;
  /** Price of the last trade; 0: there was none. */
  readonly last: number;
  /** How far the fair price may be from the index. */
  readonly limitPpm: number;
}

/**
 * The fair price in steps of 10^-markDecimals: the median of index × (1 + last rate × time left / cycle), index + mean
 * basis, and the last price, each rounded to the nearest. Without a sample of the basis or a trade that part is the
 * index. It is kept within the contract's limit around the index, so that the last price and the book move it no
 * further. DEC-FUT-12, DEC-FUT-26, DEC-FUT-100.
 */
export function fairPrice(inputs: FairInputs): number {
  const index = BigInt(inputs.index);
  const last = inputs.last === 0 ? index : BigInt(inputs.last);
  const limit = BigInt(inputs.limitPpm);
  const lowest = dividedUp(index * (bigMillion - limit), bigMillion);
  const highest = (index * (bigMillion + limit)) / bigMillion;
  return toMarkPrice(clamped(median(fundingPrice(inputs), index + meanBasis(inputs), last), lowest, highest));
}

function fundingPrice({ index, lastRate, timeLeftMs, cycleMs }: FairInputs): bigint {
  const whole = rateScale * BigInt(cycleMs);
  return dividedNearest(BigInt(index) * (whole + BigInt(lastRate) * BigInt(timeLeftMs)), whole);
}

const meanBasis = ({ basisTwiceSum, basisCount }: FairInputs): bigint =>
  basisCount === 0 ? 0n : dividedNearest(basisTwiceSum, BigInt(2 * basisCount));

function median(first: bigint, second: bigint, third: bigint): bigint {
  const [low, high] = first < second ? [first, second] : [second, first];
  if (third < low) return low;
  return third > high ? high : third;
}
