import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';

/** Adds an invite code. */
export const createInviteCode: CommandFunction<'createInviteCode'> = (state) => refuse(state, 'walletNotConfigured');
/** Sets the rates of an inviter. */
export const setRebateRates: CommandFunction<'setRebateRates'> = (state) => refuse(state, 'walletNotConfigured');
/** Records clicks on a code. */
export const recordClicks: CommandFunction<'recordClicks'> = (state) => refuse(state, 'walletNotConfigured');
/** Pays what accrued on a day. */
export const settleRebates: CommandFunction<'settleRebates'> = (state) => refuse(state, 'walletNotConfigured');
/** Gives back to fees what accrued on a day. */
export const rejectRebates: CommandFunction<'rejectRebates'> = (state) => refuse(state, 'walletNotConfigured');
