import type { Product, RebateRates } from '#model/rebate.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';

/** Commands about invitations, and about what inviters earn. */
export type RebateCommand =
  /** A further code of `owner`, which is its own master. */
  | {
      readonly kind: 'createInviteCode';
      readonly owner: AccountId;
      readonly code: string;
      readonly campaign: string | null;
    }
  /** Own rates of an inviter; they count from the next trade. */
  | ({ readonly kind: 'setRebateRates'; readonly inviter: AccountId; readonly product: Product } & RebateRates)
  /** How often a code was clicked within a minute, once a minute. DEC-SUB-27. */
  | {
      readonly kind: 'recordClicks';
      readonly code: string;
      readonly minute: TimestampMs;
      readonly count: number;
    }
  /** Pays what accrued on a day that is over, or a part of it; repeat until nothing is left. DEC-SUB-22. */
  | { readonly kind: 'settleRebates'; readonly day: TimestampMs }
  /** Gives back to fees what accrued so far for `beneficiary` on a day; `source` null: from everybody. DEC-SUB-22. */
  | {
      readonly kind: 'rejectRebates';
      readonly beneficiary: AccountId;
      readonly source: AccountId | null;
      readonly day: TimestampMs;
    };
