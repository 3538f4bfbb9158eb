import { house } from '#domain/account.ts';
import { engineLimits } from '#domain/limits.ts';
import type { RejectReason } from '#domain/rejection.ts';
import type { AccountId } from '#domain/units.ts';
import type { ReportDeposit } from '#domain/wallet-command.ts';
import type { AssetNetwork, DepositStatus, DepositView } from '#domain/wallet.ts';
import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';
import type { EngineState } from '#engine/state.ts';
import { classify, creditSmallDeposits } from '#engine/wallet/classify-deposit.ts';
import { creditDeposit, loseDeposit, putDeposit, regainDeposit } from '#engine/wallet/deposit-money.ts';
import { depositSteps } from '#engine/wallet/deposit-states.ts';
import { fitsCap } from '#engine/wallet/existing.ts';

/**
 * Takes what a chain has of a payment: a new deposit, or the confirmations of one that is known. Whoever reports the
 * same again changes nothing. DEC-WAL-14 to 18.
 */
export const reportDeposit: CommandFunction<'reportDeposit'> = (state, report) => {
  const network = state.assetNetworks.get(report.asset, report.network);
  const reason = whyNotReportable(state, network, report);
  if (reason !== null || network === null) {
    refuse(state, reason ?? 'unknownNetwork');
    return;
  }
  const known = state.deposits.find(report, state.at);
  if (known !== null) {
    if (areTermsSame(known, report)) recount(state, network, known, report.confirmations);
    else refuse(state, 'invalidConfiguration');
    return;
  }
  if (state.deposits.finalPayments.has(report)) return;
  const account = receiverOf(state, network, report);
  if (account === null) refuse(state, 'unknownDeposit');
  else seeFirst(state, network, report, account);
};

function whyNotReportable(
  state: EngineState,
  network: AssetNetwork | null,
  { txId, output, memo, amount, confirmations }: ReportDeposit,
): RejectReason | null {
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < 2 ** 32;
  const hasPlausibleName = txId.length > 0 && txId.length <= engineLimits.txIdLength && isCount(output);
  if (state.walletRules === null) return 'walletNotConfigured';
  if (network === null) return 'unknownNetwork';
  if (amount <= 0n || amount >= 1n << 62n) return 'wrongAmount';
  if (!hasPlausibleName || !isCount(confirmations)) return 'invalidConfiguration';
  return memo !== null && memo.length > engineLimits.memoLength ? 'invalidConfiguration' : null;
}

/** Whether a report is of the payment that was seen first: a chain never changes what a transaction pays. */
const areTermsSame = (known: DepositView, report: ReportDeposit): boolean =>
  known.asset === report.asset &&
  known.address === report.address &&
  known.memo === report.memo &&
  known.amount === report.amount;

/** Whose a payment is: the outside's while its memo names nobody, `null` if its address is not ours. */
function receiverOf(state: EngineState, network: AssetNetwork, report: ReportDeposit): AccountId | null {
  const { depositAddresses } = state;
  const memo = network.sharesAddress ? report.memo : null;
  const given = depositAddresses.find(report.network, report.address, memo);
  if (given !== null) return given.account;
  return network.sharesAddress && depositAddresses.isOurs(report.network, report.address) ? house.outside : null;
}

function seeFirst(state: EngineState, network: AssetNetwork, report: ReportDeposit, account: AccountId): void {
  const { kind: _kind, confirmations, ...payment } = report;
  const deposit: DepositView = {
    ...payment,
    deposit: state.deposits.nextNumber(),
    account,
    status: 'pending',
    confirmations,
    minConfirm: network.minConfirm,
    isInside: false,
    insertedAt: state.at,
    updatedAt: state.at,
  };
  if (state.actor !== null) state.deposits.noteByHand(deposit.deposit);
  const isConfirmed = confirmations >= network.minConfirm;
  setStatus(state, network, deposit, isConfirmed ? classify(state, network, deposit) : 'pending');
}

/** Follows the confirmations of a deposit by the number that its network asks for now. DEC-WAL-13. */
function recount(state: EngineState, network: AssetNetwork, known: DepositView, confirmations: number): void {
  const { minConfirm } = network;
  const isConfirmed = confirmations >= minConfirm;
  const steps = depositSteps[known.status][isConfirmed ? 'confirmed' : 'unconfirmed'];
  if (steps === undefined) return;
  const deposit: DepositView = { ...known, confirmations, minConfirm, updatedAt: state.at };
  if (known.status === 'lost' && isConfirmed) {
    regainDeposit(state, deposit);
    return;
  }
  const isClassified = known.status === 'pending' && isConfirmed;
  const status = isClassified ? classify(state, network, deposit) : steps[0]!;
  const wasConfirmed = known.confirmations >= minConfirm && known.status !== 'pending';
  const isSame = confirmations === known.confirmations || (wasConfirmed && isConfirmed);
  if (status !== known.status || !isSame) setStatus(state, network, deposit, status);
  else if (status === 'small') creditSmallDeposits(state, network, known);
}

function setStatus(state: EngineState, network: AssetNetwork, deposit: DepositView, status: DepositStatus): void {
  if (status === 'success') {
    creditDeposit(state, deposit);
    return;
  }
  putDeposit(state, { ...deposit, status });
  if (status === 'small') creditSmallDeposits(state, network, deposit);
}

/** A payment left its chain: an uncredited deposit is gone, a credited one is lost. DEC-WAL-14, DEC-WAL-17. */
export const removeDeposit: CommandFunction<'removeDeposit'> = (state, payment) => {
  const known = state.deposits.find(payment, state.at);
  if (known === null) {
    refuse(state, 'unknownDeposit');
    return;
  }
  if (depositSteps[known.status].removed === undefined) return;
  if (known.status === 'success') {
    loseDeposit(state, known);
    return;
  }
  state.deposits.remove(known);
  const deposit: DepositView = { ...known, status: 'removed', confirmations: 0, updatedAt: state.at };
  state.emit.fact({ kind: 'depositChanged', deposit });
};

/** An operator's decision about a deposit. DEC-WAL-16. */
export const reviewDeposit: CommandFunction<'reviewDeposit'> = (state, { deposit, decision, account }) => {
  const known = state.deposits.current(deposit, state.at);
  if (known === null) {
    refuse(state, 'unknownDeposit');
    return;
  }
  const steps = depositSteps[known.status][decision];
  if (steps === undefined) refuse(state, 'wrongState');
  else if (decision === 'credit') creditByHand(state, known, account);
  else putDeposit(state, { ...known, status: steps[0]!, updatedAt: state.at });
};

/** `account`: whose the deposit is, where nobody knew. */
function creditByHand(state: EngineState, known: DepositView, account: AccountId | null): void {
  const { minConfirm } = state.assetNetworks.get(known.asset, known.network)!;
  const owner = known.account === house.outside ? account : known.account;
  if (known.confirmations < minConfirm) refuse(state, 'notConfirmed');
  else if (owner === null || !state.accounts.isUser(owner)) refuse(state, 'unknownAccount');
  else if (account !== null && account !== owner) refuse(state, 'invalidConfiguration');
  else if (!fitsCap(state, known.asset, known.amount)) refuse(state, 'aboveAssetCap');
  else creditDeposit(state, { ...known, account: owner, minConfirm, updatedAt: state.at });
}
