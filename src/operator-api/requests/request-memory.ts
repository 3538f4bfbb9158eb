import { BoundedCache } from '#base/bounded-cache.ts';
import type { Operator } from '#operator-api/requests/authenticate.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { Problem } from '#operator-api/requests/problems.ts';

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
