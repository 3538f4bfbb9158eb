import type { Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import type { ContractListing, RiskTier } from '#model/contract.ts';
import { as } from '#model/units.ts';

/** Assets of the small futures exchange. */
export const contractAsset = { base: 0, settle: 1 } as const;
export const firstTrader = 4;
export const traderCount = 5;
export const contractCount = 3;
/** Rates from none to a tenth, in parts per million. */
const feeRates = [0, 1, 100, 400, 600, 5_000, 20_000, 100_000] as const;
const liquidationRates = [0, 400, 5_000, 50_000] as const;
/** Bounds of the funding rate that also choose it: trades here are too small for an impact price. */
const fundingBounds = [
  [-1_800, 1_800],
  [20_000, 20_000],
  [-15_000, -15_000],
  [150_000, 150_000],
  [-400_000, -400_000],
  [0, 0],
] as const;

const pick = <Value>(prng: Prng, values: readonly Value[]): Value => values[prng.below(values.length)] as Value;

/** Tiers that few contracts reach, of rising rates and falling leverage. */
function anyTiers(prng: Prng): RiskTier[] {
  const count = 1 + prng.below(4);
  let maxLots = 0;
  let maintenancePpm = pick(prng, [5_000, 10_000]);
  let maxLeverage = pick(prng, [10, 20, 50, 100]);
  return Array.from({ length: count }, () => {
    maxLots += 3 + prng.below(30);
    maintenancePpm += prng.below(30_000);
    const initialPpm = Math.min(1_000_000, maintenancePpm + prng.below(maintenancePpm));
    maxLeverage = Math.min(maxLeverage, Math.floor(1_000_000 / initialPpm));
    const tier = { maxLots: as<RiskTier['maxLots']>(maxLots), maintenancePpm, initialPpm, maxLeverage };
    maxLeverage = Math.max(1, Math.floor(maxLeverage / (1 + prng.below(3))));
    return tier;
  });
}

/** Terms that a listed contract may change. */
export function anyTerms(
  prng: Prng,
): Pick<
  ContractListing,
  | 'makerFeePpm'
  | 'takerFeePpm'
  | 'liquidationFeePpm'
  | 'bidLimitPpm'
  | 'askLimitPpm'
  | 'collarPpm'
  | 'fairLimitPpm'
  | 'minFundingPpm'
  | 'maxFundingPpm'
  | 'fundingHours'
  | 'tiers'
  | 'minLots'
  | 'maxLots'
> {
  const [minFundingPpm, maxFundingPpm] = pick(prng, fundingBounds);
  return {
    makerFeePpm: pick(prng, feeRates),
    takerFeePpm: pick(prng, feeRates),
    liquidationFeePpm: pick(prng, liquidationRates),
    bidLimitPpm: pick(prng, [100_000, 200_000, 500_000, 1_000_000]),
    askLimitPpm: pick(prng, [100_000, 200_000, 500_000, 1_000_000]),
    collarPpm: pick(prng, [0, 20_000, 100_000, 500_000, 1_000_000]),
    fairLimitPpm: pick(prng, [0, 10_000, 10_000, 50_000, 1_000_000]),
    minFundingPpm,
    maxFundingPpm,
    fundingHours: pick(prng, [1, 2, 4, 8, 24]),
    tiers: anyTiers(prng),
    minLots: as(pick(prng, [1, 1, 1, 2])),
    maxLots: as(pick(prng, [20, 100, 1_000])),
  };
}

/** A contract of which one tick of one lot costs one or a few hundred units. */
export function anyContract(prng: Prng, index: number, settleScale: number): ContractListing {
  const sizeDecimals = prng.below(settleScale + 1);
  return {
    name: `C${index}_USDT`,
    base: as(contractAsset.base),
    settle: as(contractAsset.settle),
    size: pick(prng, [1, 1, 2, 7]),
    sizeDecimals,
    priceDecimals: prng.below(settleScale - sizeDecimals + 1),
    state: prng.below(8) === 0 ? 'paused' : 'enabled',
    ...anyTerms(prng),
  };
}

/** An exchange of contracts with one settle asset; users own some on spot and nothing for futures. */
export function contractOpening(settleScale: number, contracts: readonly ContractListing[]): Command[] {
  const users = Array.from({ length: traderCount }, (_, index) => as<never>((firstTrader + index) as never));
  const asset = (code: string, scale: number): Command => ({
    kind: 'configureAsset',
    asset: { code, fullName: code, scale, cap: as(2n ** 61n), coinId: String(scale).repeat(32).slice(0, 32) },
  });
  return [
    asset('BASE', 8),
    asset('USDT', settleScale),
    {
      kind: 'configureWallet',
      rules: {
        ...{ valuedIn: as(contractAsset.settle), largeDeposit: as(2n ** 60n), riskHoldAbove: null },
        ...{
          dailyCaps: [1n, 2n, 3n, 4n].map((cap) => as<never>(cap as never)),
          fourEyesAbove: null,
          adjustFourEyesAbove: null,
        },
        ...{ newAddressDelayMs: 0, waitMs: 0, transferable: [as(contractAsset.settle)] },
        ...{ dustBelow: as(1n), dustCallMax: as(1n), dustFeePpm: 0 },
      },
    },
    ...users.map(
      (_, index): Command => ({
        ...{ kind: 'openAccount', uid: as(10_000_000 + index), name: `user${index}`, class: 'user' },
        ...{ kycLevel: 1, simulated: false, master: null },
      }),
    ),
    { kind: 'createStpGroup', master: users[0]!, name: 'alone' },
    { kind: 'createStpGroup', master: users[1]!, name: 'alone' },
    ...contracts.map((contract): Command => ({ kind: 'configureContract', contract })),
    ...users.map(
      (account): Command => ({
        ...{ kind: 'creditFunds', account, asset: as(contractAsset.settle), amount: as(10n ** 12n) },
      }),
    ),
  ];
}
