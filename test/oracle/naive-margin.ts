import type { Fraction } from './fraction.ts';
import { ofPpm, roundedUp, times } from './fraction.ts';

// What contracts need and what stands behind positions, written from the rules. Money is in units of the settle asset,
// prices of orders in ticks, index and fair prices in steps of 10^-8 of the settle coin.

/** A tier as listed; see `RiskTier`. */
export interface NaiveTier {
  readonly maxLots: bigint;
  readonly maintenancePpm: number;
  readonly initialPpm: number;
  readonly maxLeverage: bigint;
}

/** The terms of a contract that the model needs. */
export interface NaiveTerms {
  readonly id: number;
  readonly size: bigint;
  readonly sizeDecimals: bigint;
  readonly priceDecimals: bigint;
  readonly settleScale: bigint;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
  readonly liquidationFeePpm: number;
  /** How far the fair price may be from the index. */
  readonly fairLimitPpm: number;
  /** Bounds of the funding rate in parts per 10^8. */
  readonly minFunding: bigint;
  readonly maxFunding: bigint;
  readonly fundingHours: bigint;
  readonly tiers: readonly NaiveTier[];
  /** The account of its insurance fund. */
  readonly fund: number;
}

/** What an account holds of a contract; `lots` and `cost` have the same sign. */
export interface NaivePosition {
  readonly account: number;
  readonly contract: number;
  lots: bigint;
  cost: bigint;
  margin: bigint;
  realised: bigint;
  mode: 'isolated' | 'cross';
  leverage: bigint;
}

export const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
export const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);
export const greater = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** The greatest whole number that is not above a fraction of either sign. */
export const floored = ({ over, under }: Fraction): bigint =>
  over >= 0n ? over / under : -((-over + under - 1n) / under);

/** Units of the settle asset per tick and contract; a whole number of a listed contract. */
export const perTickLot = (terms: NaiveTerms): bigint =>
  terms.size * 10n ** (terms.settleScale - terms.sizeDecimals - terms.priceDecimals);

/** What so many contracts are worth at a price in ticks; exact. */
export const notional = (terms: NaiveTerms, ticks: bigint, lots: bigint): bigint => ticks * lots * perTickLot(terms);

/** What so many contracts, short ones below zero, are worth at an index or fair price. */
export const markValue = (terms: NaiveTerms, mark: bigint, lots: bigint): Fraction => ({
  over: mark * lots * terms.size * 10n ** terms.settleScale,
  under: 10n ** (8n + terms.sizeDecimals),
});

/** The whole-tick price nearest to a mark, at least one tick; a half is rounded up. */
export function nearestTick(terms: NaiveTerms, mark: bigint): bigint {
  const steps = 10n ** (8n - terms.priceDecimals);
  return greater(1n, (2n * mark + steps) / (2n * steps));
}

/** Profit of a position that is not realised yet; rounded down, none before the first fair price. DEC-FUT-47. */
export const unrealised = (terms: NaiveTerms, position: NaivePosition, mark: bigint): bigint =>
  mark === 0n ? 0n : floored(markValue(terms, mark, position.lots)) - position.cost;

/** The tier of a position of so many contracts: the first that allows it; `null` above the last. */
export const tierIndex = (terms: NaiveTerms, lots: bigint): number | null => {
  const index = terms.tiers.findIndex((tier) => magnitude(lots) <= tier.maxLots);
  return index < 0 ? null : index;
};

/** The tier that a position counts under: above the last, the last. */
export function tierOf(terms: NaiveTerms, lots: bigint): NaiveTier {
  const tier = terms.tiers[tierIndex(terms, lots) ?? terms.tiers.length - 1];
  if (tier === undefined) throw new Error('a contract has tiers');
  return tier;
}

/** Equity at or below which a position is liquidated: the rate of its tier for all of it; rounded up. DEC-FUT-47. */
export const maintenance = (terms: NaiveTerms, position: NaivePosition, mark: bigint): bigint =>
  roundedUp(
    times(markValue(terms, mark, magnitude(position.lots)), ofPpm(tierOf(terms, position.lots).maintenancePpm)),
  );

/** What a position of so much notional needs when it is opened; rounded up. DEC-FUT-46. */
export const openingMargin = (worth: bigint, leverage: bigint): bigint => (worth + leverage - 1n) / leverage;

/** Commission of a fill; rounded up. */
export const commission = (worth: bigint, ppm: number): bigint =>
  roundedUp(times({ over: worth, under: 1n }, ofPpm(ppm)));

/**
 * What contracts lose at once that are bought above, or sold below, a mark: max(0, side × (price − mark)) × size,
 * rounded up; nothing before the first mark. DEC-FUT-101.
 */
export function openLoss(terms: NaiveTerms, side: 'buy' | 'sell', ticks: bigint, lots: bigint, mark: bigint): bigint {
  if (mark === 0n) return 0n;
  const { over, under } = markValue(terms, mark, lots);
  const worse = notional(terms, ticks, lots) * under - over;
  return roundedUp({ over: greater(0n, side === 'buy' ? worse : -worse), under });
}

/**
 * What an order holds for so many contracts at its bound: its limit, or the end of its collar; of a sell that is
 * matched on arrival the best bid, if that is higher. DEC-FUT-46.
 */
export function orderHold(terms: NaiveTerms, ticks: bigint, lots: bigint, leverage: bigint): bigint {
  const worth = notional(terms, ticks, lots);
  return openingMargin(worth, leverage) + commission(worth, terms.takerFeePpm);
}

/**
 * Why an order that may open is refused for its risk: all that the account has open or ordered on that side counts.
 * What only closes is never refused. DEC-FUT-46.
 */
export function riskRefusal(
  terms: NaiveTerms,
  { position, ordered, lots, leverage }: { position: bigint; ordered: bigint; lots: bigint; leverage: bigint },
): 'aboveRiskLimit' | null {
  const signedAfter = position + ordered + lots;
  if (signedAfter === 0n || signedAfter > 0n !== lots > 0n) return null;
  const after = magnitude(signedAfter);
  const index = tierIndex(terms, after);
  if (index === null) return 'aboveRiskLimit';
  return leverage > tierOf(terms, after).maxLeverage ? 'aboveRiskLimit' : null;
}

/** A position with its contract, the fair price of it, and its index. */
export interface Marked {
  readonly terms: NaiveTerms;
  readonly position: NaivePosition;
  readonly mark: bigint;
  readonly index: bigint;
}

const gain = ({ terms, position, mark }: Marked): bigint => unrealised(terms, position, mark);
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** What a position has won or lost, at the worse of fair price and index. */
const gainAtWorse = ({ terms, position, mark, index }: Marked): bigint =>
  lesser(unrealised(terms, position, mark), unrealised(terms, position, index));

/**
 * What an account may take out or order with: what is free, less the losses of its cross positions; what others have
 * won pays for nothing. DEC-FUT-51.
 */
export const freeMargin = (free: bigint, cross: readonly Marked[]): bigint =>
  greater(0n, free + sum(cross.map((one) => lesser(0n, gainAtWorse(one)))));

/** What a position lacks to its maintenance at a mark, where what it won does not count. DEC-FUT-102. */
export const lackAt = ({ terms, position }: Marked, mark: bigint): bigint =>
  greater(0n, maintenance(terms, position, mark) - position.margin - lesser(0n, unrealised(terms, position, mark)));

/** What an isolated position is worth to its account: its margin and its profit. */
export const isolatedEquity = (marked: Marked): bigint => marked.position.margin + gain(marked);

/** What an account's cross positions are worth together with what is free. */
export const crossEquity = (free: bigint, cross: readonly Marked[]): bigint =>
  free + sum(cross.map((one) => one.position.margin + gain(one)));

/** What cross positions need together. */
export const crossMaintenance = (cross: readonly Marked[]): bigint =>
  sum(cross.map(({ terms, position, mark }) => maintenance(terms, position, mark)));

/**
 * What a position can lose: an isolated one its margin; a cross one its margin and what is free, less what the other
 * cross positions lack beyond their own margins at the index. Never below zero. DEC-FUT-48.
 */
export function backing(position: NaivePosition, free: bigint, cross: readonly Marked[]): bigint {
  if (position.mode === 'isolated') return position.margin;
  const lacking = cross
    .filter((other) => other.position !== position)
    .map((other) => lesser(0n, other.position.margin + unrealised(other.terms, other.position, other.index)));
  return greater(0n, position.margin + free + sum(lacking));
}

/**
 * The price in ticks at which contracts that cost `cost` (short ones below zero) lose what is behind them, and no more:
 * rounded up for long ones, down for short ones, at least one tick. DEC-FUT-48.
 */
export function bankruptcyPrice(terms: NaiveTerms, lots: bigint, cost: bigint, behind: bigint): bigint {
  const per = magnitude(lots) * perTickLot(terms);
  const exact: Fraction = { over: magnitude(cost) + (lots > 0n ? -behind : behind), under: per };
  return greater(1n, lots > 0n ? -floored({ over: -exact.over, under: per }) : floored(exact));
}

/**
 * The mark at which an isolated position comes to liquidation, exact: long
 * (cost − margin) / (lots × (1 − rate)), short (cost + margin) / (lots × (1 + rate)), per contract's size. DEC-FUT-47.
 */
export function liquidationMark(terms: NaiveTerms, position: NaivePosition): Fraction {
  const rate = BigInt(tierOf(terms, position.lots).maintenancePpm);
  const long = position.lots > 0n;
  const worth = magnitude(position.cost) + (long ? -position.margin : position.margin);
  const perStep = magnitude(position.lots) * terms.size * 10n ** terms.settleScale;
  return {
    over: worth * 1_000_000n * 10n ** (8n + terms.sizeDecimals),
    under: perStep * (1_000_000n + (long ? -rate : rate)),
  };
}
