import { house } from '#model/account.ts';
import type { AssetNetwork, DepositStatus, DepositView } from '#model/wallet.ts';
import type { EngineState } from '#engine/state/state.ts';
import { fitsCap } from '#engine/money/free-balance.ts';
import { higherValue } from '#engine/money/valuation.ts';

/** What becomes of a pending deposit that has enough confirmations; the first that applies. DEC-WAL-15, 16 and 53. */
export function classify(state: EngineState, network: AssetNetwork, deposit: DepositView): DepositStatus {
  const { account, asset, amount } = deposit;
  if (account === house.outside) return 'invalid';
  if (state.accounts.isUnusable(account)) return 'restricted';
  const value = higherValue(state, asset, amount);
  if (value === null || value >= state.walletRules.value!.largeDeposit) return 'largeDelay';
  if (!fitsCap(state, asset, amount)) return 'auditing';
  if (!network.depositEnabled) return 'pending';
  return amount < network.depositMin ? 'small' : 'success';
}
