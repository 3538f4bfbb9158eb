import { lesserOf } from '#base/whole-numbers.ts';
import { house, innerHouse } from '#model/account.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';

/** House accounts that own money above zero, and owe it below. */
const owing = [innerHouse.gas, innerHouse.capital, innerHouse.adjustments] as const;

/**
 * Amount of an asset that is owned on this exchange: what came over chains, what was granted, and what the house and
 * its operator owe for losses, network fees, adjustments and what he took. At most the asset's cap.
 */
export function supplyOf(state: EngineState, asset: AssetId): bigint {
  const beyond = freeOf(state, house.outside, asset) + freeOf(state, innerHouse.revenue, asset);
  const given = beyond + freeOf(state, innerHouse.grants, asset);
  const owed = owing.reduce((sum, account) => sum + lesserOf(0n, freeOf(state, account, asset)), 0n);
  return -given - freeOf(state, innerHouse.chainLosses, asset) - owed;
}

/** Whether an account may get so much more of an asset: the cap holds. */
export const fitsCap = (state: EngineState, asset: AssetId, amount: bigint): boolean =>
  supplyOf(state, asset) + amount <= state.assets.at(asset).cap;

/** Free balance of a ledger account; 0 if it never had any. */
export function freeOf(state: EngineState, account: AccountId, asset: AssetId): bigint {
  const { balances } = state.ledger;
  const row = balances.find(account, asset);
  return row < 0 ? 0n : balances.free.get(row);
}
