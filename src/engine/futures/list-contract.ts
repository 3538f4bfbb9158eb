import type { ContractListing, ContractRules, ContractState } from '#model/contract.ts';
import { marketOf, settlePerTickLot } from '#model/contract-market.ts';
import { contractFault } from '#model/contract-fault.ts';
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

/** Whether a contract can have these terms; those of a listed one must keep its coins and scales. */
export function areTermsValid(state: EngineState, terms: ContractListing, listed: ContractRules | null): boolean {
  const settle = state.assets[terms.settle];
  if (state.assets[terms.base] === undefined || settle === undefined) return false;
  return (listed !== null || isListable(state, terms)) && contractFault(terms, listed, settle.scale) === null;
}

/** A contract is listed in a state from which it can be traded or be paused. */
const isListable = (state: EngineState, terms: ContractListing): boolean =>
  state.books.length < engineLimits.symbols &&
  /^[A-Z0-9]{2,12}_[A-Z0-9]{2,12}$/.test(terms.name) &&
  (terms.state === 'enabled' || terms.state === 'paused');
