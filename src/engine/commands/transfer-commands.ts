import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';

export const transferFunds: CommandFunction<'transferFunds'> = (state) => refuse(state, 'walletNotConfigured');
export const sendFunds: CommandFunction<'sendFunds'> = (state) => refuse(state, 'walletNotConfigured');
export const setContact: CommandFunction<'setContact'> = (state) => refuse(state, 'walletNotConfigured');
