import type { ContractRules, FundingSettlement, MarkView, Takeover } from '#model/contract.ts';
import type { Balance, SymbolId, TimestampMs } from '#model/units.ts';

/** What happened to contracts and positions, each with the whole record as it is now. */
export type ContractFact =
  | { readonly kind: 'contractConfigured'; readonly contract: ContractRules }
  /** Once per contract and second. */
  | { readonly kind: 'markUpdated'; readonly mark: MarkView }
  | { readonly kind: 'fundingSettled'; readonly funding: FundingSettlement }
  | { readonly kind: 'positionTaken'; readonly takeover: Takeover }
  /** Every four hours. DEC-FUT-17. */
  | {
      readonly kind: 'fundSnapshot';
      readonly contract: SymbolId;
      readonly available: Balance;
      readonly at: TimestampMs;
    };
