import { house, innerHouse } from '#model/account.ts';
import { as, type Balance, toAmount } from '#model/units.ts';
import type { DepositView, WithdrawalView } from '#model/wallet.ts';
import { refuse } from '#engine/money/command-function.ts';
import { depositSteps } from '#engine/state/wallet/deposit-states.ts';
import type { EngineState } from '#engine/state/state.ts';
import { canLose, putDeposit } from '#engine/wallet/deposit-money.ts';

/** Whether a deposit that is paid back is in a block, as far as is known. */
export const isOnChain = ({ deposits }: EngineState, deposit: number): boolean =>
  (deposits.get(deposit)?.block ?? null) !== null;

/**
 * A withdrawal that was to pay a deposit back is final: the deposit was paid back, or it is to be refunded again, and
 * what came in for it is outside again. DEC-OPR-215.
 */
export function concludeRefund(state: EngineState, { status, asset, amount }: WithdrawalView, deposit: number): void {
  const isPaid = status === 'success';
  if (!isPaid) {
    state.ledger.move(innerHouse.refunds, house.outside, asset, toAmount(amount), 'deposit');
    if (state.deposits.isTakenBack(deposit)) giveBackLoss(state, { asset, amount });
  }
  const known = state.deposits.get(deposit)!;
  const [after] = depositSteps[known.status][isPaid ? 'paid' : 'unpaid']!;
  putDeposit(state, { ...known, status: after!, updatedAt: state.at });
}

/**
 * Takes back a deposit that left its chain after it was paid back: the house loses what it paid, for the depositor has
 * nothing of it here. Refuses where the house would owe more than a balance can tell. DEC-OPR-217.
 */
export function loseRefund(state: EngineState, before: DepositView): void {
  const { asset, amount } = before;
  if (!canLose(state, asset, { amount, fromHouse: amount })) {
    refuse(state, 'houseHasTooLittle');
    return;
  }
  state.ledger.move(innerHouse.chainLosses, house.outside, asset, toAmount(amount), 'chainLoss');
  const deposit: DepositView = { ...before, confirmations: 0, block: null, updatedAt: state.at };
  state.deposits.doubted.delete(deposit.deposit);
  state.deposits.put(deposit);
  state.deposits.setFromAccount(deposit.deposit, 0n);
  state.deposits.removeOver(state.at);
  state.emit.fact({ kind: 'depositLost', deposit, fromAccount: as<Balance>(0n), fromHouse: amount });
}

/** The chain has a deposit again that was paid back: the house has what it lost. */
export function regainRefund(state: EngineState, deposit: DepositView): void {
  giveBackLoss(state, deposit);
  putDeposit(state, deposit);
}

const giveBackLoss = (state: EngineState, { asset, amount }: Pick<DepositView, 'asset' | 'amount'>): void =>
  state.ledger.move(house.outside, innerHouse.chainLosses, asset, toAmount(amount), 'chainLoss');
