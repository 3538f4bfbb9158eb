import {
  markDecimals,
  type ContractRules,
  type ContractState,
  type ContractListing,
  type RiskTier,
} from '#model/contract.ts';
import { marketOf, settlePerTickLot } from '#model/contract-market.ts';
import { engineLimits } from '#model/limits.ts';
import { Book } from '#engine/book/book.ts';
import type { Contract } from '#engine/state/futures/contracts.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Lists a contract whose terms were checked and opens its book, or replaces the rules of a listed one. */
export function putContract(state: EngineState, contract: Contract): Contract {
  const { rules } = contract;
  const market = marketOf(rules);
  const book = state.books[rules.id];
  if (book === undefined) {
    const unit = settlePerTickLot(rules, state.assets[rules.settle]!.scale)!;
    state.books[rules.id] = new Book(market, unit, 0, state.tables);
  } else {
    book.setRules(market);
  }
  state.contracts.put(contract);
  return contract;
}

/** Changes the state of a listed contract, and emits its new rules. */
export function setContractState(state: EngineState, contract: Contract, wanted: ContractState): void {
  const rules: ContractRules = { ...contract.rules, state: wanted };
  putContract(state, { ...contract, rules });
  state.emit.fact({ kind: 'contractConfigured', contract: rules });
}

const million = 1_000_000;
/** Greatest number of decimals of a size. */
const decimalsMost = 18;
/** Greatest leverage of any contract. */
const leverageMost = 1000;

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most;
const isPpm = (value: number): boolean => isWhole(value, 0, million);

/** Whether a contract can have these terms; those of a listed one must keep its coins and scales. */
export function areTermsValid(state: EngineState, terms: ContractListing, listed: ContractRules | null): boolean {
  const settle = state.assets[terms.settle];
  const hasCoins = state.assets[terms.base] !== undefined && settle !== undefined && terms.base !== terms.settle;
  return (
    hasCoins &&
    (listed === null ? isListable(state, terms) : keepsScales(listed, terms)) &&
    areScalesValid(terms) &&
    settlePerTickLot(terms, settle.scale) !== null &&
    areBoundsValid(terms) &&
    isFundingValid(terms) &&
    areTiersValid(terms.tiers)
  );
}

/** A contract is listed in a state from which it can be traded or be paused. */
const isListable = (state: EngineState, terms: ContractListing): boolean =>
  state.books.length < engineLimits.symbols &&
  /^[A-Z0-9]{2,12}_[A-Z0-9]{2,12}$/.test(terms.name) &&
  (terms.state === 'enabled' || terms.state === 'paused');

const keepsScales = (listed: ContractRules, wanted: ContractListing): boolean =>
  (['base', 'settle', 'size', 'sizeDecimals', 'priceDecimals'] as const).every((name) => listed[name] === wanted[name]);

const areScalesValid = ({ size, sizeDecimals, priceDecimals }: ContractListing): boolean =>
  isWhole(size, 1, Number.MAX_SAFE_INTEGER) &&
  isWhole(sizeDecimals, 0, decimalsMost) &&
  isWhole(priceDecimals, 0, markDecimals);

const areBoundsValid = (terms: ContractListing): boolean =>
  isWhole(terms.minLots, 1, terms.maxLots) &&
  isWhole(terms.maxLots, 1, Number.MAX_SAFE_INTEGER) &&
  [terms.makerFeePpm, terms.takerFeePpm, terms.liquidationFeePpm].every(isPpm) &&
  [terms.bidLimitPpm, terms.askLimitPpm, terms.collarPpm, terms.fairLimitPpm].every(isPpm);

const isFundingValid = ({ minFundingPpm, maxFundingPpm, fundingHours }: ContractListing): boolean =>
  isWhole(minFundingPpm, -million, maxFundingPpm) &&
  isWhole(maxFundingPpm, minFundingPpm, million) &&
  isWhole(fundingHours, 1, 24) &&
  24 % fundingHours === 0;

/**
 * Tiers rise in lots and in rates, and fall in leverage. What the greatest leverage leaves as margin is at least the
 * initial margin, and that at least the maintenance margin. DEC-FUT-08, DEC-FUT-106.
 */
const areTiersValid = (tiers: readonly RiskTier[]): boolean =>
  tiers.length > 0 &&
  tiers.every((tier, index) => {
    const before = tiers[index - 1];
    return (
      isWhole(tier.maxLots, (before?.maxLots ?? 0) + 1, Number.MAX_SAFE_INTEGER) &&
      isWhole(tier.maintenancePpm, before?.maintenancePpm ?? 1, million) &&
      isWhole(tier.initialPpm, tier.maintenancePpm, million) &&
      isWhole(tier.maxLeverage, 1, before?.maxLeverage ?? leverageMost) &&
      tier.maxLeverage * tier.initialPpm <= million
    );
  });
