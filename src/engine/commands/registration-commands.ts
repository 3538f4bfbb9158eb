import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';

/** Opens the account of a person. */
export const registerAccount: CommandFunction<'registerAccount'> = (state) => refuse(state, 'walletNotConfigured');
/** Makes an account a user, a broker or an affiliate. */
export const setAccountClass: CommandFunction<'setAccountClass'> = (state) => refuse(state, 'walletNotConfigured');
