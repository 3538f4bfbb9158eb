import type { ContractListing, RiskTier } from '#model/contract.ts';
import type { AssetId, Lots } from '#model/units.ts';
import { as } from '#model/units.ts';

/*
 * The perpetual contracts of the sandbox as data; DEC-FUT-07. The first tiers allow the greatest leverage to positions
 * of some hundred thousand USDT, whatever one contract of each is worth; the last ones end at the greatest order.
 */

/** A contract in the words of its market; units are made when it is listed. */
export interface DemoContract {
  readonly base: string;
  readonly settle: string;
  /** Base coin of one contract, in steps of 10^-sizeDecimals. */
  readonly size: number;
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  readonly tiers: readonly RiskTier[];
}

/** Greatest position in contracts, maintenance and initial margin in parts per million. */
type TierRow = readonly [maxLots: number, maintenancePpm: number, initialPpm: number];

/** Initial margin and leverage are two ways to say the same, so leverage is not written down. */
const tiers = (...rows: readonly TierRow[]): readonly RiskTier[] =>
  rows.map(([maxLots, maintenancePpm, initialPpm]) => ({
    maxLots: as<Lots>(maxLots),
    maintenancePpm,
    initialPpm,
    maxLeverage: 1_000_000 / initialPpm,
  }));

/** The contracts of the sandbox, most traded first. DEC-FUT-07, DEC-FUT-08. */
export const demoContracts: readonly DemoContract[] = [
  {
    base: 'BTC',
    settle: 'USDT',
    size: 1,
    sizeDecimals: 4,
    priceDecimals: 1,
    tiers: tiers(
      [50_000, 1_000, 2_000],
      [60_000, 4_000, 5_000],
      [250_000, 5_000, 10_000],
      [1_200_000, 10_000, 20_000],
      [3_000_000, 20_000, 50_000],
      [4_500_000, 50_000, 100_000],
    ),
  },
  {
    base: 'ETH',
    settle: 'USDT',
    size: 1,
    sizeDecimals: 2,
    priceDecimals: 2,
    tiers: tiers(
      [12_000, 2_000, 4_000],
      [20_000, 4_000, 5_000],
      [75_000, 5_000, 10_000],
      [350_000, 10_000, 20_000],
      [850_000, 20_000, 50_000],
      [4_500_000, 50_000, 100_000],
    ),
  },
  {
    base: 'SOL',
    settle: 'USDT',
    size: 1,
    sizeDecimals: 0,
    priceDecimals: 2,
    tiers: tiers(
      [1_500, 4_000, 5_000],
      [6_000, 5_000, 10_000],
      [25_000, 10_000, 20_000],
      [60_000, 20_000, 50_000],
      [4_500_000, 50_000, 100_000],
    ),
  },
  {
    base: 'DOGE',
    settle: 'USDT',
    size: 100,
    sizeDecimals: 0,
    priceDecimals: 5,
    tiers: tiers(
      [6_000, 5_000, 10_000],
      [25_000, 10_000, 20_000],
      [100_000, 20_000, 50_000],
      [250_000, 50_000, 100_000],
      [4_500_000, 100_000, 200_000],
    ),
  },
];

/** Name of a contract, as clients write it. */
export const contractName = (contract: DemoContract): string => `${contract.base}_${contract.settle}`;

/** The terms of a contract in the engine's units; `assetId` maps the ticker to the id the engine gave it. */
export function contractListing(contract: DemoContract, assetId: (code: string) => AssetId): ContractListing {
  return {
    name: contractName(contract),
    base: assetId(contract.base),
    settle: assetId(contract.settle),
    size: contract.size,
    sizeDecimals: contract.sizeDecimals,
    priceDecimals: contract.priceDecimals,
    state: 'enabled',
    minLots: as<Lots>(1),
    maxLots: as<Lots>(4_500_000),
    makerFeePpm: 100,
    takerFeePpm: 400,
    bidLimitPpm: 100_000,
    askLimitPpm: 100_000,
    collarPpm: 50_000,
    fairLimitPpm: 10_000,
    minFundingPpm: -1_800,
    maxFundingPpm: 1_800,
    fundingHours: 8,
    liquidationFeePpm: 400,
    tiers: contract.tiers,
  };
}
