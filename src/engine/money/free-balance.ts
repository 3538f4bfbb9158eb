import { house, innerHouse } from '#model/account.ts';
import type { AccountId, AssetId } from '#model/units.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Amount of an asset that is owned on this exchange: what came over chains, what was granted, and what the house and
 * its operator owe for losses, network fees and what he took. At most the asset's cap.
 */
export function supplyOf(state: EngineState, asset: AssetId): bigint {
  const gas = freeOf(state, innerHouse.gas, asset);
  const given = freeOf(state, house.outside, asset) + freeOf(state, innerHouse.grants, asset);
  const capital = freeOf(state, innerHouse.capital, asset);
  const owed = (gas < 0n ? gas : 0n) + (capital < 0n ? capital : 0n);
  return -given - freeOf(state, innerHouse.chainLosses, asset) - owed;
}

/** Whether an account may get so much more of an asset: the cap holds. */
export const fitsCap = (state: EngineState, asset: AssetId, amount: bigint): boolean =>
  supplyOf(state, asset) + amount <= state.assets[asset]!.cap;

/** Free balance of a ledger account; 0 if it never had any. */
export function freeOf(state: EngineState, account: AccountId, asset: AssetId): bigint {
  const { balances } = state.ledger;
  const row = balances.find(account, asset);
  return row < 0 ? 0n : balances.free.get(row);
}
