import { refuse, type CommandFunction, type CommandTable } from '#engine/commands/command-function.ts';

export const createOperatorToken: CommandFunction<'createOperatorToken'> = (state) =>
  refuse(state, 'walletNotConfigured');
export const deleteOperatorToken: CommandFunction<'deleteOperatorToken'> = (state) =>
  refuse(state, 'walletNotConfigured');

/** Applies a command for an operator, whose name the command finds in the state. */
export const operateBy =
  (table: () => Omit<CommandTable, 'operate'>): CommandFunction<'operate'> =>
  (state, { actor, idempotencyKey, command }) => {
    state.emit.fact({ kind: 'operatorActed', actor, idempotencyKey, commandKind: command.kind });
    state.actor = actor;
    (table()[command.kind] as CommandFunction<typeof command.kind>)(state, command as never);
    state.actor = null;
  };
