import type { Proposal, ProtectedCommand } from '#model/proposal.ts';
import type { RejectReason } from '#model/rejection.ts';
import { refusalOfApproving } from '#engine/accounts/may-approve.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { type ProtectedFunction, type ProtectedFunctions, putProposal } from '#engine/protections/protected-command.ts';
import { basisOf } from '#engine/protections/protections.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Sets whether one operator runs the exchange alone. Turning it off is never a lowering. DEC-OPR-145. */
export const setAlone: ProtectedFunction<'setAlone'> = {
  refusal: () => null,
  apply: (state, { enabled }) => {
    state.operators.isAlone = enabled;
    state.emit.fact({ kind: 'aloneChanged', enabled });
  },
};

/** Commands about proposals, over the functions that apply what was proposed. DEC-OPR-142 to 145. */
export function proposalCommands(functions: ProtectedFunctions) {
  const functionOf = ({ kind }: ProtectedCommand) => functions[kind] as ProtectedFunction<typeof kind>;

  /** Why it cannot take effect now: it is judged again by what is in force. */
  const refusalOfEffect = (state: EngineState, { command, basis, madeBy }: Proposal): RejectReason | null => {
    if (basis !== basisOf(state, command)) return 'proposalStale';
    return inNameOf(state, madeBy, () => functionOf(command).refusal(state, command as never));
  };

  /** Makes the change in the name of who proposed it. */
  const takeEffect = (state: EngineState, proposal: Proposal): void => {
    const { command, madeBy } = proposal;
    const applied = { ...proposal, state: 'applied', decidedBy: state.running.actor, decidedAt: state.at } as const;
    inNameOf(state, madeBy, () => functionOf(command).apply(state, command as never, applied));
    putProposal(state, applied);
  };

  const approveProposal: CommandFunction<'approveProposal'> = (state, command) => {
    const known = state.operators.find(command.proposal);
    const refusal =
      refusalOfDecision(state, known) ??
      refusalOfApproving(state) ??
      (known!.madeBy === state.running.actor ? 'sameOperator' : null) ??
      refusalOfEffect(state, known!);
    if (refusal !== null) refuse(state, refusal);
    else takeEffect(state, known!);
  };

  /** Anybody takes a proposal back: nothing becomes less safe. */
  const cancelProposal: CommandFunction<'cancelProposal'> = (state, command) => {
    const known = state.operators.find(command.proposal);
    const refusal = refusalOfDecision(state, known);
    if (refusal !== null) refuse(state, refusal);
    else putProposal(state, { ...known!, state: 'cancelled', decidedBy: state.running.actor, decidedAt: state.at });
  };

  /** What is over expires; what was made alone takes effect, where it still fits and one still runs it alone. */
  const endProposals: CommandFunction<'endProposals'> = (state) => {
    for (const proposal of state.operators.ended(state.at)) {
      const isDue = proposal.isAlone && state.operators.isAlone;
      if (isDue && refusalOfEffect(state, proposal) === null) takeEffect(state, proposal);
      else putProposal(state, { ...proposal, state: 'expired', decidedAt: state.at });
    }
  };

  return { approveProposal, cancelProposal, endProposals };
}

/** Runs something as if this operator were acting. */
function inNameOf<Result>(state: EngineState, operator: string, work: () => Result): Result {
  const { running } = state;
  const { actor } = running;
  running.actor = operator;
  const result = work();
  running.actor = actor;
  return result;
}

/** Why nothing can be decided about a proposal any more. */
function refusalOfDecision(state: EngineState, known: Proposal | null): RejectReason | null {
  if (known === null) return 'unknownProposal';
  if (state.running.actor === null) return 'invalidConfiguration';
  if (known.state === 'expired' || (known.state === 'open' && known.endsAt <= state.at)) return 'proposalExpired';
  return known.state === 'open' ? null : 'wrongState';
}
