import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';

/** Opens a sub-account. */
export const openSubAccount: CommandFunction<'openSubAccount'> = (state) => refuse(state, 'walletNotConfigured');
/** Lets money go to the futures wallet of a sub-account. */
export const enableFutures: CommandFunction<'enableFutures'> = (state) => refuse(state, 'walletNotConfigured');
/** Moves money between the wallets of a master and its sub-accounts. */
export const makeUniversalTransfer: CommandFunction<'makeUniversalTransfer'> = (state) =>
  refuse(state, 'walletNotConfigured');
