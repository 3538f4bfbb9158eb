import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';

export const reportDeposit: CommandFunction<'reportDeposit'> = (state) => refuse(state, 'walletNotConfigured');
export const removeDeposit: CommandFunction<'removeDeposit'> = (state) => refuse(state, 'walletNotConfigured');
export const reviewDeposit: CommandFunction<'reviewDeposit'> = (state) => refuse(state, 'walletNotConfigured');
