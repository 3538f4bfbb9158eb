import type { Contract } from '#web/data/contracts.ts';

/** A tier of risk: up to a volume, what is kept as margin, and how far one may leverage. */
export interface RiskTier {
  readonly level: number;
  /** In contracts. */
  readonly maxVol: number;
  readonly maintenanceRate: number;
  readonly initialRate: number;
  readonly maxLeverage: number;
}

const tiersMax = 50;

/** Tiers of a contract: each adds a volume and rates to the one before. */
export function riskTiers(contract: Contract): readonly RiskTier[] {
  const { riskBaseVol, riskIncrVol, riskIncrMmr, riskIncrImr, maintenanceMarginRate, initialMarginRate } = contract;
  const count = Math.max(1, Math.min(contract.riskLevelLimit, tiersMax));
  return Array.from({ length: count }, (_, index) => {
    const initialRate = initialMarginRate + index * riskIncrImr;
    return {
      level: index + 1,
      maxVol: riskBaseVol + index * riskIncrVol,
      maintenanceRate: maintenanceMarginRate + index * riskIncrMmr,
      initialRate,
      // A rate such as 0.1 + 0.2 is a hair above what is meant.
      maxLeverage: initialRate === 0 ? contract.maxLeverage : Math.floor(1 / initialRate + 1e-9),
    };
  });
}
