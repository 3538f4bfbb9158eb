import { monotonicClock } from '#base/clock.ts';
import { ApiError } from '#api/errors.ts';
import { wireLimits } from '#api/limits.ts';
import type { Command } from '#domain/command.ts';
import { AnswerDeadlines } from '#http/answer-deadlines.ts';
import type { EndpointRequest } from '#gateway/endpoint-request.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import { IngressLost, IngressRefused, OrderEntryStopped, type Outcome } from '#ingress/command-ingress.ts';

const deadlines = new AnswerDeadlines(wireLimits.answerTimeoutMs, monotonicClock.now);

/** What a failed command means to the client: 503 nothing happened, 504 nobody knows. */
function submitError(error: unknown): unknown {
  if (error instanceof OrderEntryStopped) return new ApiError('serviceUnavailable', { why: error.message });
  if (error instanceof IngressRefused) return new ApiError('serviceUnavailable');
  if (error instanceof IngressLost) return new ApiError('gatewayTimeout');
  return error;
}

/**
 * Gives a command of a client to the exchange and waits for what became of it.
 * @throws ApiError 503 when it was not taken, also when the request waited too long before it could be handed over; 504
 * when the answer did not come in time or was lost: the outcome is unknown then.
 */
export function submit(context: GatewayContext, request: EndpointRequest, command: Command): Promise<Outcome> {
  if (context.monotonic.now() - request.receivedMonotonic > wireLimits.queueTimeoutMs) {
    return Promise.reject(new ApiError('serviceUnavailable', { why: 'the request waited too long' }));
  }
  return new Promise((resolve, reject) => {
    const awaited = deadlines.begin(() => reject(new ApiError('gatewayTimeout')));
    context.ingress.submit(command).then(
      (outcome) => {
        deadlines.end(awaited);
        resolve(outcome);
      },
      (error: unknown) => {
        deadlines.end(awaited);
        reject(submitError(error));
      },
    );
  });
}
