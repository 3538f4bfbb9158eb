import { house, innerHouse } from '#model/account.ts';
import type { Balance } from '#model/units.ts';
import { toAmount, type AccountId, type AssetId } from '#model/units.ts';
import { freeOf } from '#engine/money/free-balance.ts';
import type { EngineState } from '#engine/state/state.ts';

/** What outside and grants owe or are owed stays below it, whatever was granted, paid out and granted again. */
const outsideMost = 1n << 62n;

/** Whether a house account that may owe can give this much more. DEC-WAL-85. */
export const canOwe = (state: EngineState, giver: AccountId, asset: AssetId, amount: bigint): boolean =>
  amount - freeOf(state, giver, asset) < outsideMost;

/** Whether the outside can take this much besides the withdrawals that are on their way there. */
export const outsideTakes = (state: EngineState, asset: AssetId, amount: bigint): boolean =>
  freeOf(state, house.outside, asset) + state.withdrawals.pendingOf(asset) + amount < outsideMost;

/** Whether the house can book a network fee: its debt stays within the cap of the network's native coin. DEC-WAL-51. */
export function isNetworkFeeBookable(state: EngineState, network: string, networkFee: Balance): boolean {
  const native = state.assetNetworks.nativeOf(network);
  if (networkFee <= 0n || native === null) return networkFee >= 0n;
  const { asset } = native;
  const debt = networkFee - freeOf(state, innerHouse.gas, asset);
  return debt <= state.assets.at(asset).cap && outsideTakes(state, asset, networkFee);
}

/** Books what a network took; nothing where its native coin is not listed. DEC-WAL-51. */
export function bookNetworkFee(state: EngineState, network: string, networkFee: Balance): void {
  const native = state.assetNetworks.nativeOf(network);
  if (networkFee === 0n || native === null) return;
  state.ledger.move(innerHouse.gas, house.outside, native.asset, toAmount(networkFee), 'networkFee');
}
