import type { ContractRules } from '#model/contract.ts';
import { clamped, dividedNearest } from '#base/whole-numbers.ts';

/** Rates of funding and premiums are in parts of this. */
export const rateScale = 100_000_000n;
/** 0.05 % in parts per 10^8: how far interest may pull the rate from the premium. */
const interestPull = 50_000n;
/** 0.01 % per eight hours, in parts per 10^8 and hour. */
const interestPerHour = 1250n;
/** Parts per 10^8 in one part per million. */
const partsPerPpm = 100n;

const hourMs = 3_600_000;

/** Time between two fundings, in milliseconds. */
export const fundingCycleMs = ({ fundingHours }: Pick<ContractRules, 'fundingHours'>): number => fundingHours * hourMs;

/** The first funding after `at`: a multiple of the cycle since 1970 UTC. DEC-FUT-14. */
export const nextFundingAfter = (at: number, cycleMs: number): number => (Math.floor(at / cycleMs) + 1) * cycleMs;

/** Rules of a contract that its funding rate follows from. */
export type FundingBounds = Pick<ContractRules, 'fundingHours' | 'minFundingPpm' | 'maxFundingPpm'>;

/**
 * The funding rate in parts per 10^8: F = P + clamp(I − P, ±0.05 %), clamped to the bounds of the contract. P is the
 * plain mean of the premium samples, rounded to the nearest, and 0 without a sample; I is 0.01 % × cycle / 8 h.
 * DEC-FUT-13, DEC-FUT-26.
 */
export function fundingRate(premiumSum: bigint, premiumCount: number, bounds: FundingBounds): number {
  const premium = premiumCount === 0 ? 0n : dividedNearest(premiumSum, BigInt(premiumCount));
  const interest = interestPerHour * BigInt(bounds.fundingHours);
  const rate = premium + clamped(interest - premium, -interestPull, interestPull);
  const least = BigInt(bounds.minFundingPpm) * partsPerPpm;
  const most = BigInt(bounds.maxFundingPpm) * partsPerPpm;
  return Number(clamped(rate, least, most));
}
