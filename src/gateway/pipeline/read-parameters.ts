import { ApiError } from '#api/errors.ts';
import type { Call } from '#gateway/call.ts';
import type { EndpointPlan } from '#gateway/endpoint-plan.ts';
import { readParameters } from '#gateway/parameters.ts';
import { TransportError } from '#gateway/transport-error.ts';

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  value === undefined || typeof value === 'string' ? value : value.join(',');

/** Whether a request announces a body, which a GET may not have. */
function announcesBody(call: Call): boolean {
  const { headers } = call.request;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Reads query and body: 415, 413, 33333, 700008. */
export function readCallParameters(call: Call): void {
  const plan = call.plan as EndpointPlan;
  const { headers, query, method } = call.request;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new TransportError('contentTypeNotSupported');
  if (method === 'GET' && announcesBody(call)) throw new ApiError('invalidParameter', { why: 'a GET has no body' });
  call.parameters = readParameters({
    query,
    body: call.body,
    contentType: textOf(headers['content-type']),
    isSigned: plan.isSigned,
    known: plan.known,
    arrays: plan.arrays,
    bounds: plan.bodyBounds,
  });
}
