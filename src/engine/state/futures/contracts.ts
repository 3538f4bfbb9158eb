import { integer, record, type ValueOf } from '#model/codec/field-codec.ts';
import { contractRules } from '#model/contract.ts';
import type { AccountId, AssetId, SymbolId } from '#model/units.ts';

/** A listed contract. */
export const contract = record({
  rules: contractRules,
  /** The account whose futures wallet is its insurance fund. DEC-FUT-18. */
  insurer: integer<AccountId>(),
});
export type Contract = ValueOf<typeof contract>;

/** Listed contracts, by the id of their market. */
export class Contracts {
  private readonly byId = new Map<SymbolId, Contract>();
  private readonly byName = new Map<string, SymbolId>();
  private readonly insurers = new Set<AccountId>();

  get(id: SymbolId): Contract | null {
    return this.byId.get(id) ?? null;
  }

  /** A contract that is listed. */
  at(id: SymbolId): Contract {
    return this.byId.get(id)!;
  }

  /** Whether an account is that of an insurance fund. */
  isInsurer(account: AccountId): boolean {
    return this.insurers.has(account);
  }

  find(name: string): Contract | null {
    const id = this.byName.get(name);
    return id === undefined ? null : this.at(id);
  }

  /** In the order of listing. */
  all(): readonly Contract[] {
    // stored order: contracts are listed in the order of their ids, and stay
    return [...this.byId.values()];
  }

  /** Contracts that are settled in this asset, in the order of listing. */
  settledIn(asset: AssetId): readonly Contract[] {
    return this.all().filter(({ rules }) => rules.settle === asset);
  }

  /** Adds a contract, or replaces the record of a listed one. */
  put(contract: Contract): void {
    this.byId.set(contract.rules.id, contract);
    this.byName.set(contract.rules.name, contract.rules.id);
    this.insurers.add(contract.insurer);
  }
}
