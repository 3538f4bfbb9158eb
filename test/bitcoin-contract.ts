import type { ContractListing } from '#model/contract.ts';
import { as } from '#model/units.ts';

/** What BTC_USDT is listed with, but for coins and tiers: contracts of 0.0001 BTC and ticks of 0.1 USDT. */
export const bitcoinTerms: Omit<ContractListing, 'base' | 'settle' | 'tiers'> = {
  name: 'BTC_USDT',
  size: 1,
  sizeDecimals: 4,
  priceDecimals: 1,
  state: 'enabled',
  minLots: as(1),
  maxLots: as(4_500_000),
  makerFeePpm: 100,
  takerFeePpm: 400,
  fairLimitPpm: 10_000,
  bidLimitPpm: 100_000,
  askLimitPpm: 100_000,
  collarPpm: 50_000,
  minFundingPpm: -1800,
  maxFundingPpm: 1800,
  fundingHours: 8,
  liquidationFeePpm: 400,
};
