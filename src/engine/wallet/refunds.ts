import { house, innerHouse } from '#model/account.ts';
import { toAmount } from '#model/units.ts';
import type { WithdrawalView } from '#model/wallet.ts';
import { depositSteps } from '#engine/state/wallet/deposit-states.ts';
import type { EngineState } from '#engine/state/state.ts';
import { putDeposit } from '#engine/wallet/deposit-money.ts';

/** Whether a deposit that is paid back is in a block, as far as is known. */
export const isOnChain = ({ deposits }: EngineState, deposit: number): boolean =>
  (deposits.get(deposit)?.block ?? null) !== null;

/**
 * A withdrawal that was to pay a deposit back is final: the deposit was paid back, or it is to be refunded again, and
 * what came in for it is outside again. DEC-OPR-215.
 */
export function concludeRefund(state: EngineState, { status, asset, amount }: WithdrawalView, deposit: number): void {
  const isPaid = status === 'success';
  if (!isPaid) state.ledger.move(innerHouse.refunds, house.outside, asset, toAmount(amount), 'deposit');
  const known = state.deposits.get(deposit)!;
  const [after] = depositSteps[known.status][isPaid ? 'paid' : 'unpaid']!;
  putDeposit(state, { ...known, status: after!, updatedAt: state.at });
}
