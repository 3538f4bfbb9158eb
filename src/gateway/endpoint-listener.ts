import type { ServerResponse } from 'node:http';
import type { Answer } from '#gateway/answer.ts';
import { plainBodyBounds } from '#gateway/body-bounds.ts';
import type { Call } from '#gateway/call.ts';
import type { Gateway } from '#gateway/gateway.ts';
import type { IncomingRequest } from '#gateway/incoming-request.ts';
import { receiveCall } from '#gateway/receive-call.ts';
import type { HandlersById } from '#gateway/serve-call.ts';
import { admitCall, admitReader, refuseCall, serveCall } from '#gateway/serve-call.ts';
import { announcedBytes, checkTransport, leavesBody } from '#gateway/transport-check.ts';
import { TransportError } from '#gateway/transport-error.ts';
import { writeAnswer, writePreflight } from '#gateway/write-answer.ts';

const bodyBytesMaxOf = (call: Call): number => (call.plan?.bodyBounds ?? plainBodyBounds).bytes;

/** Whether a request means a signed endpoint; what means none is as public as its answer. */
const isSignedRoute = ({ request }: Call, gateway: Gateway): boolean =>
  gateway.routes.find(request.method, request.path)?.isSigned === true;

/**
 * Answers a browser that asks whether a page may send: for every known path, at no cost, to whoever is neither banned
 * nor denied. False: the request is to be answered like any other. DEC-REQ-50.
 */
function answerPreflight(
  gateway: Gateway,
  call: Call,
  raw: IncomingRequest,
  response: ServerResponse,
  closes: boolean,
): boolean {
  const { path } = call.request;
  const methods = gateway.routes.methodsOf(path);
  if (methods === undefined) return false;
  const isLast = closes || announcedBytes(raw) !== 0;
  const refusal = admitReader(call, gateway);
  if (refusal !== null) {
    writeAnswer(response, call, refusal, isLast);
    return true;
  }
  const asked = raw.headers['access-control-request-method'];
  const plan = gateway.routes.find(asked ?? '', path) ?? gateway.routes.find(methods[0] as string, path);
  const { origin } = raw.headers;
  gateway.unrouted.add(204, 0);
  writePreflight(response, gateway.crossOrigin.preflightHeaders(origin, plan?.isSigned === true, methods), isLast);
  return true;
}

/**
 * Answers requests to endpoints: transport limits, then the stages that need headers only, before the body is read;
 * then the rest. A body that is larger than its endpoint takes is not read. `isClosing`: answers close their
 * connections from now on.
 */
export function endpointListener(
  gateway: Gateway,
  handlers: HandlersById,
  isClosing: () => boolean,
): (raw: IncomingRequest, response: ServerResponse) => void {
  const serve = (call: Call, response: ServerResponse, leavesUnread = false): void => {
    const send = (answer: Answer): void => writeAnswer(response, call, answer, leavesUnread || isClosing());
    const answer = serveCall(call, gateway, handlers);
    if (answer instanceof Promise) void answer.then(send);
    else send(answer);
  };
  const refuse = (call: Call, response: ServerResponse, error: unknown): void =>
    writeAnswer(response, call, refuseCall(call, gateway, error), isClosing());
  const serveWithBody = (call: Call, raw: IncomingRequest, response: ServerResponse): void => {
    const bodyBytesMax = bodyBytesMaxOf(call);
    if (call.bodyBytes > bodyBytesMax) {
      refuse(call, response, new TransportError('bodyTooLarge'));
      return;
    }
    raw.gather(bodyBytesMax, (body) => {
      call.bodyBytes = raw.gatheredBytes;
      if (body instanceof Error) refuse(call, response, new TransportError('malformedRequest'));
      else if (body === null) refuse(call, response, new TransportError('bodyTooLarge'));
      else {
        call.body = body;
        serve(call, response);
      }
    });
  };
  const goOn = (call: Call, raw: IncomingRequest, response: ServerResponse, refusal: Answer | null): void => {
    if (refusal !== null) {
      writeAnswer(response, call, refusal, isClosing() || leavesBody(raw, bodyBytesMaxOf(call)));
    } else if (announcedBytes(raw) === 0) {
      raw.leaveUnread();
      serve(call, response);
    } else if (raw.method === 'GET') {
      // It may have no body: what one costs is an answer, not the reading.
      serve(call, response, leavesBody(raw));
    } else serveWithBody(call, raw, response);
  };
  return (raw, response) => {
    const call = receiveCall(gateway, raw);
    const { origin } = raw.headers;
    if (origin !== undefined)
      call.crossOrigin = gateway.crossOrigin.answerHeaders(origin, isSignedRoute(call, gateway));
    const fault = checkTransport(raw);
    if (fault !== null) {
      writeAnswer(response, call, refuseCall(call, gateway, fault), true);
      return;
    }
    if (raw.method === 'OPTIONS' && answerPreflight(gateway, call, raw, response, isClosing())) return;
    call.bodyBytes = announcedBytes(raw) || 0;
    const admission = admitCall(call, gateway);
    if (admission instanceof Promise) void admission.then((refusal) => goOn(call, raw, response, refusal));
    else goOn(call, raw, response, admission);
  };
}
