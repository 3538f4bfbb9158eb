import type { AccountId, AssetId, Balance } from '#model/units.ts';
import { higherValue } from '#engine/money/valuation.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * The withdrawal limit: whether an account would move more to others within 24 hours than its KYC level allows, by
 * withdrawals, inside ones included, and sends. Without a price there is no limit.
 * DEC-WAL-27, DEC-WAL-143, DEC-WAL-152.
 */
export function isAboveWithdrawalLimit(
  state: EngineState,
  { account, asset, amount }: { readonly account: AccountId; readonly asset: AssetId; readonly amount: Balance },
): boolean {
  const value = higherValue(state, asset, amount);
  if (value === null) return false;
  const { withdrawals, sends } = state;
  sends.forget(state.at);
  const { kycLevel } = state.accounts.get(account)!;
  const limit = state.walletRules.value!.dailyCaps[kycLevel - 1] ?? 0n;
  return withdrawals.ofLastDay(account, state.at).worth + sends.ofLastDay(account).worth + value > limit;
}
