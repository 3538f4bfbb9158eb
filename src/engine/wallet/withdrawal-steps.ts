import { house } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import { hasAtMost } from '#model/text-length.ts';
import { as, toAmount, type Balance, type TimestampMs } from '#model/units.ts';
import type { WithdrawalTransaction, WithdrawalView } from '#model/wallet.ts';
import { refusalOfApproving } from '#engine/accounts/may-approve.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { noteInviteeMove } from '#engine/rebates/invitee-moves.ts';
import { bookNetworkFee, isNetworkFeeBookable } from '#engine/money/outside-bounds.ts';
import { collectLosses } from '#engine/money/collect-losses.ts';
import { isHeld } from '#engine/wallet/known-payments.ts';
import { concludeRefund, isOnChain } from '#engine/wallet/refunds.ts';
import { areReleasesHeld } from '#engine/money/network-forks.ts';
import {
  isFinal,
  transitionsOf,
  type WithdrawalCondition,
  type WithdrawalStep,
  type WithdrawalTransition,
} from '#engine/state/wallet/withdrawal-states.ts';
import type { EngineState } from '#engine/state/state.ts';
import { isAddressAllowed, saveAfterSuccess } from '#engine/wallet/saved-addresses.ts';

/** A step with what it comes with; members that the step does not need are `null` or 0. */
export interface StepOfWithdrawal {
  readonly step: WithdrawalStep;
  readonly transaction: WithdrawalTransaction | null;
  readonly confirmations: number;
  readonly networkFee: Balance;
  /** What a review tells the account. */
  readonly remark: string | null;
}

/** Takes a step of a withdrawal; returns why it cannot be taken, `null` once it is. */
export function takeStep(state: EngineState, before: WithdrawalView, taken: StepOfWithdrawal): RejectReason | null {
  const transitions = transitionsOf(before.status, taken.step);
  if (transitions.length === 0) return taken.step === 'cancel' ? 'notCancellable' : 'wrongState';
  const refusal = refusalByHold(state, before, taken.step) ?? refusalOfStep(state, before, taken);
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
  // What has no price that counts is held too; so is what needs four eyes, whatever the risk hold is. DEC-WAL-143, 144.
  isHeld: ({ walletRules }, { value }) => {
    const { riskHoldAbove, fourEyesAbove } = walletRules.value!;
    return value === null || isAbove(value, riskHoldAbove) || isAbove(value, fourEyesAbove);
  },
  hasApprovals: (state, withdrawal) => approvalsAfter(state, withdrawal).length >= approvalsNeeded(state, withdrawal),
  // The number in force now, not that of the request. DEC-WAL-13.
  isConfirmed: (state, { asset, network }, { confirmations }) =>
    confirmations >= state.assetNetworks.get(asset, network)!.minConfirm,
};

/** Whether a worth is above a bound; `null`: without a price it is above every bound, and nothing is above none. */
const isAbove = (value: Balance | null, bound: Balance | null): boolean =>
  bound !== null && (value === null || value > bound);

/** Two operators above the bound of four eyes, else one. DEC-WAL-28. */
const approvalsNeeded = ({ walletRules }: EngineState, { value }: WithdrawalView): number =>
  isAbove(value, walletRules.value!.fourEyesAbove) ? 2 : 1;

function approvalsAfter({ running }: EngineState, { approvals }: WithdrawalView): readonly string[] {
  const { actor } = running;
  return actor === null || approvals.includes(actor) ? approvals : [...approvals, actor];
}

/** Steps towards a chain besides `begin`. */
const paying: ReadonlySet<WithdrawalStep> = new Set(['sign', 'broadcast', 'replace']);

/** Whether a step would pay what may have been paid before. DEC-WAL-120. */
const refusalByHold = (state: EngineState, { network }: WithdrawalView, step: WithdrawalStep): RejectReason | null =>
  paying.has(step) && isHeld(state, network) ? 'networkHeld' : null;

function refusalOfStep(state: EngineState, before: WithdrawalView, taken: StepOfWithdrawal): RejectReason | null {
  const { step, transaction, confirmations, networkFee } = taken;
  if (!Number.isSafeInteger(confirmations) || confirmations < 0) return 'invalidConfiguration';
  switch (step) {
    case 'approve':
    case 'reject':
    case 'manual':
      return refusalOfReview(state, before, taken);
    case 'begin':
      return refusalOfBegin(state, before, state.at);
    case 'sign':
      return refusalOfSign(state, before, transaction);
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
    case 'postpone':
    case 'cancel':
      return null;
  }
}

/** Only operators review, and above the bound of four eyes each approves once. DEC-WAL-28, DEC-OPR-141, DEC-OPR-230. */
function refusalOfReview(
  state: EngineState,
  withdrawal: WithdrawalView,
  { step, remark }: StepOfWithdrawal,
): RejectReason | null {
  const refusal = refusalOfApproving(state);
  if (refusal !== null) return refusal;
  if (remark !== null && !hasAtMost(remark, engineLimits.remarkLength)) return 'invalidConfiguration';
  const isRepeated = withdrawal.approvals.includes(state.running.actor!) && approvalsNeeded(state, withdrawal) > 1;
  return step === 'approve' && isRepeated ? 'sameOperator' : null;
}

/**
 * Why a withdrawal cannot be signed now: its account is frozen or may not withdraw any more, or deposits are in doubt.
 * A refund is of nobody's balance: its deposit must be in a block. DEC-WAL-102, DEC-OPR-167, DEC-OPR-217.
 */
export function refusalOfRelease(state: EngineState, { account, deposit }: WithdrawalView): RejectReason | null {
  if (deposit !== null) return areReleasesHeld(state) ? 'notYet' : isOnChain(state, deposit) ? null : 'notConfirmed';
  if (state.accounts.isUnusable(account)) return 'accountNotUsable';
  if (state.accounts.isOff(account, 'withdraw')) return 'withdrawalsOffForAccount';
  return areReleasesHeld(state) ? 'notYet' : null;
}

function refusalOfSign(
  state: EngineState,
  before: WithdrawalView,
  transaction: WithdrawalTransaction | null,
): RejectReason | null {
  const isFit = isTransaction(transaction) && isNonceFree(state, before.network, transaction.nonce);
  // An operator records what was paid by hand already. DEC-WAL-98.
  const release = state.running.actor === null ? refusalOfRelease(state, before) : null;
  return release ?? (isFit ? null : 'invalidConfiguration');
}

/** Why a withdrawal that waits cannot begin: also what became forbidden since. DEC-WAL-13, 24, 57 and 102. */
export function refusalOfBegin(state: EngineState, withdrawal: WithdrawalView, at: TimestampMs): RejectReason | null {
  const { asset, network, updatedAt } = withdrawal;
  const release = refusalOfRelease(state, withdrawal);
  if (release !== null && release !== 'notYet') return release;
  if (!state.assetNetworks.get(asset, network)!.withdrawEnabled) return 'withdrawalsOff';
  if (isHeld(state, network)) return 'networkHeld';
  // Of a refund an operator named the address, and nobody has a list.
  if (withdrawal.deposit === null && !isAddressAllowed(state, withdrawal, at)) return 'addressNotAllowed';
  if (release !== null) return release;
  return updatedAt + state.walletRules.value!.waitMs > at ? 'notYet' : null;
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
  return nonce === null || nonce >= state.chains.at(network).nextNonce || state.freeNonces.has(network, nonce);
}

/** Steps that tell of a transaction: `confirm` of the one of several that its chain took. */
const takesTransaction: ReadonlySet<WithdrawalStep> = new Set(['sign', 'replace', 'confirm']);

function follow(
  state: EngineState,
  before: WithdrawalView,
  taken: StepOfWithdrawal,
  { to }: WithdrawalTransition,
): void {
  const { step, transaction, confirmations, networkFee, remark } = taken;
  const after: WithdrawalView = {
    ...before,
    status: to,
    approvals: step === 'approve' ? approvalsAfter(state, before) : before.approvals,
    transaction: takesTransaction.has(step) ? (transaction ?? before.transaction) : before.transaction,
    confirmations: step === 'confirm' ? confirmations : before.confirmations,
    reviewRemark: remark ?? before.reviewRemark,
    updatedAt: state.at,
  };
  if (step === 'sign') noteSigned(state, after);
  if (step === 'fail') freeNonce(state, after);
  if (to === 'success') payOut(state, after);
  else if (isFinal(to)) releaseHeld(state, after);
  if (isFinal(to)) bookNetworkFee(state, after.network, networkFee);
  state.withdrawals.put(after);
  state.emit.fact({ kind: 'withdrawalChanged', withdrawal: after });
  if (isFinal(to)) conclude(state, after);
  if (to === 'success') followPaid(state, after, before.transaction);
}

/** What follows from the end of a withdrawal: for its account, or for the deposit that it was to pay back. */
function conclude(state: EngineState, final: WithdrawalView): void {
  if (final.deposit !== null) concludeRefund(state, final, final.deposit);
  else if (final.status === 'success') {
    noteInviteeMove(state, 'withdrawal', final);
    saveAfterSuccess(state, final);
  }
}

/** A withdrawal that a payment made which an operator booked to it: nothing is signed for it any more. DEC-WAL-123. */
export function concludeAsPaid(
  state: EngineState,
  before: WithdrawalView,
  { nonce, txId }: { readonly nonce: number | null; readonly txId: string | null },
): void {
  const { minConfirm } = state.assetNetworks.get(before.asset, before.network)!;
  const transaction = txId === null ? null : { txId, raw: '', nonce };
  const after: WithdrawalView = {
    ...before,
    status: 'success',
    transaction,
    confirmations: minConfirm,
    updatedAt: state.at,
  };
  payOut(state, after);
  state.withdrawals.put(after);
  state.emit.fact({ kind: 'withdrawalChanged', withdrawal: after });
  conclude(state, after);
}

/** What custody signed is followed for some time, as it was signed last. DEC-WAL-126. */
function followPaid(state: EngineState, paid: WithdrawalView, signed: WithdrawalTransaction | null): void {
  if (signed === null || signed.raw === '') return;
  const { withdrawal, account, network, asset, amount, fee } = paid;
  state.paidWithdrawals.add({
    ...{ withdrawal, account, network, asset },
    amount: as<Balance>(amount - fee),
    transaction: signed,
    paidAt: state.at,
    ...{ lostBy: null, lostAt: null, booking: null },
  });
}

/**
 * From now on the journal knows this payment: by its nonce, or on networks without by the transaction. What operators
 * paid by hand came from no hot wallet. DEC-WAL-48, DEC-WAL-98.
 */
function noteSigned(state: EngineState, { network, asset, amount, fee, transaction }: WithdrawalView): void {
  const { nonce, txId, raw } = transaction!;
  if (raw !== '') state.hotWalletPayments.add({ network, asset }, amount - fee, state.at, state.at);
  if (nonce === null) {
    state.signed.add(network, txId, state.at);
    return;
  }
  const chain = state.chains.at(network);
  state.freeNonces.take(network, nonce);
  if (nonce >= chain.nextNonce) state.chains.put({ ...chain, nextNonce: nonce + 1 });
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

/** Failed or cancelled: exactly what was held is free again, or pays for lost deposits. DEC-WAL-24, DEC-WAL-153. */
function releaseHeld(state: EngineState, { withdrawal, account }: WithdrawalView): void {
  state.ledger.closeHold(state.withdrawals.holdOf(withdrawal), 'withdrawal');
  state.withdrawals.setHold(withdrawal, noHold);
  collectLosses(state, account);
}
