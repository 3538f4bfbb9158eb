import { house, innerHouse } from '#model/account.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { UnknownPayment } from '#model/safety.ts';
import { toAmount, type AccountId, type AssetId } from '#model/units.ts';
import type { WithdrawalStatus } from '#model/wallet.ts';
import { fitsCap, freeOf } from '#engine/money/free-balance.ts';
import { putDeposit } from '#engine/wallet/deposit-money.ts';
import { canOwe, outsideTakes } from '#engine/money/outside-bounds.ts';
import { concludeAsPaid } from '#engine/wallet/withdrawal-steps.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Of withdrawals that nothing was signed for. */
const unsigned: ReadonlySet<WithdrawalStatus> = new Set(['apply', 'auditing', 'manual', 'wait', 'processing']);

/**
 * Books an unknown payment to a withdrawal that nothing was signed for: it was paid. What is known of the payment has
 * to be what the withdrawal asks for. DEC-WAL-123.
 */
export function bookToWithdrawal(state: EngineState, payment: UnknownPayment, withdrawal: number): RejectReason | null {
  const known = state.withdrawals.get(withdrawal);
  if (known === null || known.isInside || known.network !== payment.network) return 'unknownWithdrawal';
  if (!unsigned.has(known.status)) return 'wrongState';
  const { asset, amount, address, memo } = payment;
  const isOther =
    asset !== null &&
    (asset !== known.asset || amount !== known.amount - known.fee || address !== known.address || memo !== known.memo);
  if (isOther) return 'paymentDiffers';
  concludeAsPaid(state, known, payment);
  return null;
}

/** What an unknown payment moved, as an operator says where nobody could find it out. */
export interface MovedAmount {
  readonly asset: AssetId;
  readonly amount: bigint;
}

/** Takes it from an account; what the account does not have free is a claim of the house. DEC-WAL-124. */
export function bookToAccount(
  state: EngineState,
  account: AccountId,
  { asset, amount }: MovedAmount,
): RejectReason | null {
  if (!state.accounts.isUser(account)) return 'unknownAccount';
  const free = freeOf(state, account, asset);
  const fromAccount = free < amount ? free : amount;
  const fromHouse = amount - fromAccount;
  if (!outsideTakes(state, asset, amount) || !canOwe(state, innerHouse.chainLosses, asset, fromHouse))
    return 'houseHasTooLittle';
  const { ledger } = state;
  if (fromAccount > 0n) ledger.move(account, house.outside, asset, toAmount(fromAccount), 'withdrawal');
  if (fromHouse > 0n) ledger.move(innerHouse.chainLosses, house.outside, asset, toAmount(fromHouse), 'chainLoss');
  return null;
}

/** It paid fees out to the operator. DEC-OPR-187. */
export function bookToRevenue(state: EngineState, { asset, amount }: MovedAmount): RejectReason | null {
  const taken = freeOf(state, innerHouse.revenue, asset) + amount;
  if (freeOf(state, house.fees, asset) < amount || taken >= 1n << 62n) return 'houseHasTooLittle';
  state.ledger.move(house.fees, innerHouse.revenue, asset, toAmount(amount), 'revenue');
  return null;
}

/**
 * It paid a deposit back that was to be refunded; what the payer did not get is the operator's capital. DEC-OPR-187.
 */
export function bookToRefund(
  state: EngineState,
  { network }: UnknownPayment,
  deposit: number,
  { asset, amount }: MovedAmount,
): RejectReason | null {
  const known = state.deposits.current(deposit, state.at);
  if (known === null || known.network !== network) return 'unknownDeposit';
  if (known.isInside || known.status !== 'refund') return 'wrongState';
  const rest = known.amount - amount;
  if (known.asset !== asset || rest < 0n) return 'paymentDiffers';
  if (!fitsCap(state, asset, rest) || !canOwe(state, house.outside, asset, rest)) return 'aboveAssetCap';
  if (rest > 0n) state.ledger.move(house.outside, innerHouse.capital, asset, toAmount(rest), 'capital');
  putDeposit(state, { ...known, status: 'refunded', updatedAt: state.at });
  return null;
}

/** It was the operator's own money: his capital pays it. DEC-WAL-125. */
export function bookToCapital(state: EngineState, { asset, amount }: MovedAmount): RejectReason | null {
  if (!outsideTakes(state, asset, amount) || !canOwe(state, innerHouse.capital, asset, amount))
    return 'houseHasTooLittle';
  state.ledger.move(innerHouse.capital, house.outside, asset, toAmount(amount), 'capital');
  return null;
}
