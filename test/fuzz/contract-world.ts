import type { ContractListing, RiskTier } from '#model/contract.ts';
import { markDecimals } from '#model/contract.ts';
import { as } from '#model/units.ts';
import type { Chance } from './chance.ts';
import { most, whole } from './chance.ts';

const fees = [0, 100, 400, 5000, 100_000, 1_000_000];
const bands = [100_000, 100_000, 500_000, 1_000_000, 0];
const fairLimits = [10_000, 10_000, 0, 200_000, 1_000_000];
const collars = [0, 50_000, 50_000, 500_000, 1_000_000];
const fundings = [
  [-1800, 1800],
  [-1800, 1800],
  [30_000, 30_000],
  [-200_000, -200_000],
  [-1_000_000, 1_000_000],
] as const;

/** Tiers of rising rates and falling leverage; the last one ends early, or nowhere that matters. */
export function anyTiers(chance: Chance): RiskTier[] {
  const count = 1 + chance.below(4);
  const step = chance.pick([5, 30, 1000, 10 ** 6, 2 ** 45]);
  let maxLeverage = chance.pick([20, 50, 100, 125]);
  return Array.from({ length: count }, (_, index) => {
    if (index > 0) maxLeverage = Math.max(1, Math.floor(maxLeverage / (1 + chance.below(3))));
    const maintenancePpm = 1000 + index * chance.pick([40_000, 50_000]) + index;
    const maxLots = as<RiskTier['maxLots']>(step * (index + 1) + chance.below(3));
    const initialPpm = Math.max(maintenancePpm, Math.floor(1_000_000 / (maxLeverage * (1 + chance.below(2)))));
    maxLeverage = Math.min(maxLeverage, Math.floor(1_000_000 / initialPpm));
    return { maxLots, maintenancePpm, initialPpm, maxLeverage };
  });
}

/** What of a contract may be changed, but for its tiers. */
export function anyContractRates(chance: Chance) {
  const [minFundingPpm, maxFundingPpm] = chance.pick(fundings);
  return {
    minLots: as<ContractListing['minLots']>(chance.pick([1, 1, 1, 2])),
    maxLots: as<ContractListing['maxLots']>(chance.pick([50, 10 ** 6, 10 ** 6, most])),
    makerFeePpm: chance.pick(fees),
    takerFeePpm: chance.pick(fees),
    liquidationFeePpm: chance.pick(fees),
    bidLimitPpm: chance.pick(bands),
    fairLimitPpm: chance.pick(fairLimits),
    askLimitPpm: chance.pick(bands),
    collarPpm: chance.pick(collars),
    minFundingPpm,
    maxFundingPpm,
    fundingHours: chance.pick([1, 4, 8, 24]),
  };
}

/** A contract on two assets, of which the second, with these decimals, settles it. */
export function anyContract(
  chance: Chance,
  { name, base, settle, scale }: { name: string; base: number; settle: number; scale: number },
): ContractListing {
  const sizeDecimals = chance.below(scale + 1);
  return {
    name,
    base: as(base),
    settle: as(settle),
    size: chance.pick([1, 1, 3, 100]),
    sizeDecimals,
    priceDecimals: Math.min(markDecimals, chance.below(scale - sizeDecimals + 1)),
    state: chance.in(0.9) ? 'enabled' : 'paused',
    ...anyContractRates(chance),
    tiers: anyTiers(chance),
  };
}

/**
 * A price in ticks around which a contract is traded: mostly such that one costs about `piece` units or a part of that,
 * and such that lots and marks of it can be told.
 */
export function contractHome(
  chance: Chance,
  { size, sizeDecimals, priceDecimals }: ContractListing,
  { scale, piece }: { readonly scale: number; readonly piece: number },
): number {
  const unit = size * 10 ** (scale - sizeDecimals - priceDecimals);
  const room = Math.min(most / unit, most / 10 ** (markDecimals - priceDecimals));
  const fair = piece / unit;
  const wanted = chance.pick([fair, fair, fair / 4, fair / 20, fair * 3, 3, 20, 5000, room / 64, room / 3]);
  return Math.max(1, whole(Math.min(room, wanted)));
}
