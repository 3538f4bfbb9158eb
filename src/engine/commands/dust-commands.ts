import { refuse, type CommandFunction } from '#engine/commands/command-function.ts';

export const convertDust: CommandFunction<'convertDust'> = (state) => refuse(state, 'walletNotConfigured');
