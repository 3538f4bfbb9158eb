import { monotonicClock } from '#base/clock.ts';
import { wireLimits } from '#http/limits.ts';
import type { Acting, Command } from '#model/command.ts';
import { AnswerDeadlines } from '#http/answer-deadlines.ts';
import type { HttpLog } from '#http/http-settings.ts';
import type { Act as JournaledAct } from '#model/act.ts';
import { IngressLost, IngressRefused, type OutcomeEvent } from '#sequencer/command-ingress.ts';
import { Problem } from '#operator-api/requests/problems.ts';
import type { Proposal } from '#model/proposal.ts';
import type { Operator } from '#operator-api/requests/authenticate.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { BoundedCache } from '#base/bounded-cache.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';

/** What an operator can do: any command but another operator's. */
type OperatedCommand = Exclude<Command, { readonly kind: 'operate' }>;

/**
 * Submits one command in the name of an operator, with the idempotency key of the request; resolves to its events, or
 * to none if the key repeats an earlier request. DEC-OPR-06, DEC-OPR-10.
 * @throws Problem of the engine's refusal, also of a repeated one; `unavailable` or `outcomeUnknown`.
 */
export type Act = (command: OperatedCommand) => Promise<readonly OutcomeEvent[]>;

const deadlines = new AnswerDeadlines(wireLimits.answerTimeoutMs, monotonicClock.now);

/** Translates a failed command: 503 if nothing happened, 504 if the outcome is unknown. */
function submitProblem(error: unknown): unknown {
  if (error instanceof IngressRefused) return new Problem('unavailable');
  if (error instanceof IngressLost) return new Problem('outcomeUnknown');
  return error;
}

/** What acting asks. */
export type ActContext = Pick<OperatorContext, 'ingress' | 'log'>;

/** The way to act of one request: each act is logged, without what it says of its command. DEC-OPR-198. */
export const createAct =
  ({ ingress, log }: ActContext, acting: Acting): Act =>
  async (command) => {
    const sent = ingress.submit({ kind: 'operate', ...acting, command });
    const { events } = await deadlines.within(sent, () => new IngressLost('too late'), submitProblem);
    for (const event of events) if (event.kind === 'operatorActed') logAct(log, event.act);
    for (const event of events) {
      if (event.kind === 'commandRefused') throw new Problem(event.reason);
      if (event.kind === 'operationRepeated') {
        if (event.refusal !== null) throw new Problem(event.refusal);
        return [];
      }
    }
    return events;
  };

/** Texts of operators stay out of the log: anything may have been pasted into them. The number leads to the act. */
function logAct(log: HttpLog, act: JournaledAct): void {
  const { number, seq, actor, token, address, commandKind, targetKind, targetId, refusal, hash } = act;
  const told = { act: number, seq, actor, token, address, command: commandKind, target: targetKind };
  if (refusal === null) log.info({ ...told, targetId, hash }, 'an operator acted');
  else log.warn({ ...told, refusal, hash }, 'an act of an operator was refused');
}

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
 * that it became then, as it is now; to `null` if it was applied. `seen` gets what the command did. DEC-OPR-142.
 */
export const createProposing =
  ({ queries }: OperatorContext) =>
  async (
    { act, operator, idempotencyKey }: ProtectedRequest,
    command: Proposal['command'],
    seen: (event: OutcomeEvent) => void = () => {},
  ): Promise<Proposed | null> => {
    const events = await act(command);
    for (const event of events) seen(event);
    for (const event of events) if (event.kind === 'proposalChanged') return new Proposed(event.proposal);
    if (events.length > 0 || idempotencyKey === null) return null;
    const made = (await queries.safety.proposals()).findLast(
      (each) => each.madeBy === operator.actor && each.idempotencyKey === idempotencyKey,
    );
    return made === undefined ? null : new Proposed(made);
  };

/** A write that is no command. */
interface ActingRequest {
  readonly operator: Operator;
  readonly idempotencyKey: string | null;
  readonly path: unknown;
  readonly body: unknown;
}

/**
 * Acts of this process by idempotency key: they are no commands, so the engine does not remember them. DEC-OPR-06.
 */
export function createRequestMemory({ clock }: OperatorContext) {
  const done = new BoundedCache<string, { readonly request: string; readonly answer: Promise<unknown> }>({
    keepMs: operatorLimits.requestKeysKeptMs,
    entriesKept: operatorLimits.requestKeysKept,
  });
  return <Answer>(name: string, request: ActingRequest, act: () => Promise<Answer>): Promise<Answer> => {
    const { operator, idempotencyKey, path, body } = request;
    if (idempotencyKey === null) return act();
    const key = `${operator.actor} ${idempotencyKey}`;
    const text = JSON.stringify([name, path, body]);
    const earlier = done.get(key, clock.now());
    if (earlier !== undefined) {
      if (earlier.request !== text) throw new Problem('idempotencyKeyInUse');
      return earlier.answer as Promise<Answer>;
    }
    const answer = act();
    done.set(key, { request: text, answer }, clock.now());
    // What failed did nothing: it may be tried again.
    answer.catch(() => done.delete(key));
    return answer;
  };
}
