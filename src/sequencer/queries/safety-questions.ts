import type { StateMachine } from '#engine/create-engine.ts';
import { isHeld, isKnownPayment } from '#engine/wallet/known-payments.ts';
import type { SafetyQueries } from '#sequencer/queries/safety-queries.ts';

/** The query port of safety where asker and engine share a process. */
export function safetyQuestions({ state }: StateMachine): SafetyQueries {
  const { unknownPayments, paidWithdrawals, operators } = state;
  return {
    profile: async () => state.profile.recorded,
    isHeld: async (network) => isHeld(state, network),
    isKnownPayment: async (network, payment) => isKnownPayment(state, network, payment),
    unknownPayments: async () => unknownPayments.all(),
    unknownPayment: async (network, payment) => unknownPayments.get(network, payment),
    paidWithdrawals: async (network, at) => paidWithdrawals.followedOf(network, at),
    isAlone: async () => operators.isAlone,
    proposals: async () => operators.all(),
    proposal: async (proposal) => operators.find(proposal),
    haveProposalsEnded: async (at) => operators.ended(at).length > 0,
    lostPayments: async () => paidWithdrawals.allLost(),
    lostPayment: async (withdrawal) => {
      const paid = paidWithdrawals.get(withdrawal);
      return paid === null || paid.lostBy === null ? null : paid;
    },
  };
}
