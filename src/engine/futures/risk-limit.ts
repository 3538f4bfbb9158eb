import type { AccountId, SymbolId } from '#model/units.ts';
import type { SideCode } from '#engine/book/side-code.ts';
import { leverageOf, mostLots } from '#engine/futures/position-margin.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Whether a position would exceed the risk limit if so many lots were traded, sold ones below zero: what opens must lie
 * within the last tier, and within those that allow the leverage. DEC-FUT-46.
 */
export function exceedsRiskLimit(state: EngineState, account: AccountId, contract: SymbolId, lots: number): boolean {
  const after = (state.positions.find(account, contract)?.lots ?? 0) + lots;
  // What only closes is never too much.
  if (Math.sign(after) !== Math.sign(lots)) return false;
  return Math.abs(after) > mostLots(state.contracts.at(contract).rules, leverageOf(state, account, contract));
}

/** Lots of an account's open orders of a contract on one side; cost grows with its open orders. */
export function orderedLots(state: EngineState, account: AccountId, contract: SymbolId, side: SideCode): number {
  const { orders } = state.tables;
  let lots = 0;
  state.accounts.openOrders.every(account, (slot) => {
    if (orders.symbol(slot) === contract && orders.side(slot) === side) lots += orders.remaining(slot);
    return true;
  });
  return lots;
}
