import { monotonicClock } from '#base/clock.ts';
import { wireLimits } from '#http/limits.ts';
import type { Command } from '#model/command.ts';
import { AnswerDeadlines } from '#http/answer-deadlines.ts';
import {
  type CommandIngress,
  IngressLost,
  IngressRefused,
  type Outcome,
  type OutcomeEvent,
} from '#sequencer/command-ingress.ts';
import { Problem } from '#operator-api/requests/problems.ts';

/** What an operator can do: any command but another operator's. */
type OperatedCommand = Exclude<Command, { readonly kind: 'operate' }>;

/**
 * Submits one command in the name of an operator, with the idempotency key of the request; resolves to its events, or
 * to none if the key repeats an earlier request. DEC-OPR-06, DEC-OPR-10.
 * @throws Problem of the engine's refusal, also of a repeated one; `unavailable` or `outcomeUnknown`.
 */
export type Act = (command: OperatedCommand) => Promise<readonly OutcomeEvent[]>;

/** In whose name commands are submitted, and the key of the request if it has one. */
export interface Acting {
  readonly actor: string;
  readonly idempotencyKey: string | null;
}

const deadlines = new AnswerDeadlines(wireLimits.answerTimeoutMs, monotonicClock.now);

/** Translates a failed command: 503 if nothing happened, 504 if the outcome is unknown. */
function submitProblem(error: unknown): unknown {
  if (error instanceof IngressRefused) return new Problem('unavailable');
  if (error instanceof IngressLost) return new Problem('outcomeUnknown');
  return error;
}

function submit(ingress: CommandIngress, command: Command): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const awaited = deadlines.begin(() => reject(new Problem('outcomeUnknown')));
    ingress.submit(command).then(
      (outcome) => {
        deadlines.end(awaited);
        resolve(outcome);
      },
      (error: unknown) => {
        deadlines.end(awaited);
        reject(submitProblem(error));
      },
    );
  });
}

/** The way to act of one request. */
export const createAct =
  (ingress: CommandIngress, { actor, idempotencyKey }: Acting): Act =>
  async (command) => {
    const { events } = await submit(ingress, { kind: 'operate', actor, idempotencyKey, command });
    for (const event of events) {
      if (event.kind === 'commandRefused') throw new Problem(event.reason);
      if (event.kind === 'operationRepeated') {
        if (event.refusal !== null) throw new Problem(event.refusal);
        return [];
      }
    }
    return events;
  };
