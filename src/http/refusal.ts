import { ApiError, errors, transportErrors, TransportError } from '#http/errors.ts';
import { chargeRefusedBytes } from '#http/charge-address.ts';
import type { HttpLog } from '#http/http-settings.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { RequestContext } from '#http/request-context.ts';
import { jsonType } from '#http/fixed-headers.ts';

/** A response: status and JSON body. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Why a request is refused: an error of the API or of the transport. */
export type Refusal = ApiError | TransportError;

/** Statuses from here on are faults of the server. */
const serverErrors = 500;

/** Converts anything thrown into a refusal; an unexpected error is logged with `fields` and answered as 500. */
export function refusalOf(error: unknown, log: HttpLog, fields: object): Refusal {
  if (error instanceof ApiError || error instanceof TransportError) return error;
  log.error({ err: error, ...fields }, 'a request failed unexpectedly');
  return new ApiError('internalError');
}

/** HTTP status of a refusal. */
const statusOf = (refusal: Refusal): number =>
  refusal instanceof ApiError ? errors[refusal.errorName].http : transportErrors[refusal.errorName].http;

/**
 * Charges the address of a refused request: the firewall counts malformed and unrouted requests, and the bytes sent
 * cost weight unless the server is at fault.
 */
export function chargeRefusal(request: RequestContext, limits: RateLimits, refusal: Refusal): void {
  if (refusal instanceof TransportError && refusal.errorName !== 'banned') {
    limits.countFault(request.client, request.receivedInWindow);
  }
  if (statusOf(refusal) < serverErrors) chargeRefusedBytes(request);
}

/** A response with code and message: the form of errors everywhere but on the futures side. */
export const errorAnswer = (status: number, code: number, text: string): Answer => ({
  status,
  text: JSON.stringify({ code, msg: text }),
});

/** The response for a refusal. */
export function refusalAnswer(refusal: Refusal): Answer {
  if (refusal instanceof ApiError) {
    const { http, code } = errors[refusal.errorName];
    return errorAnswer(http, code, refusal.text);
  }
  const { http, code, message } = transportErrors[refusal.errorName];
  return errorAnswer(http, code, message);
}

/** A response to a failed request, with its content type and the name of its error or problem. */
export interface FailureAnswer extends Answer {
  readonly contentType: string;
  readonly name: string;
}

/** What the answer to a failed request is made with. */
export interface FailureParts {
  readonly limits: RateLimits;
  readonly log: HttpLog;
}

/** Charges the address of a failed request and words the answer. `error`: anything thrown. */
export type AnswerFailure = (error: unknown, request: RequestContext, parts: FailureParts) => FailureAnswer;

/** Answers code and message. */
export const answerWithCode: AnswerFailure = (error, request, { limits, log }) => {
  const refusal = refusalOf(error, log, { route: request.routePath });
  chargeRefusal(request, limits, refusal);
  return { ...refusalAnswer(refusal), contentType: jsonType, name: refusal.errorName };
};
