import type { ContractRules } from '#model/contract.ts';
import type { SymbolId } from '#model/units.ts';
import type { ExchangeQueries } from '#sequencer/queries/exchange-queries.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';

/** Every contract, by name and by id. */
export interface ListedContracts {
  readonly all: readonly ContractRules[];
  /** A contract that is listed, by its id. */
  at(contract: SymbolId): ContractRules;
  /** `null`: there is none of that name. */
  find(name: string): ContractRules | null;
  /** A contract that a path or a query names. @throws Problem `unknownContract`. */
  ofPath(name: string): ContractRules;
  /** A contract that a member of the body names. @throws Problem naming the member. */
  ofBody(name: string, pointer: string): ContractRules;
}

/** The contracts that are listed now. */
export async function listedContracts(queries: ExchangeQueries): Promise<ListedContracts> {
  const all = await queries.contracts.all();
  const find = (name: string): ContractRules | null => all.find((contract) => contract.name === name) ?? null;
  return {
    all,
    find,
    at: (contract) => all.find(({ id }) => id === contract) as ContractRules,
    ofPath: (name) => {
      const contract = find(name);
      if (contract === null) throw new Problem('unknownContract');
      return contract;
    },
    ofBody: (name, pointer) => {
      const contract = find(name);
      if (contract === null) throw invalidBody(pointer, 'must be a listed contract');
      return contract;
    },
  };
}
