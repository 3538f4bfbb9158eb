import type { ContractListing, ContractRules, ContractState } from '#model/contract.ts';
import { contractFault } from '#model/contract-fault.ts';
import { engineLimits } from '#model/limits.ts';
import type { Contract } from '#engine/state/futures/contracts.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Changes the state of a listed contract, and emits its new rules. */
export function setContractState(state: EngineState, contract: Contract, wanted: ContractState): void {
  const rules: ContractRules = { ...contract.rules, state: wanted };
  state.contracts.put({ ...contract, rules });
  state.emit.fact({ kind: 'contractConfigured', contract: rules });
}

/** Whether a contract can have these terms; those of a listed one must keep its coins and scales. */
export function areTermsValid(state: EngineState, terms: ContractListing, listed: ContractRules | null): boolean {
  const settle = state.assets.get(terms.settle);
  if (!state.assets.has(terms.base) || settle === null) return false;
  return (listed !== null || isListable(state, terms)) && contractFault(terms, listed, settle.scale) === null;
}

/** A contract is listed in a state from which it can be traded or be paused. */
const isListable = (state: EngineState, terms: ContractListing): boolean =>
  state.books.length < engineLimits.symbols &&
  /^[A-Z0-9]{2,12}_[A-Z0-9]{2,12}$/.test(terms.name) &&
  (terms.state === 'enabled' || terms.state === 'paused');
