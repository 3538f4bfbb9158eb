import { engineLimits } from '#model/limits.ts';
import type { Proposal, ProtectedCommand } from '#model/proposal.ts';
import type { RejectReason } from '#model/rejection.ts';
import { as, type TimestampMs } from '#model/units.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { basisOf, loweredBy } from '#engine/protections/protections.ts';
import type { EngineState } from '#engine/state/state.ts';

type Kind = ProtectedCommand['kind'];
type CommandOf<K extends Kind> = Extract<ProtectedCommand, { readonly kind: K }>;

/** A command that can lower a protection, judged apart from being applied, so that it can wait in between. */
export interface ProtectedFunction<K extends Kind> {
  /** Why it cannot be applied now; `null`: it can. Changes nothing. */
  readonly refusal: (state: EngineState, command: CommandOf<K>) => RejectReason | null;
  /** Applies what is not refused. `proposal`: what it waited as, decided by now; `null`: it did not wait. */
  readonly apply: (state: EngineState, command: CommandOf<K>, proposal: Proposal | null) => void;
}

/**
 * The command as journals have it: refused, or applied, or in production, where an operator lowers a protection by it,
 * kept as a proposal as a whole. What the exchange itself does is applied. DEC-OPR-142.
 */
export const guarded =
  <K extends Kind>({ refusal, apply }: ProtectedFunction<K>) =>
  (state: EngineState, command: CommandOf<K>): void => {
    const reason = refusal(state, command);
    if (reason !== null) {
      refuse(state, reason);
      return;
    }
    const isHeldBack = state.running.actor !== null && state.profile.value === 'production';
    const lowered = isHeldBack ? loweredBy(state, command) : [];
    if (lowered.length === 0) apply(state, command, null);
    else propose(state, command, lowered);
  };

function propose(state: EngineState, command: ProtectedCommand, lowered: readonly string[]): void {
  const { operators, at } = state;
  if (operators.open().length >= engineLimits.proposalsOpen) {
    refuse(state, 'tooManyProposals');
    return;
  }
  putProposal(state, {
    proposal: operators.lastProposal + 1,
    command,
    lowered,
    basis: basisOf(state, command),
    state: 'open',
    madeBy: state.running.actor!,
    madeAt: at,
    idempotencyKey: state.running.idempotencyKey,
    endsAt: as<TimestampMs>(at + engineLimits.proposalLifeMs),
    isAlone: operators.isAlone,
    ...{ decidedBy: null, decidedAt: null },
  });
}

/** Keeps a proposal as it is now, and tells. */
export function putProposal(state: EngineState, proposal: Proposal): void {
  state.operators.put(proposal);
  state.emit.fact({ kind: 'proposalChanged', proposal });
}

/** The functions of all commands that can lower a protection. */
export type ProtectedFunctions = { readonly [K in Kind]: ProtectedFunction<K> };

/** The same as functions of commands. */
export const guardAll = (functions: ProtectedFunctions): { readonly [K in Kind]: CommandFunction<K> } => ({
  configureWallet: guarded(functions.configureWallet),
  configureAssetNetwork: guarded(functions.configureAssetNetwork),
  setReferencePrice: guarded(functions.setReferencePrice),
  removeReferencePrice: guarded(functions.removeReferencePrice),
  setAlone: guarded(functions.setAlone),
  adjustBalance: guarded(functions.adjustBalance),
});
