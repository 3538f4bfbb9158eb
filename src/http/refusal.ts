import { ApiError, errors, transportErrors } from '#api/errors.ts';
import { chargeRefusedBytes } from '#http/charge-address.ts';
import type { HttpLog } from '#http/http-settings.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { RequestContext } from '#http/request-context.ts';
import { TransportError } from '#http/transport-error.ts';

/** What goes back: a status and a body of JSON. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Why a request is not served: by an error of the API, or by one of the transport. */
export type Refusal = ApiError | TransportError;

/** From here on a status says that the server could not, whatever was asked. */
const serverErrors = 500;

/** Turns whatever was thrown into a refusal; what nobody expected is logged with `fields` and answered as 500. */
export function refusalOf(error: unknown, log: HttpLog, fields: object): Refusal {
  if (error instanceof ApiError || error instanceof TransportError) return error;
  log.error({ err: error, ...fields }, 'a request failed unexpectedly');
  return new ApiError('internalError');
}

/** HTTP status of a refusal. */
const statusOf = (refusal: Refusal): number =>
  refusal instanceof ApiError ? errors[refusal.errorName].http : transportErrors[refusal.errorName].http;

/**
 * Has the address of a refused request bear it: the firewall counts requests that are malformed or go nowhere, and
 * bytes sent in vain cost weight, unless the fault was the server's.
 */
export function chargeRefusal(request: RequestContext, limits: RateLimits, refusal: Refusal): void {
  if (refusal instanceof TransportError && refusal.errorName !== 'banned') {
    limits.countFault(request.client, request.receivedMonotonic);
  }
  if (statusOf(refusal) < serverErrors) chargeRefusedBytes(request);
}

/** A body that says code and reason: the shape of errors everywhere but on the futures side. */
export const errorAnswer = (status: number, code: number, text: string): Answer => ({
  status,
  text: JSON.stringify({ code, msg: text }),
});

/** The answer of a refusal. */
export function refusalAnswer(refusal: Refusal): Answer {
  if (refusal instanceof ApiError) {
    const { http, code } = errors[refusal.errorName];
    return errorAnswer(http, code, refusal.text);
  }
  const { http, code, message } = transportErrors[refusal.errorName];
  return errorAnswer(http, code, message);
}
