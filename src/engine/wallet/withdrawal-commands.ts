import { engineLimits } from '#model/limits.ts';
import type { Balance } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { WithdrawalView } from '#model/wallet.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { bookNetworkFee, isNetworkFeeBookable } from '#engine/money/outside-bounds.ts';
import { acceptWithdrawal, refusalOfRequest } from '#engine/wallet/request-withdrawal.ts';
import { takeStep, type StepOfWithdrawal } from '#engine/wallet/withdrawal-steps.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Of steps that come with nothing. */
const nothing = { transaction: null, confirmations: 0, networkFee: as<Balance>(0n), remark: null } as const;

/**
 * A user's request to pay out. A known `withdrawOrderId` answers the first withdrawal, and a refused request takes no
 * id. DEC-REQ-27.
 */
export const requestWithdrawal: CommandFunction<'requestWithdrawal'> = (state, command) => {
  const { account, withdrawOrderId } = command;
  const { withdrawals } = state;
  withdrawals.forget(state.at);
  const known = withdrawOrderId === null ? null : withdrawals.find(account, withdrawOrderId, state.at);
  const reason = refusalOfRequest(state, command);
  if (reason !== null) refuse(state, reason);
  else if (known !== null) state.emit.fact({ kind: 'withdrawalRepeated', withdrawal: known });
  else acceptWithdrawal(state, command);
};

/** A user's cancel, in time or not. Withdrawals of others are unknown. DEC-WAL-24. */
export const cancelWithdrawal: CommandFunction<'cancelWithdrawal'> = (state, { account, withdrawal }) =>
  step(state, withdrawal, { step: 'cancel', ...nothing }, account);

/** A step of settlement. */
export const advanceWithdrawal: CommandFunction<'advanceWithdrawal'> = (state, command) => {
  const { withdrawal, event, transaction, confirmations, networkFee } = command;
  step(state, withdrawal, { ...nothing, step: event, transaction, confirmations, networkFee });
};

/** A decision of the operator who runs the command. */
export const reviewWithdrawal: CommandFunction<'reviewWithdrawal'> = (state, { withdrawal, decision, remark }) =>
  step(state, withdrawal, { ...nothing, step: decision, remark });

/** `account`: whose it must be; `null`: anybody's. */
function step(
  state: EngineState,
  withdrawal: number,
  taken: StepOfWithdrawal,
  account: WithdrawalView['account'] | null = null,
): void {
  const { withdrawals } = state;
  withdrawals.forget(state.at);
  const known = withdrawals.get(withdrawal);
  const isTheirs = known !== null && (account === null || known.account === account);
  const reason = isTheirs ? takeStep(state, known, taken) : 'unknownWithdrawal';
  if (reason !== null) refuse(state, reason);
}

/** Records what a sweep cost, once per network and transaction. DEC-WAL-51, DEC-WAL-60. */
export const recordSweep: CommandFunction<'recordSweep'> = (state, { network, txId, networkFee }) => {
  const native = state.assetNetworks.nativeOf(network);
  const isTxId = txId.length > 0 && txId.length <= engineLimits.txIdLength;
  if (!state.chains.has(network)) refuse(state, 'unknownNetwork');
  else if (native === null) refuse(state, 'unknownAsset');
  else if (!isTxId || !isNetworkFeeBookable(state, network, networkFee)) refuse(state, 'invalidConfiguration');
  else if (state.sweeps.has(network, txId)) refuse(state, 'requestIdInUse');
  else {
    state.sweeps.add(network, txId, state.at);
    bookNetworkFee(state, network, networkFee);
    state.emit.fact({ kind: 'sweepRecorded', network, txId, asset: native.asset, networkFee });
  }
};
