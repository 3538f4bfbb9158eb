import { engineLimits, tableBounds } from '#model/limits.ts';
import type { TimestampMs } from '#model/units.ts';
import type { SavedAddress, WithdrawalView } from '#model/wallet.ts';
import type { EngineState } from '#engine/state/state.ts';
import type { SavedAddressName } from '#engine/state/wallet/saved-addresses.ts';

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

/** Saves an address and emits it. */
export function putSavedAddress(state: EngineState, address: SavedAddress): void {
  state.savedAddresses.put(address);
  state.emit.fact({ kind: 'addressSaved', address });
}

/** Whether an account may save one more address. */
export const maySaveAnother = ({ savedAddresses }: EngineState, account: SavedAddress['account']): boolean =>
  savedAddresses.of(account).length < engineLimits.savedAddresses;

/** Saves the address of a withdrawal that succeeded, unless it is saved or there are too many. DEC-WAL-29. */
export function saveAfterSuccess(state: EngineState, withdrawal: WithdrawalView): void {
  const { account, asset, network, address, memo } = withdrawal;
  const name = { account, asset, network, address, memo };
  const { savedAddresses } = state;
  if (savedAddresses.find(name) !== null || !maySaveAnother(state, account)) return;
  if (savedAddresses.count < tableBounds.savedAddresses)
    putSavedAddress(state, { ...name, tag: '', savedAt: state.at });
}
