import { absolute } from '#base/whole-numbers.ts';
import { innerHouse } from '#model/account.ts';
import type { AccountId } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { closedBy, profitOfClosing } from '#engine/futures/change-position.ts';
import { backingOf } from '#engine/futures/equity.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import { exceedsRiskLimit } from '#engine/futures/risk-limit.ts';
import type { EngineState } from '#engine/state/state.ts';
import { freeOf } from '#engine/money/free-balance.ts';

/** The most that the open lots of one account and contract may cost: what images and answers can tell. */
export const costMost = 1n << 60n;
/** The most that a position may have won or lost since it was opened, so that liquidation can add to it in 63 bits. */
const realisedMost = 1n << 61n;
/** What the house may owe of profits in one asset, so that all balances of it together have at most 63 bits. */
const clearingMost = 1n << 61n;

/** One side of a fill that may happen. */
export interface PossibleFill {
  readonly account: AccountId;
  /** Bought above zero, sold below. */
  readonly lots: number;
  /** Settle units per lot. */
  readonly unit: number;
}

/**
 * Whether a side of a fill can be settled: what it closes loses no more than what is behind it, the position that it
 * opens stays within the risk limit, and amounts stay exact: the cost of the position, what it realised, and the open
 * interest of the contract. A fill that cannot be settled does not happen. DEC-FUT-21, DEC-FUT-49, DEC-FUT-53.
 */
export function canSettle(state: EngineState, book: Book, fill: PossibleFill): boolean {
  const { account, lots, unit } = fill;
  if (exceedsRiskLimit(state, account, book.symbol, lots)) return false;
  const position = state.positions.find(account, book.symbol);
  const closed = position === null ? 0 : closedBy(lots, position);
  if (lots - closed > Number.MAX_SAFE_INTEGER - state.positions.longLots(book.symbol)) return false;
  if (position === null || position.lots === 0) return true;
  if (closed === 0) return absolute(position.cost) + BigInt(Math.abs(lots)) * BigInt(unit) <= costMost;
  const profit = profitOfClosing(position, closed, unit);
  return (
    absolute(position.realised + profit) <= realisedMost &&
    canClear(state, book, profit) &&
    canClose(state, position, unit)
  );
}

/** Whether the house can owe this much more of profits. DEC-FUT-53. */
export const canClear = (state: EngineState, book: Book, profit: bigint): boolean =>
  profit - freeOf(state, innerHouse.clearing, book.quote) <= clearingMost;

/**
 * Whether the whole position would lose no more at `unit` settle units a lot than what is behind it: then no part of it
 * does. DEC-FUT-49.
 */
export function canClose(state: EngineState, position: Position, unit: number): boolean {
  const loss = -profitOfClosing(position, Math.abs(position.lots), unit);
  return loss <= 0n || loss <= backingOf(state, position);
}
