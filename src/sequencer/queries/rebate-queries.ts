import type { Invitation, InviteCode, Product, RebateRates } from '#model/rebate.ts';
import type { AccountId, AssetId, Balance, TimestampMs } from '#model/units.ts';

/** Which invited accounts of an inviter, the newest first. Both ends of the time are inclusive. */
export interface InviteePage {
  /** Only those who came by this code. */
  readonly code?: string | undefined;
  readonly from: TimestampMs;
  readonly to: TimestampMs;
  readonly offset: number;
  readonly limit: number;
}

/** Somebody who was invited, and invites others. DEC-SUB-68. */
export interface SubAffiliate {
  readonly invitation: Invitation;
  /** When it first invited somebody. */
  readonly activatedAt: TimestampMs;
}

/** What waits for its settlement. */
export interface PendingRebate {
  readonly day: TimestampMs;
  readonly beneficiary: AccountId;
  readonly source: AccountId;
  readonly asset: AssetId;
  readonly amount: Balance;
}

/** Questions about invitations and rebates; see `ExchangeQueries`. */
export interface RebateQueries {
  /** How an account came here; `null`: nobody invited it. */
  invitation(account: AccountId): Promise<Invitation | null>;
  /** Accounts that an account invited itself, with the total that the page is of. */
  invitees(
    inviter: AccountId,
    asked: InviteePage,
  ): Promise<{ readonly items: readonly Invitation[]; readonly total: number }>;
  /**
   * Those whom an account invited itself and who invited others, with when they did so first: up to `to`, by the code
   * under which they came if sent. Who began last comes first.
   */
  subAffiliates(
    inviter: AccountId,
    asked: Omit<InviteePage, 'from'>,
  ): Promise<{ readonly items: readonly SubAffiliate[]; readonly total: number }>;
  /** A code of either kind, refer codes of accounts included; `null`: nobody's. */
  inviteCode(code: string): Promise<InviteCode | null>;
  /** Codes of an account, the refer code first, then in the order in which they were made. */
  inviteCodesOf(owner: AccountId): Promise<readonly InviteCode[]>;
  /** Rates of an inviter: its own, or the defaults. */
  rates(inviter: AccountId, product: Product): Promise<RebateRates>;
  /** Start of the first day of which something may still be pending: all before it is settled or rejected. */
  settledBefore(): Promise<TimestampMs>;
  /** The oldest day that waits for its settlement, if that day is over at this time of the exchange. */
  dueDay(now: TimestampMs): Promise<TimestampMs | null>;
  /** What waits for a beneficiary, oldest day first, then by source and asset; at most `limit`. */
  pendingOf(beneficiary: AccountId, limit: number): Promise<readonly PendingRebate[]>;
}
