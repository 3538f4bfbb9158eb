import type { StateMachine } from '#engine/create-engine.ts';
import type { SubAccountQueries } from '#ingress/sub-account-queries.ts';

/** The query port of sub-accounts where asker and engine share a process. */
export function subAccountQuestions({ state }: StateMachine): SubAccountQueries {
  void state;
  return {
    page: async () => ({ items: [], total: 0 }),
    named: async () => null,
    of: async () => null,
    transferable: async () => 0n as never,
  };
}
