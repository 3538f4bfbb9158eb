import { futuresWalletOf } from '#model/account.ts';
import { bankruptcyPrice, greatestTicks } from '#engine/futures/bankruptcy-price.ts';
import { canClose } from '#engine/futures/can-settle.ts';
import { closePart, emitPosition } from '#engine/futures/change-position.ts';
import type { Contract } from '#engine/state/futures/contracts.ts';
import { deleveragingOrder } from '#engine/futures/deleveraging-rank.ts';
import { unrealisedProfit } from '#engine/futures/equity.ts';
import type { Position } from '#engine/state/futures/positions.ts';
import { emitTakeover } from '#engine/futures/take-over.ts';
import { isWaiting } from '#engine/futures/waiting-contract.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';

/** How long a fund tries to close its position by orders. DEC-FUT-18. */
const closingByOrdersMs = 60_000;

/** Notes since when the fund of a contract has a position; without one the clock stops. */
export function noteFundPosition(state: EngineState, { rules, insurer }: Contract): void {
  const mark = state.marks.opened(rules);
  if ((state.positions.find(insurer, rules.id)?.lots ?? 0) === 0) mark.clearFundSince();
  else mark.noteFundSince(state.at);
}

/** Whether a fund must be rid of its position: it has it for 60 s, or its equity at the fair price is below zero. */
export function mustDeleverage(state: EngineState, { rules, insurer }: Contract): boolean {
  const own = state.positions.find(insurer, rules.id);
  if (own === null || own.lots === 0 || isWaiting(state, rules.id)) return false;
  if (state.at - state.marks.of(rules).fundSince >= closingByOrdersMs) return true;
  return freeOf(state, futuresWalletOf(insurer), rules.settle) + unrealisedProfit(state, own) < 0n;
}

/**
 * Auto-deleveraging: closes the fund's position against opposite ones in the order of their rank, at the price that the
 * fund paid on the mean, rounded so that it never loses. Who cannot pay at that price is left out. No commission.
 * DEC-FUT-50.
 */
export function deleverage(state: EngineState, { rules, insurer }: Contract): void {
  const own = state.positions.find(insurer, rules.id)!;
  const { quotePerTickLot } = state.books[rules.id]!;
  const ticks = bankruptcyPrice({ lots: own.lots, cost: own.cost, quotePerTickLot }, 0n);
  if (ticks > greatestTicks(quotePerTickLot)) return;
  const unit = Number(ticks) * quotePerTickLot;
  for (const position of deleveragingOrder(state, rules.id, own.lots > 0 ? 'short' : 'long')) {
    if (own.lots === 0) return;
    if (!canClose(state, position, unit)) continue;
    const lots = Math.sign(position.lots) * Math.min(Math.abs(own.lots), Math.abs(position.lots));
    const realised = close(state, position, lots, unit);
    const fromFund = -close(state, own, -lots, unit);
    emitTakeover(state, position, { reason: 'deleveraging', lots, price: Number(ticks), realised, fee: 0, fromFund });
    emitPosition(state, insurer, rules.id);
  }
}

/** Closes so many lots of a position, given with its sign; returns the profit. */
function close(state: EngineState, position: Position, lots: number, unit: number): bigint {
  const { account, contract } = position;
  const book = state.books[contract]!;
  const row = state.ledger.balances.row(futuresWalletOf(account), book.quote);
  const before = position.realised;
  closePart(state, position, { book, account, row, lots: -lots, unit, order: null });
  return position.realised - before;
}
