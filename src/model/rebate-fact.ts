import type { AssetAmount, Invitation, InviteCode, InviteeMove, RebatePayout, RebateTerms } from '#model/rebate.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';

/** What happened to invitations and rebates, each with the whole record as it is now. */
export type RebateFact =
  | { readonly kind: 'inviteCodeCreated'; readonly code: InviteCode }
  /** Comes after `accountOpened`. */
  | { readonly kind: 'accountInvited'; readonly invitation: Invitation }
  | { readonly kind: 'rebateRatesSet'; readonly terms: RebateTerms }
  | {
      readonly kind: 'clicksRecorded';
      readonly code: string;
      readonly owner: AccountId;
      readonly minute: TimestampMs;
      readonly count: number;
    }
  | { readonly kind: 'inviteeMoved'; readonly move: InviteeMove }
  /** `isDone`: nothing of that day, and of days before, is left. */
  | {
      readonly kind: 'rebatesSettled';
      readonly day: TimestampMs;
      readonly payouts: readonly RebatePayout[];
      readonly isDone: boolean;
    }
  | {
      readonly kind: 'rebatesRejected';
      readonly beneficiary: AccountId;
      readonly source: AccountId | null;
      readonly day: TimestampMs;
      readonly amounts: readonly AssetAmount[];
    };
