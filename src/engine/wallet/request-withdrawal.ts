import { holdOwnerNumbers } from '#model/hold.ts';
import type { RejectReason } from '#model/rejection.ts';
import { as, toAmount, type Balance } from '#model/units.ts';
import type { CommandOf } from '#model/command.ts';
import { insideTxId } from '#model/wallet-id.ts';
import type { DepositAddress, WithdrawalView } from '#model/wallet.ts';
import { noteInviteeMove } from '#engine/rebates/invitee-moves.ts';
import { moveInside, receiveInside } from '#engine/wallet/inside-payments.ts';
import { higherValue } from '#engine/money/valuation.ts';
import { receiverInside, withdrawalRefusal } from '#engine/wallet/withdrawal-refusal.ts';
import type { EngineState } from '#engine/state/state.ts';
import { saveAfterSuccess } from '#engine/wallet/saved-addresses.ts';

/** Accepts a request that no check refused: to the chain, or inside to another account. DEC-WAL-03, DEC-WAL-25. */
export function acceptWithdrawal(state: EngineState, request: CommandOf<'requestWithdrawal'>): void {
  const network = state.assetNetworks.get(request.asset, request.network)!;
  const receiver = receiverInside(state, network, request);
  const withdrawal = newWithdrawal(state, request, network.withdrawFee);
  if (receiver === null) acceptForChain(state, withdrawal);
  else acceptInside(state, { ...withdrawal, fee: as<Balance>(0n), status: 'success', isInside: true }, receiver);
}

/** Why a request would be refused now; `null`: it would not, or it repeats an earlier one. Changes nothing. */
export function refusalOfRequest(state: EngineState, request: CommandOf<'requestWithdrawal'>): RejectReason | null {
  const { account, withdrawOrderId } = request;
  const known = withdrawOrderId === null ? null : state.withdrawals.find(account, withdrawOrderId, state.at);
  if (known === null) return withdrawalRefusal(state, request);
  return isSameRequest(known, request) ? null : 'requestIdInUse';
}

/** Whether a request has the terms of a withdrawal that was asked for before. DEC-REQ-27. */
const isSameRequest = (known: WithdrawalView, request: CommandOf<'requestWithdrawal'>): boolean =>
  known.asset === request.asset &&
  known.network === request.network &&
  known.address === request.address &&
  known.memo === request.memo &&
  known.amount === request.amount &&
  known.remark === request.remark;

function newWithdrawal(state: EngineState, request: CommandOf<'requestWithdrawal'>, fee: Balance): WithdrawalView {
  const { account, asset, network, address, memo, amount, withdrawOrderId, remark } = request;
  return {
    withdrawal: state.withdrawals.lastWithdrawal + 1,
    account,
    deposit: null,
    asset,
    network,
    address,
    memo,
    amount,
    fee,
    value: higherValue(state, asset, amount),
    status: 'apply',
    isInside: false,
    transaction: null,
    confirmations: 0,
    withdrawOrderId,
    remark,
    reviewRemark: null,
    approvals: [],
    requestedAt: state.at,
    updatedAt: state.at,
  };
}

/** The amount is held at once. */
export function acceptForChain(state: EngineState, withdrawal: WithdrawalView): void {
  const { ledger, withdrawals } = state;
  const { withdrawal: id, account, asset, amount } = withdrawal;
  const owner = { kind: holdOwnerNumbers.withdrawal, id };
  const hold = ledger.openHold(ledger.balances.row(account, asset), toAmount(amount), owner, 'withdrawal');
  withdrawals.put(withdrawal);
  withdrawals.setHold(id, hold);
  state.emit.fact({ kind: 'withdrawalChanged', withdrawal });
}

/** Without a chain: for the receiver it is a deposit that the withdrawal's id names. DEC-WAL-25, DEC-WAL-150. */
function acceptInside(state: EngineState, withdrawal: WithdrawalView, receiver: DepositAddress): void {
  const { account, asset, amount } = withdrawal;
  const { network, address, memo } = receiver;
  const txId = insideTxId(withdrawal.withdrawal);
  const payment = { account: receiver.account, asset, network, address, memo, txId, amount };
  moveInside(state, account, payment);
  state.withdrawals.put(withdrawal);
  state.emit.fact({ kind: 'withdrawalChanged', withdrawal });
  noteInviteeMove(state, 'withdrawal', withdrawal);
  receiveInside(state, account, payment);
  saveAfterSuccess(state, withdrawal);
}
