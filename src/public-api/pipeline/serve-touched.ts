import type { ServerResponse } from 'node:http';
import { cutSocket } from '#base/cut-socket.ts';
import { type Delivery, faultHeader, type Interception } from '#http/request-interception.ts';
import type { Answer } from '#http/refusal.ts';
import { writeAnswer, writeCutAnswer } from '#http/write-answer.ts';
import type { Gateway } from '#public-api/gateway.ts';
import { endpointFailure } from '#public-api/pipeline/answer.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import { namedPairs } from '#public-api/pipeline/named-pairs.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import { finish, refuseRequest } from '#public-api/pipeline/serve-request.ts';

/** How a sandbox serves this request instead of as usual; `null`: as usual. DEC-KIT-20. */
export function interceptionOf(
  request: EndpointRequest,
  { context: { requestInterceptor: interceptor } }: Gateway,
): Interception | null {
  if (interceptor === undefined || !interceptor.isArmed || request.route === null) return null;
  const { method, path, query, bodyBytes, key } = request;
  let pairs: readonly string[] | null = null;
  return interceptor.intercept({
    ...{ method, path, query, bodyBytes },
    accessKey: key?.accessKey ?? null,
    account: key?.account ?? null,
    // Read once, however many rules ask.
    pairs: () => (pairs ??= namedPairs(request)),
  });
}

/** Where a touched answer goes. */
export interface TouchedParts {
  readonly request: EndpointRequest;
  readonly response: ServerResponse;
  readonly gateway: Gateway;
  /** Carries the request out as usual. */
  readonly serve: () => Answer | Promise<Answer>;
  /** Whether the connection closes behind the answer. */
  readonly closes: () => boolean;
}

/** Serves a request as an interception says. The answer tells in a header which fault touched it. DEC-KIT-21. */
export async function serveTouched(interception: Interception, parts: TouchedParts): Promise<void> {
  const { request, gateway, serve } = parts;
  request.isCacheable = false;
  request.answerHeaders.push(faultHeader, interception.fault);
  let carriedOut: number | null = null;
  const serveOnce = async (): Promise<Answer> => {
    request.receivedAt = gateway.context.clock.now();
    const answer = await serve();
    carriedOut = answer.status;
    return answer;
  };
  let delivery: Delivery;
  try {
    delivery = await interception.deliver(serveOnce);
  } catch (error) {
    const answer = refuseRequest(request, gateway, error);
    carriedOut = answer.status;
    delivery = { kind: 'answer', answer, cutAfter: null };
  }
  const sent = deliver(delivery, parts);
  // What was carried out is counted as what it answered, whatever the client got of it.
  if (carriedOut === null && sent !== null) finish(request, gateway, sent, null);
  const { requestObserver: observer } = gateway.context;
  if (observer?.isOn !== true) return;
  const cutAfter = delivery.kind === 'answer' ? delivery.cutAfter : null;
  const { status, text } = sent ?? { status: null, text: '' };
  observer.answered(request, { status, text, cutAfter, fault: interception.fault, carriedOut });
}

/** Sends what a client gets; `null`: it gets nothing. */
function deliver(delivery: Delivery, { request, response, closes }: TouchedParts): Answer | null {
  switch (delivery.kind) {
    case 'nothing':
      cutSocket(response.req.socket);
      return null;
    case 'failure': {
      const { status, code, message, retryAfterSeconds } = delivery;
      const failure = endpointFailure((request.route as Route).endpoint, status, code, message);
      request.retryAfterSeconds = retryAfterSeconds;
      writeAnswer(response, request, failure, closes());
      return failure;
    }
    case 'answer': {
      const { answer, cutAfter } = delivery;
      if (cutAfter === null) writeAnswer(response, request, answer, closes());
      else writeCutAnswer(response, request, answer, cutAfter);
      return answer;
    }
  }
}
