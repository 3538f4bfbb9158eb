import { defaultRebateRates } from '#domain/rebate.ts';
import { as } from '#domain/units.ts';
import type { StateMachine } from '#engine/create-engine.ts';
import type { RebateQueries } from '#ingress/rebate-queries.ts';

/** The query port of invitations and rebates where asker and engine share a process. */
export function rebateQuestions({ state }: StateMachine): RebateQueries {
  void state;
  return {
    invitation: async () => null,
    invitees: async () => ({ items: [], total: 0 }),
    subAffiliates: async () => ({ items: [], total: 0 }),
    inviteCode: async () => null,
    inviteCodesOf: async () => [],
    rates: async () => defaultRebateRates,
    settledBefore: async () => as(0),
    dueDay: async () => null,
    pendingOf: async () => [],
  };
}
