import { house, innerHouse } from '#domain/account.ts';
import type { AccountId, AssetId } from '#domain/units.ts';
import type { EngineState } from '#engine/state.ts';

/** Amount of an asset on this exchange: what came over chains, and what was granted. At most the asset's cap. */
export const existing = (state: EngineState, asset: AssetId): bigint =>
  -freeOf(state, house.outside, asset) - freeOf(state, innerHouse.grants, asset);

/** Free balance of a ledger account; 0 if it never had any. */
export function freeOf(state: EngineState, account: AccountId, asset: AssetId): bigint {
  const { balances } = state.ledger;
  const row = balances.find(account, asset);
  return row < 0 ? 0n : balances.free.get(row);
}
