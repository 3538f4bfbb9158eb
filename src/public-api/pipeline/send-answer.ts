import type { ServerResponse } from 'node:http';
import type { Answer } from '#http/refusal.ts';
import { writeAnswer } from '#http/write-answer.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';

/** Sends an answer that nothing touched, and shows it to a sandbox's log. `closes`: the connection closes. */
export function sendAnswer(
  response: ServerResponse,
  request: EndpointRequest,
  gateway: Gateway,
  answer: Answer,
  closes: boolean,
): void {
  writeAnswer(response, request, answer, closes);
  const { requestObserver: observer } = gateway.context;
  if (observer?.isOn === true) observer.answered(request, { ...answer, cutAfter: null, fault: null, carriedOut: null });
}
