import { rebateDayMs, type InviteCode, type Product } from '#model/rebate.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { pendingRebatesOf } from '#engine/rebates/pending-rebates.ts';
import type { InvitationPage } from '#engine/state/rebates/invitations.ts';

/** Questions about invitations and rebates; see `exchangeQueries`. */
export function rebateQueries({ state }: StateMachine) {
  const { invitations, inviteCodes, rebateRates, rebateAccruals } = state;
  return {
    /** How an account came here; `null`: nobody invited it. */
    invitation: async (account: AccountId) => {
      const invitation = invitations.of(account);
      return invitation === null ? null : { ...invitation };
    },
    /** Accounts that an account invited itself, the newest first, with the total that the page is of. */
    invitees: async (inviter: AccountId, asked: InvitationPage) => invitations.page(inviter, asked),
    /**
     * Those whom an account invited itself and who invited others, with when they did so first: up to `to`, by the
     * code under which they came if sent. Who began last comes first. DEC-SUB-68.
     */
    subAffiliates: async (inviter: AccountId, asked: Omit<InvitationPage, 'from'>) =>
      invitations.subAffiliates(inviter, asked),
    /** A code of either kind, refer codes of accounts included; `null`: nobody's. */
    inviteCode: async (code: string) => inviteCodes.find(code),
    /** Codes of an account, the refer code first, then in the order in which they were made. */
    inviteCodesOf: async (owner: AccountId): Promise<readonly InviteCode[]> => {
      const own = inviteCodes.referCode(owner);
      return own === null ? [] : [own, ...inviteCodes.of(owner)];
    },
    /** Rates of an inviter: its own, or the defaults. */
    rates: async (inviter: AccountId, product: Product) => rebateRates.of(inviter, product),
    /** Start of the first day of which something may still be pending: all before it is settled or rejected. */
    settledBefore: async () => rebateAccruals.settledBefore(state.at),
    /** The oldest day that waits for its settlement, if that day is over at this time of the exchange. */
    dueDay: async (now: TimestampMs) => {
      const day = rebateAccruals.oldestDay();
      return day !== null && day + rebateDayMs <= now ? day : null;
    },
    /** What waits for a beneficiary, oldest day first, then by source and asset; at most `limit`. */
    pendingOf: async (beneficiary: AccountId, limit: number) => pendingRebatesOf(state, beneficiary, limit),
  };
}

/** The query port of invitations and rebates. */
export type RebateQueries = Readonly<ReturnType<typeof rebateQueries>>;

/** Somebody who was invited, and invites others; `activatedAt`: when it did so first. DEC-SUB-68. */
export type SubAffiliate = Awaited<ReturnType<RebateQueries['subAffiliates']>>['items'][number];

/** What waits for its settlement. */
export type PendingRebate = Awaited<ReturnType<RebateQueries['pendingOf']>>[number];
