import { house } from '#model/account.ts';
import { engineLimits } from '#model/limits.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { AccountId } from '#model/units.ts';
import type { CommandOf } from '#model/command.ts';
import type { AssetNetwork, DepositSight, DepositStatus, DepositView } from '#model/wallet.ts';
import { refusalOfApproving } from '#engine/accounts/may-approve.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';
import { creditDeposit, loseDeposit, putDeposit, regainDeposit } from '#engine/wallet/deposit-money.ts';
import { depositSteps, isFinal, isPaidBack } from '#engine/state/wallet/deposit-states.ts';
import { fitsCap } from '#engine/money/free-balance.ts';
import { endUnsignedRefund } from '#engine/wallet/refund-commands.ts';
import { loseRefund, regainRefund } from '#engine/wallet/refunds.ts';
import { reviewInside } from '#engine/wallet/inside-payments.ts';
import { higherValue } from '#engine/money/valuation.ts';
import { isBeforeFork, isSightValid } from '#engine/money/network-forks.ts';

/**
 * Takes what a chain has of a payment: a new deposit, or the block and confirmations of one that is known. Whoever
 * reports the same again changes nothing. What was said before a fork that is known by now is refused.
 * DEC-WAL-14 to 18, DEC-WAL-101.
 */
export const reportDeposit: CommandFunction<'reportDeposit'> = (state, report) => {
  const network = state.assetNetworks.get(report.asset, report.network);
  const reason = refusalOfReport(state, network, report);
  if (reason !== null || network === null) {
    refuse(state, reason ?? 'unknownNetwork');
    return;
  }
  const known = state.deposits.find(report, state.at);
  if (known !== null) {
    if (known.isInside || !areTermsSame(known, report)) refuse(state, 'invalidConfiguration');
    else if (report.sight !== null) followReported(state, network, known, report.sight);
    return;
  }
  if (state.deposits.finalPayments.has(report)) return;
  const account = receiverOf(state, network, report);
  if (account === null) refuse(state, 'unknownDeposit');
  else if (report.sight === null) addUnseen(state, network, report, account);
  else addReported(state, network, { ...report, sight: report.sight }, account);
};

function refusalOfReport(
  state: EngineState,
  network: AssetNetwork | null,
  { txId, output, memo, amount, sight }: CommandOf<'reportDeposit'>,
): RejectReason | null {
  const isOutput = Number.isInteger(output) && output >= 0 && output < 2 ** 32;
  const hasPlausibleName = txId.length > 0 && txId.length <= engineLimits.txIdLength && isOutput;
  if (state.walletRules.value === null) return 'walletNotConfigured';
  if (network === null) return 'unknownNetwork';
  if (amount <= 0n || amount >= 1n << 62n) return 'wrongAmount';
  if (!hasPlausibleName) return 'invalidConfiguration';
  if (memo !== null && memo.length > engineLimits.memoLength) return 'invalidConfiguration';
  if (sight === null) return refusalOfApproving(state);
  if (!isSightValid(sight)) return 'invalidConfiguration';
  return isBeforeFork(state, network.network, sight.forks) ? 'notYet' : null;
}

/** Whether a report is of the payment that was seen first: a chain never changes what a transaction pays. */
const areTermsSame = (known: DepositView, report: CommandOf<'reportDeposit'>): boolean =>
  known.asset === report.asset &&
  known.address === report.address &&
  known.memo === report.memo &&
  known.amount === report.amount;

/** Whose a payment is: the outside's while its memo names nobody, `null` if its address is not ours. */
function receiverOf(state: EngineState, network: AssetNetwork, report: CommandOf<'reportDeposit'>): AccountId | null {
  const { depositAddresses } = state;
  const memo = network.sharesAddress ? report.memo : null;
  const given = depositAddresses.find(report.network, report.address, memo);
  if (given !== null) return given.account;
  return network.sharesAddress && depositAddresses.isOurs(report.network, report.address) ? house.outside : null;
}

function newDeposit(
  state: EngineState,
  { minConfirm }: AssetNetwork,
  report: CommandOf<'reportDeposit'>,
  account: AccountId,
): DepositView {
  const { network, txId, output, asset, address, memo, amount, sight } = report;
  return {
    ...{ network, txId, output, asset, address, memo, amount, account, minConfirm },
    deposit: state.deposits.nextNumber(),
    status: 'pending',
    confirmations: sight?.confirmations ?? 0,
    isInside: false,
    block: sight?.block ?? null,
    approvals: [],
    insertedAt: state.at,
    updatedAt: state.at,
  };
}

type ChainReport = CommandOf<'reportDeposit'> & { readonly sight: DepositSight };

function addReported(state: EngineState, network: AssetNetwork, report: ChainReport, account: AccountId): void {
  const deposit = newDeposit(state, network, report, account);
  const isConfirmed = report.sight.confirmations >= network.minConfirm;
  setStatus(state, deposit, isConfirmed ? classify(state, network, deposit) : 'pending');
}

/** What an operator alone reports, and no chain shows, waits for the approval of another one. DEC-WAL-106. */
function addUnseen(
  state: EngineState,
  network: AssetNetwork,
  report: CommandOf<'reportDeposit'>,
  account: AccountId,
): void {
  const deposit = newDeposit(state, network, report, account);
  const status = account === house.outside ? 'invalid' : 'auditing';
  putDeposit(state, { ...deposit, status, approvals: [state.running.actor!] });
}

/** Custody has a known deposit in a block, which ends the doubt about it. */
function followReported(state: EngineState, network: AssetNetwork, known: DepositView, sight: DepositSight): void {
  state.deposits.doubted.delete(known.deposit);
  const { status } = known;
  const isMoved = !isSameBlock(known, sight);
  if (status !== 'lost' && isFinal(status)) {
    const { block, confirmations } = sight;
    const moved: DepositView = { ...known, block, confirmations, updatedAt: state.at };
    if (isMoved && state.deposits.isTakenBack(known.deposit)) regainRefund(state, moved);
    else if (isMoved) putDeposit(state, moved);
  } else recount(state, network, known, sight);
}

const isSameBlock = ({ block }: DepositView, sight: DepositSight): boolean =>
  block?.hash === sight.block.hash && block.height === sight.block.height;

/** Follows the confirmations of a deposit by the number that its network asks for now. DEC-WAL-13. */
function recount(state: EngineState, network: AssetNetwork, known: DepositView, sight: DepositSight): void {
  const { minConfirm } = network;
  const { confirmations, block } = sight;
  const isConfirmed = confirmations >= minConfirm;
  const steps = depositSteps[known.status][isConfirmed ? 'confirmed' : 'unconfirmed'];
  if (steps === undefined) return;
  const deposit: DepositView = { ...known, confirmations, minConfirm, block, updatedAt: state.at };
  if (known.status === 'lost' && isConfirmed) {
    regainDeposit(state, deposit);
    return;
  }
  const isClassified = known.status === 'pending' && isConfirmed;
  const status = isClassified ? classify(state, network, deposit) : steps[0]!;
  const wasConfirmed = known.confirmations >= minConfirm && known.status !== 'pending';
  const isSame = isSameBlock(known, sight) && (confirmations === known.confirmations || (wasConfirmed && isConfirmed));
  if (status !== known.status || !isSame) setStatus(state, deposit, status);
}

function setStatus(state: EngineState, deposit: DepositView, status: DepositStatus): void {
  if (status === 'success') creditDeposit(state, deposit);
  else putDeposit(state, { ...deposit, status });
}

/**
 * A payment left its chain: an uncredited deposit is gone, a credited one is lost. One that was flagged stays so, and
 * one that is rejected or to be refunded is counted no more. A refund that was not signed ends; what was paid back the
 * house loses. DEC-WAL-14, 17, 101 and 104, DEC-OPR-217.
 */
export const removeDeposit: CommandFunction<'removeDeposit'> = (state, payment) => {
  const found = state.deposits.find(payment, state.at);
  if (found === null || found.isInside) {
    refuse(state, 'unknownDeposit');
    return;
  }
  if (isBeforeFork(state, payment.network, payment.forks)) {
    refuse(state, 'notYet');
    return;
  }
  if (found.status === 'refunding') endUnsignedRefund(state, found.deposit);
  const known = state.deposits.get(found.deposit)!;
  const [after] = depositSteps[known.status].removed ?? [];
  if (known.status === 'success') {
    loseDeposit(state, known);
    return;
  }
  if (isPaidBack(known.status) && known.block !== null) {
    loseRefund(state, known);
    return;
  }
  const deposit: DepositView = {
    ...known,
    status: after ?? known.status,
    confirmations: 0,
    block: null,
    updatedAt: state.at,
  };
  state.deposits.doubted.delete(known.deposit);
  if (after !== 'removed') {
    if (known.block !== null) putDeposit(state, deposit);
    return;
  }
  state.deposits.remove(known);
  state.emit.fact({ kind: 'depositChanged', deposit });
};

/** An operator's decision about a deposit. DEC-WAL-16, DEC-OPR-141. */
export const reviewDeposit: CommandFunction<'reviewDeposit'> = (state, { deposit, decision, account, sight }) => {
  const known = state.deposits.current(deposit, state.at);
  if (known === null) {
    refuse(state, 'unknownDeposit');
    return;
  }
  const steps = depositSteps[known.status][decision];
  const refusal = state.running.actor === null ? null : refusalOfApproving(state);
  if (refusal !== null) refuse(state, refusal);
  else if (known.isInside) reviewInside(state, known, decision);
  else if (steps === undefined) refuse(state, 'wrongState');
  else if (decision !== 'credit') putDeposit(state, { ...known, status: steps[0]!, updatedAt: state.at });
  else if (sight === null) creditUnseen(state, known, account);
  else if (!isSightValid(sight)) refuse(state, 'invalidConfiguration');
  else if (isBeforeFork(state, known.network, sight.forks)) refuse(state, 'notYet');
  else {
    const seen = { ...known, block: sight.block, confirmations: sight.confirmations };
    if (needsFourEyes(state, known)) approveCredit(state, seen, account, false);
    else creditByHand(state, seen, account);
  }
};

/** Whether a credit by hand takes two operators though its chain has it: nobody knows what it is worth. DEC-WAL-143. */
const needsFourEyes = (state: EngineState, { asset, amount }: DepositView): boolean =>
  state.walletRules.value!.fourEyesAbove !== null && higherValue(state, asset, amount) === null;

/** Where nobody reads the chain a credit takes the approval of two operators. DEC-WAL-106. */
function creditUnseen(state: EngineState, known: DepositView, account: AccountId | null): void {
  if (state.deposits.doubted.has(known.deposit)) refuse(state, 'notYet');
  else approveCredit(state, known, account, true);
}

/**
 * Approves a credit; the second approval makes it. Where nobody knew whose the deposit is, both operators name the same
 * account: who names another one begins anew. DEC-WAL-106, DEC-WAL-143.
 */
function approveCredit(state: EngineState, known: DepositView, account: AccountId | null, isUnseen: boolean): void {
  const { deposits } = state;
  const { actor } = state.running;
  const refusal = actor === null ? 'invalidConfiguration' : refusalOfCredit(state, known, account, isUnseen);
  const named = deposits.receiverNamed(known.deposit);
  const isSame = named === null || named === ownerOf(known, account);
  const others = isSame ? known.approvals.filter((approver) => approver !== actor) : [];
  if (refusal !== null) refuse(state, refusal);
  else if (others.length > 0) creditByHand(state, { ...known, approvals: [...others, actor!] }, account, isUnseen);
  else if (isSame && known.approvals.length > 0) refuse(state, 'sameOperator');
  else {
    if (known.account === house.outside) deposits.nameReceiver(known.deposit, account!);
    putDeposit(state, { ...known, approvals: [actor!], updatedAt: state.at });
  }
}

/**
 * `account`: whose the deposit is, where nobody knew. `isUnseen`: nobody reads its chain, and two operators approved.
 */
function creditByHand(state: EngineState, known: DepositView, account: AccountId | null, isUnseen = false): void {
  const refusal = refusalOfCredit(state, known, account, isUnseen);
  if (refusal !== null) {
    refuse(state, refusal);
    return;
  }
  const { minConfirm } = state.assetNetworks.get(known.asset, known.network)!;
  state.deposits.doubted.delete(known.deposit);
  creditDeposit(state, { ...known, account: ownerOf(known, account)!, minConfirm, updatedAt: state.at });
}

const ownerOf = (known: DepositView, account: AccountId | null): AccountId | null =>
  known.account === house.outside ? account : known.account;

function refusalOfCredit(
  state: EngineState,
  known: DepositView,
  account: AccountId | null,
  isUnseen: boolean,
): RejectReason | null {
  const { minConfirm } = state.assetNetworks.get(known.asset, known.network)!;
  const owner = ownerOf(known, account);
  if (!isUnseen && known.confirmations < minConfirm) return 'notConfirmed';
  if (owner === null || !state.accounts.isUser(owner)) return 'unknownAccount';
  if (account !== null && account !== owner) return 'invalidConfiguration';
  if (state.accounts.isClosed(owner)) return 'accountClosed';
  return fitsCap(state, known.asset, known.amount) ? null : 'aboveAssetCap';
}

/** What becomes of a pending deposit that has enough confirmations; the first that applies. DEC-WAL-15, 16 and 53. */
function classify(state: EngineState, network: AssetNetwork, deposit: DepositView): DepositStatus {
  const { account, asset, amount } = deposit;
  if (account === house.outside) return 'invalid';
  if (state.accounts.isUnusable(account)) return 'restricted';
  const value = higherValue(state, asset, amount);
  if (value === null || value >= state.walletRules.value!.largeDeposit) return 'largeDelay';
  if (!fitsCap(state, asset, amount)) return 'auditing';
  if (!network.depositEnabled) return 'pending';
  return amount < network.depositMin ? 'small' : 'success';
}
