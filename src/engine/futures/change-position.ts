import { innerHouse } from '#model/account.ts';
import type { AccountId, OrderNumber, SymbolId } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { marginOf, positionFor, viewOfPosition } from '#engine/futures/position-margin.ts';
import { positionId, type Position } from '#engine/state/futures/positions.ts';
import { holdOwnerNumbers } from '#model/hold.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Lots that change hands at a price: bought above zero, sold below. */
export interface PositionFill {
  readonly book: Book;
  readonly account: AccountId;
  /** Futures wallet of the account in the settle asset. */
  readonly row: number;
  readonly lots: number;
  /** Settle units per lot at the price of the fill. */
  readonly unit: number;
  /** The order that it belongs to; `null`: the exchange made it. */
  readonly order: OrderNumber | null;
}

/** The part of an amount that belongs to `part` of `whole` lots, rounded toward zero. */
export const partOf = (amount: bigint, part: number, whole: number): bigint => (amount * BigInt(part)) / BigInt(whole);

/** Lots of a position that a fill closes; the others open. Above zero. */
export const closedBy = (lots: number, position: Pick<Position, 'lots'>): number =>
  Math.sign(lots) === -Math.sign(position.lots) ? Math.min(Math.abs(lots), Math.abs(position.lots)) : 0;

/** Profit of closing so many lots of a position at `unit` settle units per lot; below zero a loss. DEC-FUT-20. */
export const profitOfClosing = (position: Pick<Position, 'lots' | 'cost'>, closed: number, unit: number): bigint =>
  BigInt(Math.sign(position.lots)) * BigInt(closed) * BigInt(unit) -
  partOf(position.cost, closed, Math.abs(position.lots));

/** What is closed of a position: lots above zero, their part of the cost, their profit, and the margin they free. */
export interface Closing {
  readonly lots: number;
  readonly cost: bigint;
  readonly profit: bigint;
  readonly released: bigint;
}

/** What a fill closes of a position with this margin while so much is free, or `null`. DEC-FUT-20, DEC-FUT-49. */
export function closingOf(
  position: Pick<Position, 'lots' | 'cost' | 'mode'> & { readonly margin: bigint },
  { lots, unit }: Pick<PositionFill, 'lots' | 'unit'>,
  free: bigint,
): Closing | null {
  const closed = closedBy(lots, position);
  if (closed === 0) return null;
  const size = Math.abs(position.lots);
  const profit = profitOfClosing(position, closed, unit);
  const share = partOf(position.margin, closed, size);
  const paying = position.mode === 'cross' ? free : 0n;
  // More than its share of the margin pays where that, of a cross position with what is free, does not suffice; of an
  // isolated one it is a unit of rounding.
  const released = paying + share + profit < 0n ? -profit - paying : share;
  return { lots: closed, cost: partOf(position.cost, closed, size), profit, released };
}

/**
 * Closes what a fill closes of a position: releases the margin of those lots and books their profit or loss, the other
 * side of which is the house's clearing. Fills that an account cannot pay are prevented before; see `canSettle`.
 */
export function closePart(state: EngineState, position: Position, fill: PositionFill): void {
  const { row, order } = fill;
  const { ledger } = state;
  const { mode, lots, cost } = position;
  const closing = closingOf(
    { mode, lots, cost, margin: marginOf(state, position) },
    fill,
    ledger.balances.free.get(row),
  );
  if (closing === null) return;
  const { released, profit } = closing;
  if (released > 0n) ledger.resizeHold(position.hold, -released, 'fill', order);
  if (profit !== 0n) {
    ledger.post(row, profit, 'contractProfit', order);
    ledger.post(ledger.balances.row(innerHouse.clearing, fill.book.quote), -profit, 'contractProfit', order);
  }
  position.cost -= closing.cost;
  state.positions.changeLots(position, Math.sign(fill.lots) * closing.lots);
  position.realised += profit;
  if (position.lots === 0) endPosition(state, position);
}

/** Makes a record that lost its lots one without position: its margin is free again. */
export function endPosition(state: EngineState, position: Position): void {
  state.ledger.closeHold(position.hold, 'fill');
  position.hold = noHold;
  state.positions.noteClosed(position);
}

/** Adds lots with what they cost, and holds their margin from free balance. */
export function openPart(state: EngineState, position: Position, margin: bigint, fill: PositionFill): void {
  if (fill.lots === 0) return;
  if (position.lots === 0) beginPosition(state, position, fill.row);
  state.positions.changeLots(position, fill.lots);
  position.cost += BigInt(fill.lots) * BigInt(fill.unit);
  if (margin > 0n) state.ledger.resizeHold(position.hold, margin, 'orderHold', fill.order);
}

/** Makes a record without lots one of an open position, whose margin is held in this row. Its lots follow. */
export function beginPosition(state: EngineState, position: Position, row: number): void {
  const owner = { kind: holdOwnerNumbers.position, id: positionId(position.account, position.contract) };
  position.hold = state.holds.open(row, 0, owner);
  position.realised = 0n;
  position.openedAt = state.at;
  state.positions.noteOpen(position);
}

/** Tells the position of an account as it is after a change. */
export function emitPosition(state: EngineState, account: AccountId, contract: SymbolId): void {
  const position = positionFor(state, account, contract);
  position.updatedAt = state.at;
  state.emit.positionChanged(viewOfPosition(state, position));
}
