import { house } from '#domain/account.ts';
import type { AssetNetwork, DepositStatus, DepositView } from '#domain/wallet.ts';
import { creditDeposit, putDeposit } from '#engine/wallet/deposit-money.ts';
import type { EngineState } from '#engine/state.ts';
import { fitsCap } from '#engine/wallet/existing.ts';
import { valueIn } from '#engine/wallet/valuation.ts';

/** What becomes of a pending deposit that has enough confirmations; the first that applies. DEC-WAL-15, 16 and 53. */
export function classify(state: EngineState, network: AssetNetwork, deposit: DepositView): DepositStatus {
  const { account, asset, amount } = deposit;
  if (account === house.outside) return 'invalid';
  if (state.accounts.get(account)!.status !== 'normal') return 'restricted';
  const value = valueIn(state, asset, amount);
  if (value !== null && value >= state.walletRules!.largeDeposit) return 'largeDelay';
  if (!fitsCap(state, asset, amount)) return 'auditing';
  if (!network.depositEnabled) return 'pending';
  return amount < network.depositMin ? 'small' : 'success';
}

/**
 * Credits all small deposits of one account, asset and network once their sum reaches the minimum; what the cap of the
 * asset leaves no room for is audited. Nothing while deposits are off or the account is not usable. DEC-WAL-15.
 */
export function creditSmallDeposits(state: EngineState, network: AssetNetwork, owner: DepositView): void {
  const { deposits, accounts } = state;
  if (deposits.small.sum(owner) < network.depositMin) return;
  if (!network.depositEnabled || accounts.get(owner.account)!.status !== 'normal') return;
  const confirmed = deposits.small
    .numbers(owner)
    .map((number) => deposits.get(number)!)
    .filter(({ confirmations }) => confirmations >= network.minConfirm);
  const sum = confirmed.reduce((total, { amount }) => total + amount, 0n);
  if (sum < network.depositMin) return;
  for (const small of confirmed) {
    const deposit = { ...small, minConfirm: network.minConfirm, updatedAt: state.at };
    if (fitsCap(state, deposit.asset, deposit.amount)) creditDeposit(state, deposit);
    else putDeposit(state, { ...deposit, status: 'auditing' });
  }
}
