import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainBodyBounds } from '#public-api/pipeline/body-bounds.ts';
import { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Gateway } from '#public-api/gateway.ts';
import {
  type HandlersById,
  admitPreflight,
  admitRequest,
  refuseRequest,
  serveRequest,
} from '#public-api/pipeline/serve-request.ts';
import { sendAnswer } from '#public-api/pipeline/send-answer.ts';
import { interceptionOf, serveTouched } from '#public-api/pipeline/serve-touched.ts';
import type { Listener } from '#http/node-server.ts';
import { readBody } from '#http/read-body.ts';
import type { Answer } from '#http/refusal.ts';
import { announcedBytes, checkTransport, leavesBody } from '#http/transport-check.ts';
import { TransportError } from '#http/errors.ts';
import { writePreflight } from '#http/write-answer.ts';

const bodyBytesMaxOf = ({ route }: EndpointRequest): number => (route?.bodyBounds ?? plainBodyBounds).bytes;

/** Whether a request is for a signed endpoint; unknown endpoints count as public. */
const isSignedRoute = ({ method, path }: EndpointRequest, gateway: Gateway): boolean =>
  gateway.routes.find(method, path)?.isSigned === true;

/**
 * Answers a CORS preflight request: for every known path, without weight, to every address that is not banned or
 * denied. Returns false for an unknown path: the request is then handled like any other. DEC-REQ-50.
 */
function answerPreflight(
  gateway: Gateway,
  request: EndpointRequest,
  raw: IncomingMessage,
  response: ServerResponse,
  closes: boolean,
): boolean {
  const { path } = request;
  const methods = gateway.routes.methodsOf(path);
  if (methods === undefined) return false;
  const isLast = closes || announcedBytes(raw) !== 0;
  const refusal = admitPreflight(request, gateway);
  if (refusal !== null) {
    sendAnswer(response, request, gateway, refusal, isLast);
    return true;
  }
  const asked = raw.headers['access-control-request-method'];
  const route = gateway.routes.find(asked ?? '', path) ?? gateway.routes.find(methods[0] as string, path);
  const { origin } = raw.headers;
  gateway.unrouted.add(204, 0, null);
  writePreflight(response, gateway.crossOrigin.preflightHeaders(origin, route?.isSigned === true, methods), isLast);
  return true;
}

/**
 * Answers requests to endpoints without the framework: transport limits, then the stages that need headers only, then
 * the body and the other stages. A body that is too large for its endpoint is not read. `isClosing`: whether responses
 * now close their connections.
 */
export function endpointListener(gateway: Gateway, handlers: HandlersById, isClosing: () => boolean): Listener {
  const serve = (request: EndpointRequest, response: ServerResponse, leavesUnread = false): void => {
    const closes = (): boolean => leavesUnread || isClosing();
    const interception = interceptionOf(request, gateway);
    if (interception !== null) {
      const serveUsually = (): Answer | Promise<Answer> => serveRequest(request, gateway, handlers);
      void serveTouched(interception, { request, response, gateway, serve: serveUsually, closes });
      return;
    }
    const send = (answer: Answer): void => sendAnswer(response, request, gateway, answer, closes());
    const answer = serveRequest(request, gateway, handlers);
    if (answer instanceof Promise) void answer.then(send);
    else send(answer);
  };
  const refuse = (request: EndpointRequest, response: ServerResponse, error: unknown): void =>
    sendAnswer(response, request, gateway, refuseRequest(request, gateway, error), isClosing());
  const serveWithBody = (request: EndpointRequest, raw: IncomingMessage, response: ServerResponse): void => {
    const bodyBytesMax = bodyBytesMaxOf(request);
    if (request.bodyBytes > bodyBytesMax) {
      refuse(request, response, new TransportError('bodyTooLarge'));
      return;
    }
    readBody(raw, bodyBytesMax, (body, bytes) => {
      request.bodyBytes = bytes;
      if (body instanceof Error) refuse(request, response, new TransportError('malformedRequest'));
      else if (body === null) refuse(request, response, new TransportError('bodyTooLarge'));
      else {
        request.body = body;
        serve(request, response);
      }
    });
  };
  const continueRequest = (
    request: EndpointRequest,
    raw: IncomingMessage,
    response: ServerResponse,
    refusal: Answer | null,
  ): void => {
    if (refusal !== null) {
      sendAnswer(response, request, gateway, refusal, isClosing() || leavesBody(raw, bodyBytesMaxOf(request)));
    } else if (announcedBytes(raw) === 0) serve(request, response);
    // A GET must not have a body: it is refused without reading it.
    else if (raw.method === 'GET') serve(request, response, leavesBody(raw));
    else serveWithBody(request, raw, response);
  };
  return (raw, response) => {
    const request = new EndpointRequest(raw, gateway);
    const { origin } = raw.headers;
    if (origin !== undefined) {
      request.answerHeaders.push(...gateway.crossOrigin.answerHeaders(origin, isSignedRoute(request, gateway)));
    }
    const fault = checkTransport(raw);
    if (fault !== null) {
      sendAnswer(response, request, gateway, refuseRequest(request, gateway, fault), true);
      return;
    }
    if (raw.method === 'OPTIONS' && answerPreflight(gateway, request, raw, response, isClosing())) return;
    request.bodyBytes = announcedBytes(raw) || 0;
    const checked = admitRequest(request, gateway);
    if (checked instanceof Promise) void checked.then((refusal) => continueRequest(request, raw, response, refusal));
    else continueRequest(request, raw, response, checked);
  };
}
