import { engineLimits } from '#model/limits.ts';
import { hasAtMost } from '#model/text-length.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { maySaveAnother, putSavedAddress } from '#engine/wallet/saved-addresses.ts';

/** Saves an address of an account, or renames one: it stays saved since the first time. DEC-WAL-29. */
export const saveAddress: CommandFunction<'saveAddress'> = (state, command) => {
  const { account, asset, network, address, memo, tag } = command;
  const { addressLength, memoLength, addressTagLength } = engineLimits;
  const isAddress = address.length > 0 && address.length <= addressLength && hasAtMost(memo ?? '', memoLength);
  const known = state.savedAddresses.find(command);
  if (!state.accounts.isUser(account)) refuse(state, 'unknownAccount');
  else if (!state.assets.has(asset)) refuse(state, 'unknownAsset');
  else if (state.assetNetworks.get(asset, network) === null) refuse(state, 'unknownNetwork');
  else if (!isAddress || !hasAtMost(tag, addressTagLength)) refuse(state, 'invalidConfiguration');
  else if (known === null && !maySaveAnother(state, account)) refuse(state, 'tooManySavedAddresses');
  else {
    const savedAt = known?.savedAt ?? state.at;
    putSavedAddress(state, { account, asset, network, address, memo, tag, savedAt });
  }
};

/** Removes a saved address. Withdrawals to it that wait then wait on, if it must be saved. DEC-WAL-57. */
export const removeSavedAddress: CommandFunction<'removeSavedAddress'> = (state, command) => {
  const known = state.savedAddresses.find(command);
  if (!state.accounts.isUser(command.account)) refuse(state, 'unknownAccount');
  else if (known === null) refuse(state, 'unknownSavedAddress');
  else {
    state.savedAddresses.delete(known);
    state.emit.fact({ kind: 'savedAddressRemoved', address: known });
  }
};

/** Turns the allow list of an account on or off. */
export const setAllowList: CommandFunction<'setAllowList'> = (state, { account, enabled }) => {
  if (!state.accounts.isUser(account)) {
    refuse(state, 'unknownAccount');
    return;
  }
  state.savedAddresses.setAllowList(account, enabled);
  state.emit.fact({ kind: 'allowListChanged', account, enabled });
};
