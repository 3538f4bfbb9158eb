import type { Command, CommandKind } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Applies one kind of command to the state. Business refusals are events, never exceptions. */
export type CommandFunction<K extends CommandKind> = (
  state: EngineState,
  command: Extract<Command, { kind: K }>,
) => void;

/** One function per command: a new kind without its function does not compile. */
export type CommandTable = { readonly [K in CommandKind]: CommandFunction<K> };

/** Emits that a command other than an order was refused and changed nothing. */
export function refuse(state: EngineState, reason: RejectReason): void {
  if (state.running.actor !== null) state.running.refusal = reason;
  state.emit.fact({ kind: 'commandRefused', reason });
}
