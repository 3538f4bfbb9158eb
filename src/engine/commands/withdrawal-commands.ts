import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';

export const requestWithdrawal: CommandFunction<'requestWithdrawal'> = (state) => refuse(state, 'walletNotConfigured');
export const cancelWithdrawal: CommandFunction<'cancelWithdrawal'> = (state) => refuse(state, 'walletNotConfigured');
export const advanceWithdrawal: CommandFunction<'advanceWithdrawal'> = (state) => refuse(state, 'walletNotConfigured');
export const reviewWithdrawal: CommandFunction<'reviewWithdrawal'> = (state) => refuse(state, 'walletNotConfigured');
export const recordSweep: CommandFunction<'recordSweep'> = (state) => refuse(state, 'walletNotConfigured');
