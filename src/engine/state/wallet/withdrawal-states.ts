import type { WithdrawalDecision, WithdrawalEvent, WithdrawalStatus } from '#model/wallet.ts';

/** What can happen to a withdrawal: steps of settlement, decisions of operators, and the user's cancel. */
export type WithdrawalStep = WithdrawalEvent | WithdrawalDecision | 'cancel';

/** Conditions under which a transition is taken; `withdrawal-steps.ts` decides them. */
export type WithdrawalCondition = 'isHeld' | 'hasApprovals' | 'isConfirmed';

/** One transition: `only` under its condition, else always. */
export interface WithdrawalTransition {
  readonly from: WithdrawalStatus;
  readonly step: WithdrawalStep;
  readonly to: WithdrawalStatus;
  readonly only?: WithdrawalCondition;
}

/**
 * Every transition of a withdrawal. Of several with the same status and step the first whose condition holds is taken.
 * What is not in here is refused. DEC-WAL-02, DEC-WAL-23, DEC-WAL-24.
 */
export const withdrawalTransitions: readonly WithdrawalTransition[] = [
  { from: 'apply', step: 'assess', to: 'auditing', only: 'isHeld' },
  { from: 'apply', step: 'assess', to: 'wait' },
  { from: 'apply', step: 'cancel', to: 'cancelled' },

  { from: 'auditing', step: 'assess', to: 'manual' },
  { from: 'auditing', step: 'manual', to: 'manual' },
  { from: 'auditing', step: 'approve', to: 'wait', only: 'hasApprovals' },
  { from: 'auditing', step: 'approve', to: 'auditing' },
  { from: 'auditing', step: 'cancel', to: 'cancelled' },

  { from: 'manual', step: 'approve', to: 'wait', only: 'hasApprovals' },
  { from: 'manual', step: 'approve', to: 'manual' },
  { from: 'manual', step: 'reject', to: 'failed' },
  { from: 'manual', step: 'cancel', to: 'cancelled' },

  { from: 'wait', step: 'begin', to: 'processing' },
  { from: 'wait', step: 'cancel', to: 'cancelled' },

  { from: 'processing', step: 'sign', to: 'packaging' },
  { from: 'processing', step: 'fail', to: 'failed' },
  { from: 'processing', step: 'postpone', to: 'wait' },

  { from: 'packaging', step: 'broadcast', to: 'confirming' },
  { from: 'packaging', step: 'replace', to: 'packaging' },
  { from: 'packaging', step: 'fail', to: 'failed' },

  { from: 'confirming', step: 'replace', to: 'confirming' },
  { from: 'confirming', step: 'confirm', to: 'success', only: 'isConfirmed' },
  { from: 'confirming', step: 'confirm', to: 'confirming' },
  { from: 'confirming', step: 'displace', to: 'failed', only: 'isConfirmed' },
];

/** Transitions of a status by a step, in order; empty where the step is not allowed. */
export const transitionsOf = (status: WithdrawalStatus, step: WithdrawalStep): readonly WithdrawalTransition[] =>
  withdrawalTransitions.filter((each) => each.from === status && each.step === step);

const finalStatuses: ReadonlySet<WithdrawalStatus> = new Set(['success', 'failed', 'cancelled']);

/** Whether nothing can happen to it any more. */
export const isFinal = (status: WithdrawalStatus): boolean => finalStatuses.has(status);
