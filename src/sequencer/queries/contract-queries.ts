import type { ContractRules, MarkView, PositionView } from '#model/contract.ts';
import type { AccountId, Balance, PriceTicks, SymbolId } from '#model/units.ts';

/** Margin of an account in one settle asset. */
export interface MarginView {
  /** Free in the futures wallet, and held for orders and positions. */
  readonly free: Balance;
  readonly held: Balance;
  /** Unrealised profit of all positions at the fair prices; may be below zero. */
  readonly unrealised: Balance;
  /** What may be withdrawn from the futures wallet. */
  readonly withdrawable: Balance;
}

/** A position with what follows from the fair price. */
export interface MarkedPosition extends PositionView {
  readonly unrealised: Balance;
  /** Ticks; `null`: it cannot be liquidated at any price. */
  readonly liquidationPrice: PriceTicks | null;
  /** Place in the order of auto-deleveraging among those of its side, from 1; `null`: of an insurance fund. */
  readonly deleveragingRank: number | null;
}

/** How many orders rest at each price of a book, best first. */
export interface OrderCounts {
  readonly bids: readonly (readonly [PriceTicks, number])[];
  readonly asks: readonly (readonly [PriceTicks, number])[];
}

/** Questions about contracts; see `ExchangeQueries`. */
export interface ContractQueries {
  /** Every listed contract, in the order of listing. */
  all(): Promise<readonly ContractRules[]>;
  /** `null` for a symbol that is no contract. */
  mark(contract: SymbolId): Promise<MarkView | null>;
  /** Where a projection of the number of orders starts. */
  orderCounts(contract: SymbolId): Promise<OrderCounts>;
  position(account: AccountId, contract: SymbolId): Promise<MarkedPosition | null>;
  /** Of an account, in the order of contracts. */
  positionsOf(account: AccountId): Promise<readonly MarkedPosition[]>;
  /** Of a contract, by account; those after `after`, at most `limit`. */
  positionsIn(contract: SymbolId, after: AccountId | null, limit: number): Promise<readonly MarkedPosition[]>;
  /** In the settle asset of a contract; `null` for a symbol that is no contract. */
  margin(account: AccountId, contract: SymbolId): Promise<MarginView | null>;
  /** The account whose futures wallet is the insurance fund of a contract. */
  insurer(contract: SymbolId): Promise<AccountId | null>;
}
