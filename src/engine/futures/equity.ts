import type { ContractRules, RiskTier } from '#model/contract.ts';
import { futuresWalletOf } from '#model/account.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import { absolute, bigMillion, dividedUp } from '#base/whole-numbers.ts';
import { marksPerTick } from '#engine/state/futures/mark-price.ts';
import { marginOf } from '#engine/futures/position-margin.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import type { EngineState } from '#engine/state/state.ts';
import { freeOf } from '#engine/money/free-balance.ts';

/** What amounts of a position follow from. */
export type OpenLots = Pick<Position, 'contract' | 'lots' | 'cost'>;

/** The two prices of a contract that positions are judged at. */
export const judgingPrices = ['fair', 'index'] as const;
export type JudgingPrice = (typeof judgingPrices)[number];

/** Such a price of a contract, in steps of 10^-markDecimals; 0: not known yet. */
export const markOf = ({ marks, contracts }: EngineState, { contract }: OpenLots, price: JudgingPrice): number =>
  marks.of(contracts.at(contract).rules)[price];

/** Profit of a position at one of its prices, rounded down; 0 before the first one. DEC-FUT-47. */
export function profitAt(state: EngineState, position: OpenLots, price: JudgingPrice): bigint {
  const mark = markOf(state, position, price);
  if (mark === 0 || position.lots === 0) return 0n;
  const { priceDecimals } = state.contracts.at(position.contract).rules;
  return -dividedUp(-worthInMarks(state, position, mark), marksPerTick(priceDecimals)) - position.cost;
}

/** Profit of a position at the fair price. */
export const unrealisedProfit = (state: EngineState, position: OpenLots): bigint => profitAt(state, position, 'fair');

/** What a position loses at the worse of fair price and index, never below zero. DEC-FUT-51, DEC-FUT-102. */
export function unrealisedLoss(state: EngineState, position: OpenLots): bigint {
  const [atFair, atIndex] = [profitAt(state, position, 'fair'), profitAt(state, position, 'index')];
  if (atFair >= 0n && atIndex >= 0n) return 0n;
  return atFair < atIndex ? -atFair : -atIndex;
}

/** Settle units that the lots are worth, times the steps of a mark price in one tick; with the sign of the lots. */
const worthInMarks = (state: EngineState, { contract, lots }: OpenLots, mark: number): bigint =>
  BigInt(lots) * BigInt(state.books[contract]!.quotePerTickLot) * BigInt(mark);

/** The tier that a position of so many lots counts under: the first that allows it, above the last the last. */
export const tierOf = ({ tiers }: ContractRules, lots: number): RiskTier =>
  tiers.find(({ maxLots }) => Math.abs(lots) <= maxLots) ?? tiers.at(-1)!;

/** Equity at or below which a position is liquidated; rounded up. 0 before the first fair price. DEC-FUT-47. */
export const maintenanceMargin = (state: EngineState, position: OpenLots): bigint =>
  maintenanceAt(state, position, 'fair');

/** Maintenance margin of a position at one of its prices. */
export function maintenanceAt(state: EngineState, position: OpenLots, price: JudgingPrice): bigint {
  const { rules } = state.contracts.at(position.contract);
  const worth = worthInMarks(state, position, markOf(state, position, price));
  const rate = BigInt(tierOf(rules, position.lots).maintenancePpm);
  return dividedUp(absolute(worth) * rate, marksPerTick(rules.priceDecimals) * bigMillion);
}

/** Open cross positions of an account that are settled in one asset, in the order of contracts. */
export const crossPositions = (
  { positions, contracts }: EngineState,
  account: AccountId,
  settle: AssetId,
): Position[] =>
  positions
    .of(account)
    .filter(({ mode, contract }) => mode === 'cross' && contracts.at(contract).rules.settle === settle);

/** What a position is worth to its account by itself: its margin and its profit at the fair price. */
export const equityOf = (state: EngineState, position: Position): bigint =>
  marginOf(state, position) + unrealisedProfit(state, position);

/**
 * What a position can lose: an isolated one its margin; a cross one its margin and what is free, less what the other
 * cross positions lack beyond their own margins at the index. Never below zero. DEC-FUT-48.
 */
export function backingOf(state: EngineState, position: Position): bigint {
  const margin = marginOf(state, position);
  if (position.mode === 'isolated') return margin;
  const { settle } = state.contracts.at(position.contract).rules;
  let behind = margin + freeOf(state, futuresWalletOf(position.account), settle);
  for (const other of crossPositions(state, position.account, settle)) {
    const equity = other === position ? 0n : marginOf(state, other) + profitAt(state, other, 'index');
    if (equity < 0n) behind += equity;
  }
  return behind > 0n ? behind : 0n;
}

/**
 * What an account may take out of its futures wallet or order with: what is free there, less what those of its cross
 * positions that are settled in this asset lose, each at the worse of fair price and index. What others win pays for
 * nothing. Never below zero. DEC-FUT-51.
 */
export function freeMargin(state: EngineState, account: AccountId, asset: AssetId): bigint {
  let left = freeOf(state, futuresWalletOf(account), asset);
  for (const position of crossPositions(state, account, asset)) left -= unrealisedLoss(state, position);
  return left > 0n ? left : 0n;
}
