import type { ContractState, ContractTerms, MarginMode } from '#model/contract.ts';
import type { OrderRequest } from '#model/order.ts';
import type { AccountId, Balance, SymbolId } from '#model/units.ts';

/** Commands about contracts. Orders of contracts are cancelled by the same commands as others. */
export type ContractCommand =
  /** Lists a contract and opens its insurance fund, or changes the rates and tiers of a listed one. */
  | { readonly kind: 'configureContract'; readonly contract: ContractTerms }
  | { readonly kind: 'setContractState'; readonly contract: SymbolId; readonly state: ContractState }
  /** Money of the house for the insurance fund of a contract. DEC-FUT-18. */
  | { readonly kind: 'fundInsurance'; readonly contract: SymbolId; readonly amount: Balance }
  /** Index prices of this second, in steps of 10^-markDecimals; `null`: no source is live. DEC-FUT-03. */
  | {
      readonly kind: 'updateIndices';
      readonly prices: readonly { readonly contract: SymbolId; readonly price: number | null }[];
    }
  /** An order that closes a position at most, of the kinds `immediateOrCancel` and `market`. */
  | { readonly kind: 'reducePosition'; readonly account: AccountId; readonly order: OrderRequest }
  /** Of an account without position and open orders of the contract. */
  | {
      readonly kind: 'setLeverage';
      readonly account: AccountId;
      readonly contract: SymbolId;
      readonly mode: MarginMode;
      readonly leverage: number;
    };
