import type { Seq } from '#model/units.ts';
import type { DepositView, WithdrawalView } from '#model/wallet.ts';
import type { DepositRow, WithdrawalRow } from '#history/tables/wallet-tables.ts';

/** The row of a deposit that entry `seq` changed last. */
export const depositRow = (deposit: DepositView, seq: Seq): DepositRow => ({
  account: deposit.account,
  insertedAt: deposit.insertedAt,
  deposit: deposit.deposit,
  seq,
  asset: deposit.asset,
  network: deposit.network,
  address: deposit.address,
  memo: deposit.memo,
  txId: deposit.txId,
  output: deposit.output,
  amount: deposit.amount,
  status: deposit.status,
  confirmations: deposit.confirmations,
  minConfirm: deposit.minConfirm,
  isInside: deposit.isInside,
  updatedAt: deposit.updatedAt,
});

/**
 * The row of a withdrawal that entry `seq` changed last. Signed transactions and approvals are not kept; what a review
 * told the account is its remark. DEC-OPR-230.
 */
export const withdrawalRow = (withdrawal: WithdrawalView, seq: Seq): WithdrawalRow => ({
  account: withdrawal.account,
  requestedAt: withdrawal.requestedAt,
  withdrawal: withdrawal.withdrawal,
  seq,
  asset: withdrawal.asset,
  network: withdrawal.network,
  address: withdrawal.address,
  memo: withdrawal.memo,
  amount: withdrawal.amount,
  fee: withdrawal.fee,
  value: withdrawal.value,
  status: withdrawal.status,
  isInside: withdrawal.isInside,
  txId: withdrawal.transaction?.txId ?? null,
  nonce: withdrawal.transaction?.nonce ?? null,
  confirmations: withdrawal.confirmations,
  withdrawOrderId: withdrawal.withdrawOrderId,
  remark: withdrawal.reviewRemark ?? withdrawal.remark,
  updatedAt: withdrawal.updatedAt,
});
