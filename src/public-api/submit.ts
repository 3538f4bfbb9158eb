import { assert } from '#base/assert.ts';
import { monotonicClock } from '#base/clock.ts';
import { ApiError, refusalError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import type { Command } from '#model/command.ts';
import type { RejectReason } from '#model/rejection.ts';
import { AnswerDeadlines } from '#http/answer-deadlines.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import {
  IngressLost,
  IngressRefused,
  OrderEntryStopped,
  type Outcome,
  type OutcomeEvent,
} from '#sequencer/command-ingress.ts';

/** When the time began within which a request has to be submitted. */
export type Received = Pick<EndpointRequest, 'receivedMonotonic'>;

const deadlines = new AnswerDeadlines(wireLimits.answerTimeoutMs, monotonicClock.now);

/** Translates a failed command: 503 if nothing happened, 504 if the outcome is unknown. */
function submitError(error: unknown): unknown {
  if (error instanceof OrderEntryStopped) return new ApiError('serviceUnavailable', { why: error.message });
  if (error instanceof IngressRefused) return new ApiError('serviceUnavailable');
  if (error instanceof IngressLost) return new ApiError('gatewayTimeout');
  return error;
}

/**
 * Submits a command of a client and waits for its outcome.
 * @throws ApiError 503 if it was not accepted, or the request had waited too long before; 504 if the outcome did not
 * come in time or was lost, so that it is unknown.
 */
export function submit(context: GatewayContext, request: Received, command: Command): Promise<Outcome> {
  if (context.monotonic.now() - request.receivedMonotonic > wireLimits.queueTimeoutMs) {
    return Promise.reject(new ApiError('serviceUnavailable', { why: 'the request waited too long' }));
  }
  return deadlines.within(context.ingress.submit(command), () => new IngressLost('too late'), submitError);
}

/** The same, of a command whose facts the caller does not need. @throws ApiError of the engine's refusal besides. */
export async function submitAccepted(context: GatewayContext, request: Received, command: Command): Promise<void> {
  const { events } = await submit(context, request, command);
  for (const event of events) if (event.kind === 'commandRefused') throw refusalError(event.reason);
}

/**
 * Submits a command that is done once one of these facts tells so, and resolves to that fact. `names`: the parameter at
 * fault of a refusal, where the endpoint has another name for it than usual.
 * @throws ApiError of the engine's refusal, or what `submit` throws.
 */
export async function submitFor<Kind extends OutcomeEvent['kind']>(
  context: GatewayContext,
  request: Received,
  command: Command,
  kinds: readonly Kind[],
  names: Partial<Record<RejectReason, string>> = {},
): Promise<Extract<OutcomeEvent, { readonly kind: Kind }>> {
  const { events } = await submit(context, request, command);
  const wanted: readonly string[] = kinds;
  const result = events.find(({ kind }) => kind === 'commandRefused' || wanted.includes(kind));
  assert(result !== undefined, 'a command has an event with its result');
  if (result.kind === 'commandRefused') throw refusalError(result.reason, undefined, names[result.reason]);
  return result as Extract<OutcomeEvent, { readonly kind: Kind }>;
}
