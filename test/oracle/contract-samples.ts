import type { NaiveTerms } from './naive-margin.ts';

/** 10^-9 of a coin per unit, 0.0001 of base coin per contract, ticks of 0.1: 10,000 units per tick and contract. */
export const terms: NaiveTerms = {
  id: 1,
  size: 1n,
  sizeDecimals: 4n,
  priceDecimals: 1n,
  settleScale: 9n,
  makerFeePpm: 100,
  takerFeePpm: 400,
  liquidationFeePpm: 400,
  fairLimitPpm: 10_000,
  minFunding: -180_000n,
  maxFunding: 180_000n,
  fundingHours: 8n,
  tiers: [
    { maxLots: 100n, maintenancePpm: 5_000, initialPpm: 10_000, maxLeverage: 100n },
    { maxLots: 1_000n, maintenancePpm: 10_000, initialPpm: 20_000, maxLeverage: 50n },
  ],
  fund: 99,
};

/** A whole settle coin in its units. */
export const coin = 10n ** 9n;
/** So many coins as an index or fair price. */
export const mark = (coins: number): bigint => BigInt(Math.round(coins * 1e8));
/** So many coins in units; exact to a millionth. */
export const coins = (amount: number): bigint => (BigInt(Math.round(amount * 1e6)) * coin) / 1_000_000n;
