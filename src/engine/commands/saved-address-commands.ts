import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';

export const saveAddress: CommandFunction<'saveAddress'> = (state) => refuse(state, 'walletNotConfigured');
export const removeSavedAddress: CommandFunction<'removeSavedAddress'> = (state) =>
  refuse(state, 'walletNotConfigured');
export const setAllowList: CommandFunction<'setAllowList'> = (state) => refuse(state, 'walletNotConfigured');
