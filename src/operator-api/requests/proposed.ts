import type { Proposal } from '#model/proposal.ts';
import type { Act } from '#operator-api/requests/act.ts';
import type { Operator } from '#operator-api/requests/authenticate.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';

/** Instead of the answer of an endpoint: what it asked for waits for a second operator. Answered with 202. */
export class Proposed {
  readonly proposal: Proposal;

  constructor(proposal: Proposal) {
    this.proposal = proposal;
  }
}

/** A request that may lower a protection. */
interface ProtectedRequest {
  readonly act: Act;
  readonly operator: Operator;
  readonly idempotencyKey: string | null;
}

/**
 * Submits a command that may lower a protection: resolves to the proposal that became of it, of a repetition to the one
 * that it became then, as it is now; to `null` if it was applied. DEC-OPR-142.
 */
export const createProposing =
  ({ queries }: OperatorContext) =>
  async (
    { act, operator, idempotencyKey }: ProtectedRequest,
    command: Proposal['command'],
  ): Promise<Proposed | null> => {
    const events = await act(command);
    for (const event of events) if (event.kind === 'proposalChanged') return new Proposed(event.proposal);
    if (events.length > 0 || idempotencyKey === null) return null;
    const made = (await queries.safety.proposals()).findLast(
      (each) => each.madeBy === operator.actor && each.idempotencyKey === idempotencyKey,
    );
    return made === undefined ? null : new Proposed(made);
  };
