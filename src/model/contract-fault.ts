import { isWhole, million } from '#base/whole-numbers.ts';
import { markDecimals, type ContractRules, type ContractListing, type RiskTier } from '#model/contract.ts';
import { settlePerTickLot } from '#model/contract-market.ts';
import type { ListingFault } from '#model/symbol-fault.ts';

/*
 * What the terms of a contract may be, judged in one place: the engine refuses terms with a fault, and the operator API
 * says what it is.
 */

type ContractMember = keyof ContractListing | `tiers/${number}/${keyof RiskTier}`;
type ContractFault = ListingFault<ContractMember>;

/** What stays as it was listed. */
const lasting = ['base', 'settle', 'size', 'sizeDecimals', 'priceDecimals'] as const;

/** Inclusive bounds of each number by itself. */
const bounds = {
  size: [1, Number.MAX_SAFE_INTEGER],
  sizeDecimals: [0, 18],
  priceDecimals: [0, markDecimals],
  minLots: [1, Number.MAX_SAFE_INTEGER],
  maxLots: [1, Number.MAX_SAFE_INTEGER],
  makerFeePpm: [0, million],
  takerFeePpm: [0, million],
  bidLimitPpm: [0, million],
  askLimitPpm: [0, million],
  collarPpm: [0, million],
  fairLimitPpm: [0, million],
  minFundingPpm: [-million, million],
  maxFundingPpm: [-million, million],
  fundingHours: [1, 24],
  liquidationFeePpm: [0, million],
} as const satisfies Partial<Record<keyof ContractListing, readonly [number, number]>>;

const tierBounds = {
  maxLots: [1, Number.MAX_SAFE_INTEGER],
  maintenancePpm: [1, million],
  initialPpm: [1, million],
  maxLeverage: [1, 1000],
} as const satisfies Record<keyof RiskTier, readonly [number, number]>;

/**
 * The first fault of terms; `null`: a contract can have them. `listed`: the rules that they replace; `settleScale`:
 * decimals of the settle asset. DEC-FUT-22, DEC-FUT-45.
 */
export function contractFault(
  terms: ContractListing,
  listed: ContractRules | null,
  settleScale: number,
): ContractFault | null {
  const changed = listed === null ? undefined : lasting.find((name) => listed[name] !== terms[name]);
  if (changed !== undefined) return at(changed, 'cannot change once the contract is listed');
  if (terms.base === terms.settle) return at('settle', 'must not be the base');
  const beyond = memberBeyond(bounds, terms);
  if (beyond !== null) return at(...beyond);
  if (settlePerTickLot(terms, settleScale) === null)
    return at('size', 'must be worth a countable number of units of the settle asset at one tick');
  if (24 % terms.fundingHours !== 0) return at('fundingHours', 'must be a divisor of 24');
  if (terms.minLots > terms.maxLots) return at('minLots', 'must not be above maxLots');
  if (terms.minFundingPpm > terms.maxFundingPpm) return at('minFundingPpm', 'must not be above maxFundingPpm');
  return terms.tiers.length === 0 ? at('tiers', 'must have a tier') : tiersFault(terms.tiers);
}

const at = (member: ContractMember, detail: string): ContractFault => ({ member, detail });

/** The first member that is not within its bounds, and what it must be. */
function memberBeyond<Bounds extends Readonly<Record<string, readonly [number, number]>>>(
  allowed: Bounds,
  values: Readonly<Record<keyof Bounds, number>>,
): readonly [keyof Bounds & string, string] | null {
  for (const name of Object.keys(allowed) as (keyof Bounds & string)[]) {
    const [least, most] = allowed[name]!;
    if (!isWhole(values[name], least, most)) return [name, `must be a whole number from ${least} to ${most}`];
  }
  return null;
}

/**
 * Tiers rise in lots and in rates, and fall in leverage. What the greatest leverage leaves as margin is at least the
 * initial margin, and that at least the maintenance margin. DEC-FUT-08, DEC-FUT-106.
 */
function tiersFault(tiers: readonly RiskTier[]): ContractFault | null {
  for (const [index, tier] of tiers.entries()) {
    const before = tiers[index - 1];
    const ofTier = (member: keyof RiskTier, detail: string): ContractFault => at(`tiers/${index}/${member}`, detail);
    const beyond = memberBeyond(tierBounds, tier);
    if (beyond !== null) return ofTier(...beyond);
    const { maxLots, maintenancePpm, initialPpm, maxLeverage } = tier;
    if (before !== undefined && maxLots <= before.maxLots) return ofTier('maxLots', 'must be above the tier before');
    if (before !== undefined && maintenancePpm < before.maintenancePpm)
      return ofTier('maintenancePpm', 'must not be below the tier before');
    if (initialPpm < maintenancePpm) return ofTier('initialPpm', 'must not be below maintenancePpm');
    if (maxLeverage * initialPpm > million)
      return ofTier('maxLeverage', `must be at most ${Math.floor(million / initialPpm)}, which initialPpm allows`);
    if (before !== undefined && maxLeverage > before.maxLeverage)
      return ofTier('maxLeverage', 'must not be above the tier before');
  }
  return null;
}
