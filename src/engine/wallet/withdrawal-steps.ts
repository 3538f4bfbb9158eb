import { house } from '#domain/account.ts';
import { engineLimits } from '#domain/limits.ts';
import type { RejectReason } from '#domain/rejection.ts';
import { toAmount, type Balance, type TimestampMs } from '#domain/units.ts';
import type { WithdrawalTransaction, WithdrawalView } from '#domain/wallet.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { noteInviteeMove } from '#engine/rebates/invitee-moves.ts';
import { bookNetworkFee, isNetworkFeeBookable } from '#engine/wallet/outside-bounds.ts';
import { isAddressAllowed } from '#engine/wallet/address-allowed.ts';
import { saveAfterSuccess } from '#engine/wallet/save-address.ts';
import {
  isFinal,
  transitionsOf,
  type WithdrawalCondition,
  type WithdrawalStep,
  type WithdrawalTransition,
} from '#engine/wallet/withdrawal-states.ts';
import type { EngineState } from '#engine/state.ts';

/** A step with what it comes with; members that the step does not need are `null` or 0. */
export interface StepOfWithdrawal {
  readonly step: WithdrawalStep;
  readonly transaction: WithdrawalTransaction | null;
  readonly confirmations: number;
  readonly networkFee: Balance;
}

/** Takes a step of a withdrawal; returns why it cannot be taken, `null` once it is. */
export function takeStep(state: EngineState, before: WithdrawalView, taken: StepOfWithdrawal): RejectReason | null {
  const transitions = transitionsOf(before.status, taken.step);
  if (transitions.length === 0) return taken.step === 'cancel' ? 'notCancellable' : 'wrongState';
  const refusal = refusalOfStep(state, before, taken);
  if (refusal !== null) return refusal;
  const transition = transitions.find(({ only }) => only === undefined || conditions[only](state, before, taken));
  if (transition === undefined) return 'notConfirmed';
  follow(state, before, taken, transition);
  return null;
}

/** When conditional transitions are taken. */
const conditions: Record<
  WithdrawalCondition,
  (state: EngineState, withdrawal: WithdrawalView, taken: StepOfWithdrawal) => boolean
> = {
  isAboveRiskHold: ({ walletRules }, { value }) => {
    const bound = walletRules!.riskHoldAbove;
    return bound !== null && value !== null && value > bound;
  },
  hasApprovals: (state, withdrawal) => approvalsAfter(state, withdrawal).length >= approvalsNeeded(state, withdrawal),
  // The number in force now, not that of the request. DEC-WAL-13.
  isConfirmed: (state, { asset, network }, { confirmations }) =>
    confirmations >= state.assetNetworks.get(asset, network)!.minConfirm,
};

/** Two operators above the bound of four eyes, else one. DEC-WAL-28. */
function approvalsNeeded({ walletRules }: EngineState, { value }: WithdrawalView): number {
  const bound = walletRules!.fourEyesAbove;
  return bound !== null && value !== null && value > bound ? 2 : 1;
}

function approvalsAfter({ actor }: EngineState, { approvals }: WithdrawalView): readonly string[] {
  return actor === null || approvals.includes(actor) ? approvals : [...approvals, actor];
}

function refusalOfStep(state: EngineState, before: WithdrawalView, taken: StepOfWithdrawal): RejectReason | null {
  const { step, transaction, confirmations, networkFee } = taken;
  if (!Number.isSafeInteger(confirmations) || confirmations < 0) return 'invalidConfiguration';
  switch (step) {
    case 'approve':
    case 'reject':
    case 'manual':
      return refusalOfReview(state, before, step);
    case 'begin':
      return refusalOfBegin(state, before, state.at);
    case 'sign':
      return isTransaction(transaction) && isNonceFree(state, before.network, transaction.nonce)
        ? null
        : 'invalidConfiguration';
    case 'replace':
      return isSamePayment(before, transaction) ? null : 'invalidConfiguration';
    case 'fail':
      if (!canFreeNonce(state, before)) return 'tooManyInProgress';
      return isNetworkFeeBookable(state, before.network, networkFee) ? null : 'invalidConfiguration';
    case 'confirm':
      if (transaction !== null && !isSamePayment(before, transaction)) return 'invalidConfiguration';
      return isNetworkFeeBookable(state, before.network, networkFee) ? null : 'invalidConfiguration';
    case 'displace':
      return isNetworkFeeBookable(state, before.network, networkFee) ? null : 'invalidConfiguration';
    case 'assess':
    case 'broadcast':
    case 'cancel':
      return null;
  }
}

/** Only operators review, and above the bound of four eyes each approves once. DEC-WAL-28. */
function refusalOfReview(state: EngineState, withdrawal: WithdrawalView, step: WithdrawalStep): RejectReason | null {
  const { actor } = state;
  if (actor === null) return 'invalidConfiguration';
  const isRepeated = withdrawal.approvals.includes(actor) && approvalsNeeded(state, withdrawal) > 1;
  return step === 'approve' && isRepeated ? 'sameOperator' : null;
}

/** Why a withdrawal that waits cannot begin: also what became forbidden since. DEC-WAL-13, DEC-WAL-24, DEC-WAL-57. */
export function refusalOfBegin(state: EngineState, withdrawal: WithdrawalView, at: TimestampMs): RejectReason | null {
  const { account, asset, network, updatedAt } = withdrawal;
  if (state.accounts.get(account)!.status !== 'normal') return 'accountNotUsable';
  if (!state.assetNetworks.get(asset, network)!.withdrawEnabled) return 'withdrawalsOff';
  if (!isAddressAllowed(state, withdrawal, at)) return 'addressNotAllowed';
  return updatedAt + state.walletRules!.waitMs > at ? 'notYet' : null;
}

function isTransaction(transaction: WithdrawalTransaction | null): transaction is WithdrawalTransaction {
  if (transaction === null) return false;
  const { txId, raw, nonce } = transaction;
  const isNonce = nonce === null || (Number.isSafeInteger(nonce + 1) && nonce >= 0);
  const { txIdLength, rawTransactionLength } = engineLimits;
  return isNonce && txId.length > 0 && txId.length <= txIdLength && raw.length <= rawTransactionLength;
}

/** Whether a transaction can stand for the one that was signed first: it has the same nonce. */
const isSamePayment = (before: WithdrawalView, transaction: WithdrawalTransaction | null): boolean =>
  isTransaction(transaction) && transaction.nonce === before.transaction!.nonce;

/** Whether no transaction that may be on the chain has this nonce. DEC-WAL-59. */
function isNonceFree(state: EngineState, network: string, nonce: number | null): boolean {
  return nonce === null || nonce >= state.chains.get(network)!.nextNonce || state.freeNonces.has(network, nonce);
}

/** Steps that tell of a transaction: `confirm` of the one of several that its chain took. */
const takesTransaction: ReadonlySet<WithdrawalStep> = new Set(['sign', 'replace', 'confirm']);

function follow(
  state: EngineState,
  before: WithdrawalView,
  taken: StepOfWithdrawal,
  { to }: WithdrawalTransition,
): void {
  const { step, transaction, confirmations, networkFee } = taken;
  const after: WithdrawalView = {
    ...before,
    status: to,
    approvals: step === 'approve' ? approvalsAfter(state, before) : before.approvals,
    transaction: takesTransaction.has(step) ? (transaction ?? before.transaction) : before.transaction,
    confirmations: step === 'confirm' ? confirmations : before.confirmations,
    updatedAt: state.at,
  };
  if (step === 'sign') takeNonce(state, after);
  if (step === 'fail') freeNonce(state, after);
  if (to === 'success') payOut(state, after);
  else if (isFinal(to)) giveBack(state, after);
  if (isFinal(to)) bookNetworkFee(state, after.network, networkFee);
  state.withdrawals.put(after);
  state.emit.fact({ kind: 'withdrawalChanged', withdrawal: after });
  if (to !== 'success') return;
  noteInviteeMove(state, 'withdrawal', after);
  saveAfterSuccess(state, after);
}

function takeNonce(state: EngineState, { network, transaction }: WithdrawalView): void {
  const nonce = transaction?.nonce ?? null;
  if (nonce === null) return;
  const chain = state.chains.get(network)!;
  state.freeNonces.take(network, nonce);
  if (nonce >= chain.nextNonce) state.chains.set(network, { ...chain, nextNonce: nonce + 1 });
}

const canFreeNonce = ({ freeNonces }: EngineState, { network, transaction }: WithdrawalView): boolean =>
  (transaction?.nonce ?? null) === null || freeNonces.countOf(network) < engineLimits.freeNonces;

/** A transaction that was never broadcast leaves its nonce to another one. */
function freeNonce(state: EngineState, { network, transaction }: WithdrawalView): void {
  const nonce = transaction?.nonce ?? null;
  if (nonce !== null) state.freeNonces.add(network, nonce);
}

/** Success: what was held goes outside, but the fee, which the house keeps. DEC-WAL-03. */
function payOut(state: EngineState, { withdrawal, asset, amount, fee }: WithdrawalView): void {
  const { ledger } = state;
  const hold = state.withdrawals.holdOf(withdrawal);
  const sent = toAmount(amount - fee);
  ledger.payFromHold(hold, sent, 'withdrawal');
  ledger.post(ledger.balances.row(house.outside, asset), sent, 'withdrawal', null);
  if (fee > 0n) {
    ledger.payFromHold(hold, toAmount(fee), 'withdrawalFee');
    ledger.post(ledger.feeRow(asset), toAmount(fee), 'withdrawalFee', null);
  }
  ledger.closeHold(hold, 'withdrawal');
  state.withdrawals.setHold(withdrawal, noHold);
}

/** Failed or cancelled: exactly what was held is free again. DEC-WAL-24. */
function giveBack(state: EngineState, { withdrawal }: WithdrawalView): void {
  state.ledger.closeHold(state.withdrawals.holdOf(withdrawal), 'withdrawal');
  state.withdrawals.setHold(withdrawal, noHold);
}
