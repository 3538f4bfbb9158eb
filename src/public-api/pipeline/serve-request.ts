import { ApiError } from '#http/errors.ts';
import { parseRequest } from '#public-api/declaration/request.ts';
import { endpointRefusal, successAnswer } from '#public-api/pipeline/answer.ts';
import type { Caller, EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { AnyHandler } from '#public-api/handlers.ts';
import type { RequestParameters } from '#public-api/pipeline/parameters.ts';
import { checkBody, checkHeaders } from '#public-api/pipeline/stages.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import { HistoryUnavailable } from '#history/history-store.ts';
import { checkAddress } from '#http/charge-address.ts';
import { type Answer, chargeRefusal, refusalOf } from '#http/refusal.ts';

/** Handlers by endpoint id, as the pipeline calls them. */
export type HandlersById = Readonly<Record<string, AnyHandler>>;

/** Handlers with `drafts` read their parameters themselves, because order refusals have their own precedence. */
const noParameters = {};

/** Translates an unavailable history to 503; other errors stay as they are. */
function translateHistoryError(error: unknown, endpoint: string | null, { context }: Gateway): unknown {
  if (!(error instanceof HistoryUnavailable)) return error;
  context.log.warn({ err: error, endpoint }, 'history cannot answer');
  return new ApiError('serviceUnavailable');
}

/** Ends a request with the response for an error of any kind. */
export function refuseRequest(request: EndpointRequest, gateway: Gateway, error: unknown): Answer {
  const endpoint = request.route?.id ?? null;
  const refusal = refusalOf(translateHistoryError(error, endpoint, gateway), gateway.context.log, { endpoint });
  chargeRefusal(request, gateway.limits, refusal);
  return finish(request, gateway, endpointRefusal(refusal, request), refusal.errorName);
}

/** Counts the answer of a request, which is in flight no more. */
export function finish(request: EndpointRequest, gateway: Gateway, answer: Answer, refusal: string | null): Answer {
  if (request.isInFlight && request.account !== null) gateway.endpointLimits.inFlight.leave(request.account.account);
  request.isInFlight = false;
  request.refusal = refusal;
  const durationMs = gateway.context.monotonic.now() - request.receivedMonotonic;
  (request.route?.counts ?? gateway.unrouted).add(answer.status, durationMs, refusal);
  return answer;
}

/** Runs the checks that need headers only. `null`: continue with the body; else the response. */
export function admitRequest(request: EndpointRequest, gateway: Gateway): Answer | null | Promise<Answer | null> {
  try {
    const waiting = checkHeaders(request, gateway);
    if (waiting === undefined) return null;
    return waiting.then(
      () => null,
      (error: unknown) => refuseRequest(request, gateway, error),
    );
  } catch (error) {
    return refuseRequest(request, gateway, error);
  }
}

/** Checks a preflight request: neither banned nor denied. `null`: continue; else the response. */
export function admitPreflight(request: EndpointRequest, gateway: Gateway): Answer | null {
  try {
    checkAddress(request, gateway.limits);
    return null;
  } catch (error) {
    return refuseRequest(request, gateway, error);
  }
}

/** Serves an admitted request whose body was read; synchronously if nothing has to be awaited. Never throws. */
export function serveRequest(
  request: EndpointRequest,
  gateway: Gateway,
  handlers: HandlersById,
): Answer | Promise<Answer> {
  try {
    const waiting = checkBody(request, gateway);
    if (waiting === undefined) return handleRequest(request, gateway, handlers);
    return waiting.then(
      () => handleRequest(request, gateway, handlers),
      (error: unknown) => refuseRequest(request, gateway, error),
    );
  } catch (error) {
    return refuseRequest(request, gateway, error);
  }
}

function handleRequest(request: EndpointRequest, gateway: Gateway, handlers: HandlersById): Answer | Promise<Answer> {
  try {
    const { endpoint, id, readsHistory } = request.route as Route;
    const parameters = (request.parameters as RequestParameters).values;
    const parsed = endpoint.drafts === true ? noParameters : parseRequest(endpoint, parameters);
    const caller: Caller | null =
      request.account === null || request.key === null ? null : { account: request.account, key: request.key };
    const handler = handlers[id] as AnyHandler;
    const answering = readsHistory
      ? gateway.endpointLimits.access.reads.run(request, async () => handler(parsed, caller, request))
      : handler(parsed, caller, request);
    if (!(answering instanceof Promise)) return succeed(request, gateway, answering);
    return answering.then(
      (answered) => succeed(request, gateway, answered),
      (error: unknown) => refuseRequest(request, gateway, error),
    );
  } catch (error) {
    return refuseRequest(request, gateway, error);
  }
}

function succeed(request: EndpointRequest, gateway: Gateway, answered: unknown): Answer {
  const { envelope } = (request.route as Route).endpoint;
  let answer: Answer;
  try {
    answer = successAnswer(envelope, answered, gateway.context.clock.now());
  } catch (error) {
    return refuseRequest(request, gateway, error);
  }
  return finish(request, gateway, answer, null);
}
