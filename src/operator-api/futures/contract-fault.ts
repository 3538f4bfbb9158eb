import type { ContractRules, ContractListing, RiskTier } from '#model/contract.ts';
import { settlePerTickLot } from '#model/contract-market.ts';

/** A part of a request, and what it must be. */
interface Fault {
  /** As in RFC 6901. */
  readonly pointer: string;
  readonly detail: string;
}

/** What stays as it was listed, with the member that says it. */
const lasting = [
  ['base', '/base'],
  ['settle', '/settle'],
  ['size', '/size'],
  ['sizeDecimals', '/size'],
  ['priceDecimals', '/priceDecimals'],
] as const;

/**
 * What is at fault in terms that the engine would refuse, so that the answer can name it; `null`: nothing that can be
 * said of one member. `listed`: the rules that they replace; `settleScale`: decimals of the settle asset. DEC-FUT-22,
 * DEC-FUT-45.
 */
export function contractFault(terms: ContractListing, listed: ContractRules | null, settleScale: number): Fault | null {
  const changed = listed === null ? undefined : lasting.find(([name]) => listed[name] !== terms[name]);
  if (changed !== undefined) return { pointer: changed[1], detail: 'cannot change once the contract is listed' };
  if (terms.base === terms.settle) return { pointer: '/settle', detail: 'must not be the base' };
  if (settlePerTickLot(terms, settleScale) === null)
    return { pointer: '/size', detail: 'must be worth a countable number of units of the settle asset at one tick' };
  if (24 % terms.fundingHours !== 0) return { pointer: '/fundingHours', detail: 'must be a divisor of 24' };
  if (terms.minLots > terms.maxLots) return { pointer: '/minLots', detail: 'must not be above maxLots' };
  if (terms.minFundingPpm > terms.maxFundingPpm)
    return { pointer: '/minFundingPpm', detail: 'must not be above maxFundingPpm' };
  return tiersFault(terms.tiers);
}

const million = 1_000_000;

/** Tiers rise in lots and in rates, and fall in leverage, which fits the rates. DEC-FUT-08, DEC-FUT-106. */
function tiersFault(tiers: readonly RiskTier[]): Fault | null {
  for (const [index, tier] of tiers.entries()) {
    const before = tiers[index - 1];
    const at = (member: keyof RiskTier, detail: string): Fault => ({ pointer: `/tiers/${index}/${member}`, detail });
    if (before !== undefined && tier.maxLots <= before.maxLots) return at('maxLots', 'must be above the tier before');
    if (tier.maintenancePpm < (before?.maintenancePpm ?? 1))
      return at('maintenancePpm', 'must be above zero, and not below the tier before');
    if (tier.initialPpm < tier.maintenancePpm) return at('initialPpm', 'must not be below maintenancePpm');
    if (tier.maxLeverage * tier.initialPpm > million)
      return at('maxLeverage', `must be at most ${Math.floor(million / tier.initialPpm)}, which initialPpm allows`);
    if (before !== undefined && tier.maxLeverage > before.maxLeverage)
      return at('maxLeverage', 'must not be above the tier before');
  }
  return null;
}
