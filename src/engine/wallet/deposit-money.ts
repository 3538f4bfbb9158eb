import { house, innerHouse } from '#model/account.ts';
import type { AssetId } from '#model/units.ts';
import type { DepositView } from '#model/wallet.ts';
import { noteInviteeMove } from '#engine/rebates/invitee-moves.ts';
import { changeStatus } from '#engine/accounts/freeze-commands.ts';
import { refuse } from '#engine/money/command-function.ts';
import type { EngineState } from '#engine/state/state.ts';
import { fitsCap, freeOf } from '#engine/money/free-balance.ts';

/** How much one account of the house may owe or be owed of an asset: twice as much fits a balance. */
const owedMost = 1n << 62n;

/** Stores a deposit as it is now and tells it. */
export function putDeposit(state: EngineState, deposit: DepositView): void {
  state.deposits.put(deposit);
  state.deposits.removeOver(state.at);
  state.emit.fact({ kind: 'depositChanged', deposit });
}

/** Pays a deposit out of the outside to its account. The caller has checked the cap of the asset. DEC-WAL-14. */
export function creditDeposit(state: EngineState, deposit: DepositView): void {
  state.ledger.move(house.outside, deposit.account, deposit.asset, deposit.amount, 'deposit');
  putDeposit(state, { ...deposit, status: 'success' });
  noteInviteeMove(state, 'deposit', deposit);
}

/** Whether the house can lose so much of an amount that goes outside: both stay within what a balance can tell. */
export function canLose(
  state: EngineState,
  asset: AssetId,
  { amount, fromHouse }: { readonly amount: bigint; readonly fromHouse: bigint },
): boolean {
  const losses = freeOf(state, innerHouse.chainLosses, asset) - fromHouse;
  return losses >= -owedMost && freeOf(state, house.outside, asset) + amount <= owedMost;
}

/**
 * Takes back a credited deposit that left its chain: its account is frozen and pays what it has, the house loses the
 * rest. Refuses where the house would owe more than a balance can tell. DEC-WAL-17.
 */
export function loseDeposit(state: EngineState, before: DepositView): void {
  const { account, asset, amount } = before;
  const free = freeOf(state, account, asset);
  const missing = amount - free;
  const fromHouse = missing > 0n ? missing : 0n;
  const fromAccount = amount - fromHouse;
  if (!canLose(state, asset, { amount, fromHouse })) {
    refuse(state, 'houseHasTooLittle');
    return;
  }
  if (fromAccount > 0n) state.ledger.move(account, house.outside, asset, fromAccount, 'chainLoss');
  if (fromHouse > 0n) state.ledger.move(innerHouse.chainLosses, house.outside, asset, fromHouse, 'chainLoss');
  if (state.accounts.get(account)!.status === 'normal') changeStatus(state, account, 'frozen');
  const deposit: DepositView = { ...before, status: 'lost', confirmations: 0, block: null, updatedAt: state.at };
  state.deposits.doubted.delete(deposit.deposit);
  state.deposits.put(deposit);
  state.deposits.setFromAccount(deposit.deposit, fromAccount);
  state.deposits.removeOver(state.at);
  state.emit.fact({
    kind: 'depositLost',
    deposit,
    fromAccount: fromAccount as typeof amount,
    fromHouse: fromHouse as typeof amount,
  });
}

/** Pays a lost deposit again, which its chain has once more, to those who paid for it. The account stays frozen. */
export function regainDeposit(state: EngineState, deposit: DepositView): void {
  const { account, asset, amount } = deposit;
  const toAccount = state.deposits.fromAccount(deposit.deposit);
  const toHouse = amount - toAccount;
  if (!fitsCap(state, asset, toAccount)) {
    refuse(state, 'aboveAssetCap');
    return;
  }
  if (toAccount > 0n) state.ledger.move(house.outside, account, asset, toAccount, 'chainLoss');
  if (toHouse > 0n) state.ledger.move(house.outside, innerHouse.chainLosses, asset, toHouse, 'chainLoss');
  putDeposit(state, { ...deposit, status: 'success' });
}
