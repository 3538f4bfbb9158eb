import type { InviteCode } from '#model/rebate.ts';
import { rebateDayMs } from '#model/rebate.ts';
import type { AccountId } from '#model/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import { pendingRebatesOf } from '#engine/rebates/pending-rebates.ts';
import type { RebateQueries } from '#sequencer/queries/rebate-queries.ts';

/** The query port of invitations and rebates where asker and engine share a process. */
export function rebateQuestions({ state }: StateMachine): RebateQueries {
  const { invitations, inviteCodes, rebateRates, rebateAccruals } = state;
  const codesOf = (owner: AccountId): readonly InviteCode[] => {
    const own = inviteCodes.referCode(owner);
    return own === null ? [] : [own, ...inviteCodes.of(owner)];
  };
  return {
    invitation: async (account) => {
      const invitation = invitations.of(account);
      return invitation === null ? null : { ...invitation };
    },
    invitees: async (inviter, asked) => invitations.page(inviter, asked),
    subAffiliates: async (inviter, asked) => invitations.subAffiliates(inviter, asked),
    inviteCode: async (code) => inviteCodes.find(code),
    inviteCodesOf: async (owner) => codesOf(owner),
    rates: async (inviter, product) => rebateRates.of(inviter, product),
    settledBefore: async () => rebateAccruals.settledBefore(state.at),
    dueDay: async (now) => {
      const day = rebateAccruals.oldestDay();
      return day !== null && day + rebateDayMs <= now ? day : null;
    },
    pendingOf: async (beneficiary, limit) => pendingRebatesOf(state, beneficiary, limit),
  };
}
