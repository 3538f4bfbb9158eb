import type { AccountId } from '#domain/units.ts';
import type { Book } from '#engine/book/book.ts';
import { closedBy, partOf, profitOfClosing } from '#engine/contracts/change-position.ts';
import { leverageOf, marginOf, mostLots } from '#engine/contracts/position-margin.ts';
import type { Position } from '#engine/contracts/positions.ts';
import type { EngineState } from '#engine/state.ts';

/** The most that the open lots of one account and contract may cost: what images and answers can tell. */
const costMost = 1n << 60n;

/** One side of a fill that may happen. */
export interface PossibleFill {
  readonly account: AccountId;
  /** Futures wallet of the account in the settle asset. */
  readonly row: number;
  /** Bought above zero, sold below. */
  readonly lots: number;
  /** Settle units per lot. */
  readonly unit: number;
  /** What the hold of its order releases for this fill. */
  readonly released: bigint;
}

/**
 * Whether a side of a fill can be settled: its account pays the loss of what it closes, and the position that it opens
 * stays within the risk limit. A fill that cannot be settled does not happen. DEC-FUT-21.
 */
export function canSettle(state: EngineState, book: Book, fill: PossibleFill): boolean {
  const { account, lots, unit } = fill;
  const position = state.positions.find(account, book.symbol);
  const before = position?.lots ?? 0;
  const after = before + lots;
  const opens = Math.sign(after) === Math.sign(lots) && after !== 0;
  if (
    opens &&
    Math.abs(after) > mostLots(state.contracts.at(book.symbol).rules, leverageOf(state, account, book.symbol))
  )
    return false;
  if (position === null || position.lots === 0) return true;
  const closed = closedBy(lots, position);
  if (closed === 0) return absolute(position.cost) + BigInt(Math.abs(lots)) * BigInt(unit) <= costMost;
  return -profitOfClosing(position, closed, unit) <= payable(state, position, closed, fill);
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** What pays the loss of closing a part: isolated, its share of the margin; cross, all margin and what is free. */
function payable(state: EngineState, position: Position, closed: number, { row, released }: PossibleFill): bigint {
  const margin = marginOf(state, position);
  if (position.mode === 'isolated') return partOf(margin, closed, Math.abs(position.lots));
  return margin + state.ledger.balances.free.get(row) + released;
}
