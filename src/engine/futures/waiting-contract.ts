import type { SymbolId } from '#model/units.ts';
import type { Contract } from '#engine/state/futures/contracts.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Whether positions of a contract are left as they are: it is paused or over, all trading is halted, or its fair price
 * is not known yet. Funding goes on. DEC-FUT-09, DEC-OPR-166.
 */
export function isWaiting(state: EngineState, contract: SymbolId): boolean {
  const { rules } = state.contracts.at(contract);
  if (!state.trading.isOpen) return true;
  return (rules.state !== 'enabled' && rules.state !== 'delivery') || state.marks.of(rules).fair === 0;
}

/** Contracts whose positions are liquidated and deleveraged now, in the order of listing. */
export const activeContracts = (state: EngineState): readonly Contract[] =>
  state.contracts.all().filter(({ rules }) => !isWaiting(state, rules.id));
