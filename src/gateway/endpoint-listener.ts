import type { ServerResponse } from 'node:http';
import { wireLimits } from '#api/limits.ts';
import type { Answer } from '#gateway/answer.ts';
import type { Call } from '#gateway/call.ts';
import type { Gateway } from '#gateway/gateway.ts';
import type { IncomingRequest } from '#gateway/incoming-request.ts';
import { receiveCall } from '#gateway/receive-call.ts';
import type { HandlersById } from '#gateway/serve-call.ts';
import { admitCall, refuseCall, serveCall } from '#gateway/serve-call.ts';
import { announcedBytes, checkTransport, leavesBody } from '#gateway/transport-check.ts';
import { TransportError } from '#gateway/transport-error.ts';
import { writeAnswer } from '#gateway/write-answer.ts';

const { bodyBytes } = wireLimits.request;

/**
 * Answers requests to endpoints: transport limits, then the stages that need headers only, before the body is read;
 * then the rest. `isClosing`: answers close their connections from now on.
 */
export function endpointListener(
  gateway: Gateway,
  handlers: HandlersById,
  isClosing: () => boolean,
): (raw: IncomingRequest, response: ServerResponse) => void {
  const serve = (call: Call, response: ServerResponse): void => {
    const answer = serveCall(call, gateway, handlers);
    if (answer instanceof Promise) void answer.then((late) => writeAnswer(response, call, late, isClosing()));
    else writeAnswer(response, call, answer, isClosing());
  };
  const refuse = (call: Call, response: ServerResponse, error: unknown): void =>
    writeAnswer(response, call, refuseCall(call, gateway, error), isClosing());
  const goOn = (call: Call, raw: IncomingRequest, response: ServerResponse, refusal: Answer | null): void => {
    if (refusal !== null) {
      writeAnswer(response, call, refusal, isClosing() || leavesBody(raw));
      return;
    }
    const announced = announcedBytes(raw);
    if (announced === 0) {
      raw.leaveUnread();
      serve(call, response);
    } else if (raw.method === 'GET') {
      serve(call, response);
    } else if (announced > bodyBytes) {
      refuse(call, response, new TransportError('bodyTooLarge'));
    } else {
      raw.gather(bodyBytes, (body) => {
        if (body instanceof Error) refuse(call, response, new TransportError('malformedRequest'));
        else if (body === null) refuse(call, response, new TransportError('bodyTooLarge'));
        else {
          call.body = body;
          serve(call, response);
        }
      });
    }
  };
  return (raw, response) => {
    const call = receiveCall(gateway, raw);
    const fault = checkTransport(raw);
    if (fault !== null) {
      writeAnswer(response, call, refuseCall(call, gateway, fault), true);
      return;
    }
    const admission = admitCall(call, gateway);
    if (admission instanceof Promise) void admission.then((refusal) => goOn(call, raw, response, refusal));
    else goOn(call, raw, response, admission);
  };
}
