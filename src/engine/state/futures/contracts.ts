import { integer, record, type ValueOf } from '#model/codec/field-codec.ts';
import { contractRules } from '#model/contract.ts';
import { marketOf, settlePerTickLot } from '#model/contract-market.ts';
import type { AccountId, AssetId, SymbolId } from '#model/units.ts';
import type { BookTables } from '#engine/book/book.ts';
import type { Assets } from '#engine/state/spot/assets.ts';
import { RecordTable } from '#engine/state/state-table.ts';

/** A listed contract. */
const contract = record({
  rules: contractRules,
  /** The account whose futures wallet is its insurance fund. DEC-FUT-18. */
  insurer: integer<AccountId>(),
});
export type Contract = ValueOf<typeof contract>;

/** Listed contracts, by the id of their market. */
export class Contracts extends RecordTable<Contract> {
  readonly name = 'contracts';
  private readonly assets: Assets;
  private readonly tables: BookTables;
  private readonly byId = new Map<SymbolId, Contract>();
  private readonly byName = new Map<string, SymbolId>();
  private readonly insurers = new Set<AccountId>();

  /** Each contract has a book among `tables`. */
  constructor(assets: Assets, tables: BookTables) {
    super(contract);
    this.assets = assets;
    this.tables = tables;
  }

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

  /** Lists a contract whose terms were checked and opens its book, or replaces the rules of a listed one. */
  put(contract: Contract): void {
    const { rules } = contract;
    const market = marketOf(rules);
    const book = this.tables.books[rules.id];
    if (book !== undefined) book.setRules(market);
    else this.tables.open(market, settlePerTickLot(rules, this.assets.at(rules.settle).scale)!, 0);
    this.byId.set(rules.id, contract);
    this.byName.set(rules.name, rules.id);
    this.insurers.add(contract.insurer);
  }
}
