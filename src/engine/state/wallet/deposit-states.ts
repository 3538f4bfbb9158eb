import type { DepositDecision, DepositStatus } from '#model/wallet.ts';

/**
 * What happens to a deposit: it is reported with fewer confirmations than it needs (`unconfirmed`) or with enough
 * (`confirmed`), small ones reach the minimum together (`sumReached`), its chain drops it (`removed`), an operator
 * decides, or names where it is paid back to (`payBack`), and the withdrawal that pays it back ends (`paid`, `unpaid`).
 */
export type DepositEvent =
  | 'unconfirmed'
  | 'confirmed'
  | 'sumReached'
  | 'removed'
  | 'payBack'
  | 'paid'
  | 'unpaid'
  | DepositDecision;

type Steps = { readonly [Event in DepositEvent]?: readonly DepositStatus[] };

/** Steps of a deposit that waits at `minConfirm`: with fewer confirmations again it is pending. DEC-WAL-52. */
const held = (status: DepositStatus): Steps => ({
  unconfirmed: ['pending'],
  confirmed: [status],
  removed: ['removed'],
  flag: ['auditing'],
});

/**
 * The statuses that an event may lead to, by status; an event that is missing here changes nothing. Reports of a chain
 * are ignored then, decisions of operators are refused. Where there are several, classification chooses. DEC-WAL-01,
 * DEC-WAL-14 to 17.
 */
export const depositSteps: { readonly [Status in DepositStatus]: Steps } = {
  pending: {
    unconfirmed: ['pending'],
    confirmed: ['pending', 'small', 'largeDelay', 'auditing', 'invalid', 'restricted', 'success'],
    removed: ['removed'],
    flag: ['auditing'],
  },
  small: { ...held('small'), sumReached: ['success', 'auditing'] },
  largeDelay: { ...held('largeDelay'), credit: ['success'], reject: ['rejected'] },
  invalid: { ...held('invalid'), credit: ['success'], refund: ['refund'] },
  restricted: { ...held('restricted'), credit: ['success'], refund: ['refund'] },
  // What was flagged stays flagged when its chain drops it: it may be in another block soon. DEC-WAL-104.
  auditing: {
    unconfirmed: ['auditing'],
    confirmed: ['auditing'],
    removed: ['auditing'],
    credit: ['success'],
    reject: ['rejected'],
    refund: ['refund'],
  },
  success: { removed: ['lost'] },
  lost: { unconfirmed: ['lost'], confirmed: ['success'], removed: ['lost'] },
  rejected: { unconfirmed: ['rejected'], confirmed: ['rejected'], removed: ['rejected'] },
  refund: {
    unconfirmed: ['refund'],
    confirmed: ['refund'],
    removed: ['refund'],
    paidBack: ['refunded'],
    payBack: ['refunding'],
  },
  refunding: {
    unconfirmed: ['refunding'],
    confirmed: ['refunding'],
    removed: ['refunding'],
    paid: ['refunded'],
    unpaid: ['refund'],
  },
  refunded: { unconfirmed: ['refunded'], confirmed: ['refunded'], removed: ['refunded'] },
  removed: {},
};

/** Whether nobody decides about the deposit any more: its payment is never credited again. DEC-WAL-18. */
export const isFinal = (status: DepositStatus): boolean =>
  status === 'rejected' || status === 'refund' || status === 'refunding' || isWatched(status);

/** Whether a chain is watched for a while in case it takes the deposit back; then its record leaves. DEC-WAL-54. */
export const isWatched = (status: DepositStatus): boolean =>
  status === 'success' || status === 'lost' || status === 'refunded';

/** Whether it was paid back, or may be by what was signed: what its chain drops then the house loses. DEC-OPR-217. */
export const isPaidBack = (status: DepositStatus): boolean => status === 'refunding' || status === 'refunded';
