import { ApiError, errors, transportErrors } from '#api/errors.ts';
import { parseRequest } from '#api/request.ts';
import type { Answer } from '#gateway/answer.ts';
import { refusalAnswer, successAnswer } from '#gateway/answer.ts';
import type { Call, Caller } from '#gateway/call.ts';
import type { EndpointPlan } from '#gateway/endpoint-plan.ts';
import type { Gateway } from '#gateway/gateway.ts';
import type { AnyHandler } from '#gateway/handlers.ts';
import type { RequestParameters } from '#gateway/parameters.ts';
import { refuseBanned } from '#gateway/pipeline/refuse-banned.ts';
import { spendOnRefusal } from '#gateway/pipeline/spend-address-budget.ts';
import { checkBody, checkHeaders } from '#gateway/pipeline/stages.ts';
import { TransportError } from '#gateway/transport-error.ts';
import { HistoryUnavailable } from '#history/history-store.ts';

/** Handlers by endpoint id, as the pipeline calls them. */
export type HandlersById = Readonly<Record<string, AnyHandler>>;

/** Drafting handlers read their parameters themselves, in the precedence of order refusals. */
const nothingParsed = {};

/** Turns whatever was thrown into a refusal; what nobody expected is logged here and answered as 500. */
function refusalOf(error: unknown, call: Call, gateway: Gateway): ApiError | TransportError {
  if (error instanceof ApiError || error instanceof TransportError) return error;
  const { log } = gateway.context;
  const endpoint = call.plan?.id ?? null;
  if (error instanceof HistoryUnavailable) {
    log.warn({ err: error, endpoint }, 'history cannot answer');
    return new ApiError('serviceUnavailable');
  }
  log.error({ err: error, endpoint }, 'a request failed unexpectedly');
  return new ApiError('internalError');
}

/** From here on a status says that the server could not, whatever was asked. */
const serverErrors = 500;

const refusalStatus = (error: ApiError | TransportError): number =>
  error instanceof ApiError ? errors[error.errorName].http : transportErrors[error.errorName].http;

/** Counts what the firewall looks at: requests that are malformed or go nowhere. */
function countFault(error: ApiError | TransportError, call: Call, gateway: Gateway): void {
  if (!gateway.isLimited || !(error instanceof TransportError) || error.errorName === 'banned') return;
  gateway.admission.firewall.countFault(call.request.client, call.request.receivedMonotonic);
}

/** Ends a call with the answer of a refusal, whatever kind of error it was. */
export function refuseCall(call: Call, gateway: Gateway, error: unknown): Answer {
  const refusal = refusalOf(error, call, gateway);
  countFault(refusal, call, gateway);
  if (refusalStatus(refusal) < serverErrors) spendOnRefusal(call);
  return finish(call, gateway, refusalAnswer(refusal, call.plan, call.request.path));
}

function finish(call: Call, gateway: Gateway, answer: Answer): Answer {
  if (call.isInFlight && call.account !== null) gateway.admission.inFlight.leave(call.account.account);
  call.isInFlight = false;
  const durationMs = gateway.context.monotonic.now() - call.request.receivedMonotonic;
  (call.plan?.counts ?? gateway.unrouted).add(answer.status, durationMs);
  return answer;
}

/** Checks what the headers tell. `null`: the request may go on to its body; else its answer. */
export function admitCall(call: Call, gateway: Gateway): Answer | null | Promise<Answer | null> {
  try {
    const waiting = checkHeaders(call, gateway);
    if (waiting === undefined) return null;
    return waiting.then(
      () => null,
      (error: unknown) => refuseCall(call, gateway, error),
    );
  } catch (error) {
    return refuseCall(call, gateway, error);
  }
}

/** Checks who asks for a page that costs nothing: not banned, not denied. `null`: go on; else the answer. */
export function admitReader(call: Call, gateway: Gateway): Answer | null {
  try {
    refuseBanned(call, gateway);
    return null;
  } catch (error) {
    return refuseCall(call, gateway, error);
  }
}

/** Answers a call that was admitted, its body included; at once where nothing has to be waited for. Never throws. */
export function serveCall(call: Call, gateway: Gateway, handlers: HandlersById): Answer | Promise<Answer> {
  try {
    const waiting = checkBody(call, gateway);
    if (waiting === undefined) return handleCall(call, gateway, handlers);
    return waiting.then(
      () => handleCall(call, gateway, handlers),
      (error: unknown) => refuseCall(call, gateway, error),
    );
  } catch (error) {
    return refuseCall(call, gateway, error);
  }
}

function handleCall(call: Call, gateway: Gateway, handlers: HandlersById): Answer | Promise<Answer> {
  try {
    const { endpoint, id } = call.plan as EndpointPlan;
    const parameters = (call.parameters as RequestParameters).values;
    const request = endpoint.drafts === true ? nothingParsed : parseRequest(endpoint, parameters);
    const caller: Caller | null =
      call.account === null || call.key === null ? null : { account: call.account, key: call.key };
    const answering = (handlers[id] as AnyHandler)(request, caller, call);
    if (!(answering instanceof Promise)) return succeed(call, gateway, answering);
    return answering.then(
      (answered) => succeed(call, gateway, answered),
      (error: unknown) => refuseCall(call, gateway, error),
    );
  } catch (error) {
    return refuseCall(call, gateway, error);
  }
}

function succeed(call: Call, gateway: Gateway, answered: unknown): Answer {
  const { envelope } = (call.plan as EndpointPlan).endpoint;
  let answer: Answer;
  try {
    answer = successAnswer(envelope, answered, gateway.context.clock.now());
  } catch (error) {
    return refuseCall(call, gateway, error);
  }
  return finish(call, gateway, answer);
}
