import type { TimestampMs } from '#model/units.ts';
import type { SavedAddressName } from '#engine/state/wallet/saved-addresses.ts';
import type { EngineState } from '#engine/state/state.ts';

/**
 * Whether an account may pay an address: with the allow list on, or a delay for new addresses, it must be saved, and be
 * so for as long as the delay. DEC-WAL-28, DEC-WAL-57.
 */
export function isAddressAllowed(state: EngineState, name: SavedAddressName, at: TimestampMs): boolean {
  const { newAddressDelayMs } = state.walletRules.value!;
  if (newAddressDelayMs === 0 && !state.savedAddresses.isWithdrawalAllowListOn(name.account)) return true;
  const known = state.savedAddresses.find(name);
  return known !== null && known.savedAt + newAddressDelayMs <= at;
}
