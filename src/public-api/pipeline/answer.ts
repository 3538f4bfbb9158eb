import { type FailureForm, failureBody, failureFormOf } from '#public-api/documents/failures.ts';
import type { AnyEndpoint, Envelope } from '#public-api/declaration/endpoint.ts';
import {
  type TransportErrorName,
  type ApiError,
  errors,
  futuresErrors,
  futuresErrorNames,
  transportErrors,
  TransportError,
} from '#http/errors.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import { JsonText } from '#public-api/handlers.ts';
import type { Answer, Refusal } from '#http/refusal.ts';

/** The response of a handler in its envelope (`api/endpoint.ts`). */
export function successAnswer(envelope: Envelope, answer: unknown, now: number): Answer {
  const data = answer instanceof JsonText ? answer.text : JSON.stringify(answer);
  return { status: 200, text: wrapped(envelope, data, now) };
}

function wrapped(envelope: Envelope, data: string, now: number): string {
  switch (envelope) {
    case 'bare':
      return data;
    case 'codeDataMsg':
      return `{"code":200,"data":${data},"msg":null}`;
    case 'codeDataMsgTimestamp':
      return `{"data":${data},"code":0,"msg":"success","timestamp":${now}}`;
    case 'group':
      return `{"data":${data},"code":200,"msg":"success","timestamp":${now}}`;
    case 'broker':
      return `{"code":"0","message":"","data":${data}}`;
    case 'affiliatePage':
      return `{"success":true,"code":0,"message":null,"data":${data}}`;
    case 'futures':
      return `{"success":true,"code":0,"data":${data}}`;
  }
}

const failureAnswer = (status: number, form: FailureForm, code: number, text: string): Answer => ({
  status,
  text: JSON.stringify(failureBody(form, code, text)),
});

/** A failure of any kind, in the form of an endpoint. */
export const endpointFailure = (endpoint: AnyEndpoint, status: number, code: number, text: string): Answer =>
  failureAnswer(status, failureFormOf(endpoint), code, text);

/** Whether a path belongs to the futures side, even if nothing is served at it. DEC-REQ-46. */
const isFuturesPath = (path: string): boolean => path === '/api/v1' || path.startsWith('/api/v1/');

/** Errors about path and method: on the futures side they have its envelope, like all its errors. */
const routeErrors: ReadonlySet<TransportErrorName> = new Set(['unknownPath', 'methodNotAllowed']);

/** The response for a refusal, in the envelope of the requested side and endpoint. */
export function endpointRefusal(refusal: Refusal, { route, path }: EndpointRequest): Answer {
  if (refusal instanceof TransportError) {
    const { http, code, message } = transportErrors[refusal.errorName];
    const isFutures = routeErrors.has(refusal.errorName) && isFuturesPath(path);
    return failureAnswer(http, isFutures ? 'futures' : 'code', code, message);
  }
  if (route === null && refusal.errorName === 'tooManyRequests' && isFuturesPath(path)) return futuresRefusal(refusal);
  const form = route === null ? 'code' : failureFormOf(route.endpoint);
  if (form === 'futures') return futuresRefusal(refusal);
  const { code, http } = errors[refusal.errorName];
  return failureAnswer(http, form, code, refusal.text);
}

/** Errors of parameters keep their text; others have the texts of the futures side. DEC-FUT-06. */
function futuresRefusal(error: ApiError): Answer {
  const name = futuresErrorNames[error.errorName] ?? 'badParameter';
  const { code, http, message } = futuresErrors[name];
  return failureAnswer(http, 'futures', code, name === 'badParameter' ? error.text : message);
}
