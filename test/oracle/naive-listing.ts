import type { ContractListing } from '#model/contract.ts';
import type { NaiveTerms } from './naive-margin.ts';

/** A line about contracts that left a position without an order of its account. */
export function takenLine(
  reason: string,
  taken: {
    readonly [name in 'lots' | 'ticks' | 'realised' | 'fee' | 'fromFund']: bigint | number;
  } & { readonly account: number; readonly contract: number },
): string {
  const { account, contract, lots, ticks, realised, fee, fromFund } = taken;
  return `taken for ${reason}: ${lots} on ${contract} of ${account} at ${ticks}, ${realised}, ${fee}, ${fromFund}`;
}

/** Terms as the model has them. */
export const naiveTerms = (
  rules: ContractListing,
  { id, fund, settleScale }: { id: number; fund: number; settleScale: bigint },
): NaiveTerms => ({
  id,
  fund,
  settleScale,
  size: BigInt(rules.size),
  sizeDecimals: BigInt(rules.sizeDecimals),
  priceDecimals: BigInt(rules.priceDecimals),
  makerFeePpm: rules.makerFeePpm,
  takerFeePpm: rules.takerFeePpm,
  liquidationFeePpm: rules.liquidationFeePpm,
  fairLimitPpm: rules.fairLimitPpm,
  minFunding: BigInt(rules.minFundingPpm) * 100n,
  maxFunding: BigInt(rules.maxFundingPpm) * 100n,
  fundingHours: BigInt(rules.fundingHours),
  tiers: rules.tiers.map(({ maxLots, maintenancePpm, initialPpm, maxLeverage }) => ({
    maxLots: BigInt(maxLots),
    maintenancePpm,
    initialPpm,
    maxLeverage: BigInt(maxLeverage),
  })),
});
