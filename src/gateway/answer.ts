import type { Envelope } from '#api/endpoint.ts';
import type { ErrorName } from '#api/errors.ts';
import { type ApiError, errors, transportErrors } from '#api/errors.ts';
import type { EndpointPlan } from '#gateway/endpoint-plan.ts';
import { JsonText } from '#gateway/handlers.ts';
import { TransportError } from '#gateway/transport-error.ts';

/** What goes back: a status and a body of JSON. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Codes of the futures side; everything else it answers is a bad parameter. decisions.md section 8. */
const futuresCodes: Readonly<Partial<Record<ErrorName, number>>> = {
  tooManyRequests: 510,
  badSymbol: 1001,
  internalError: 500,
  serviceUnavailable: 501,
  gatewayTimeout: 500,
};
const futuresParameterError = 600;

/** Wraps what a handler answered. Envelopes: `api/endpoint.ts`. */
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

const spotError = (status: number, code: number, text: string): Answer => ({
  status,
  text: JSON.stringify({ code, msg: text }),
});

/** The answer of a refusal. The futures side answers 200 except when it limits. decisions.md sections 1 and 8. */
export function refusalAnswer(error: ApiError | TransportError, plan: EndpointPlan | null): Answer {
  if (error instanceof TransportError) {
    const { http, code, message } = transportErrors[error.errorName];
    return spotError(http, code, message);
  }
  const { http, code } = errors[error.errorName];
  const surface = plan?.endpoint.surface ?? 'spot';
  if (surface === 'spot') return envelopeError(plan, error) ?? spotError(http, code, error.text);
  const status = error.errorName === 'tooManyRequests' ? http : 200;
  const futuresCode = futuresCodes[error.errorName] ?? futuresParameterError;
  return { status, text: JSON.stringify({ success: false, code: futuresCode, message: error.text }) };
}

/** Affiliate pages carry failures in their own envelope. decisions.md section 6. */
function envelopeError(plan: EndpointPlan | null, error: ApiError): Answer | null {
  if (plan?.endpoint.envelope !== 'affiliatePage') return null;
  const { code, http } = errors[error.errorName];
  return { status: http, text: JSON.stringify({ success: false, code, message: error.text, data: null }) };
}
