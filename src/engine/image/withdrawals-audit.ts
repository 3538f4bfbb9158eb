import { innerHouse } from '#model/account.ts';
import { holdOwnerNumbers } from '#model/hold.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import type { WithdrawalView } from '#model/wallet.ts';
import { noHold } from '#engine/ledger/hold-table.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import { isFinal } from '#engine/state/wallet/withdrawal-states.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Audits that a withdrawal that is not final has exactly one hold, of its whole amount on its account's balance, and a
 * final one none (I3, I27); that each `withdrawOrderId` leads to its newest withdrawal (I24); and that what is counted
 * per account and asset is what the records say.
 */
export function auditWithdrawals(state: EngineState, faults: string[]): void {
  const inProgress = new Map<AccountId, number>();
  const pending = new Map<AssetId, bigint>();
  const newest = new Map<string, number>();
  for (const each of state.withdrawals.all()) {
    auditHold(state, each, faults);
    auditRefund(state, each, faults);
    if (each.withdrawOrderId !== null) newest.set(`${each.account}/${each.withdrawOrderId}`, each.withdrawal);
    const isOpen = !isFinal(each.status);
    inProgress.set(each.account, (inProgress.get(each.account) ?? 0) + (isOpen ? 1 : 0));
    pending.set(each.asset, (pending.get(each.asset) ?? 0n) + (isOpen ? each.amount : 0n));
  }
  // any order: faults are for people
  for (const [account, count] of inProgress) {
    if (state.withdrawals.inProgressOf(account) !== count)
      faults.push(`account ${account} counts its withdrawals wrong`);
  }
  // any order: faults are for people
  for (const [asset, amount] of pending) {
    if (state.withdrawals.pendingOf(asset) !== amount) faults.push(`withdrawals of asset ${asset} pay another amount`);
  }
  auditOrderIds(state, newest, faults);
  auditUndelivered(state, faults);
  for (const { deposit, status } of state.deposits.all()) {
    const refund = status === 'refunding' ? state.withdrawals.refundOf(deposit) : null;
    if (status === 'refunding' && (refund === null || isFinal(refund.status)))
      faults.push(`deposit ${deposit} is refunding and nothing pays it back`);
  }
}

/** What waits to be delivered is exactly what deposits from inside say. DEC-WAL-150. */
function auditUndelivered(state: EngineState, faults: string[]): void {
  const waiting = state.deposits.all().filter(({ isInside, status }) => isInside && status === 'restricted');
  for (const { id } of state.assets.all()) {
    const owed = waiting.filter(({ asset }) => asset === id).reduce((sum, { amount }) => sum + amount, 0n);
    if (freeOf(state, innerHouse.undelivered, id) !== owed) faults.push(`asset ${id} has other money undelivered`);
  }
}

/** A deposit is on its way back exactly while a withdrawal of the house is to pay it. DEC-OPR-215. */
function auditRefund(state: EngineState, { withdrawal, account, deposit, status }: WithdrawalView, faults: string[]) {
  if ((deposit !== null) !== (account === innerHouse.refunds)) faults.push(`withdrawal ${withdrawal} is of nobody`);
  if (deposit === null || isFinal(status)) return;
  const isNewest = state.withdrawals.refundOf(deposit)?.withdrawal === withdrawal;
  if (!isNewest || state.deposits.get(deposit)?.status !== 'refunding')
    faults.push(`withdrawal ${withdrawal} pays deposit ${deposit} back, which does not wait for it`);
}

function auditHold(state: EngineState, each: WithdrawalView, faults: string[]): void {
  const { holds, ledger, withdrawals } = state;
  const { withdrawal, account, asset, amount, status } = each;
  const hold = withdrawals.holdOf(withdrawal);
  if (isFinal(status)) {
    if (hold !== noHold) faults.push(`withdrawal ${withdrawal} is ${status} and has a hold`);
    return;
  }
  const isItsOwn =
    holds.isOpen(hold) &&
    holds.ownerKind(hold) === holdOwnerNumbers.withdrawal &&
    holds.ownerId(hold) === withdrawal &&
    BigInt(holds.amount(hold)) === amount &&
    holds.row(hold) === ledger.balances.find(account, asset);
  if (!isItsOwn) faults.push(`withdrawal ${withdrawal} is ${status} and does not hold ${amount}`);
}

/** Ids that are forgotten lead nowhere; those that are known lead to the newest withdrawal. */
function auditOrderIds(state: EngineState, newest: ReadonlyMap<string, number>, faults: string[]): void {
  for (const each of state.withdrawals.all()) {
    const { account, withdrawOrderId, withdrawal } = each;
    if (withdrawOrderId === null || newest.get(`${account}/${withdrawOrderId}`) !== withdrawal) continue;
    const found = state.withdrawals.find(account, withdrawOrderId, each.requestedAt);
    if (found !== each) faults.push(`withdrawal ${withdrawal} is not found by its withdrawOrderId`);
  }
}
