import { ApiError, invalidParameter } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import type { EndpointRequest } from '#public-api/pipeline/endpoint-request.ts';
import type { Gateway } from '#public-api/gateway.ts';
import type { EndpointLimits } from '#public-api/pipeline/endpoint-limits.ts';
import type { Route } from '#public-api/pipeline/route.ts';
import type { RequestParameters } from '#public-api/pipeline/parameters.ts';

const { signing } = wireLimits;
const wholePattern = /^(?:0|[1-9]\d{0,14})$/;
/** However long it is: what is too large is told so. */
const windowPattern = /^(?:0|[1-9]\d*)$/;

/**
 * Checks the timestamp of a signed request against the time when its headers were complete: 10073, 33333, 700005,
 * 700003. SPEC-CNV-12, DEC-REQ-17.
 */
export function checkTime(request: EndpointRequest, { endpointLimits }: Gateway): void {
  const { values } = request.parameters as RequestParameters;
  const { timestamp, recvWindow } = values;
  if (timestamp === undefined || !wholePattern.test(timestamp)) {
    throw new ApiError('invalidRequestTime', { parameter: 'timestamp', why: 'must be whole milliseconds since 1970' });
  }
  let windowMs: number = signing.recvWindowDefaultMs;
  if (recvWindow !== undefined) {
    if (!windowPattern.test(recvWindow)) throw invalidParameter('recvWindow', 'must be whole milliseconds');
    windowMs = Number(recvWindow);
    if (windowMs >= signing.recvWindowBelowMs) throw new ApiError('recvWindowTooLarge');
  }
  const madeAt = Number(timestamp);
  const now = request.receivedAt;
  if (madeAt >= now + signing.aheadBelowMs || now - madeAt > windowMs) throw new ApiError('timestampOutsideWindow');
  if (endpointLimits.signatureReuse.guards(request.route as Route) && isFromBefore(request, endpointLimits, madeAt)) {
    throw new ApiError('timestampOutsideWindow', { why: 'it is from before this server was started' });
  }
}

/**
 * Whether a request may have been served by a process before this one, whose memory of signatures is lost. Where the
 * exchange's clock was set back since, the start is as long ago as it was. DEC-REQ-15.
 */
function isFromBefore(request: EndpointRequest, { servingSince }: EndpointLimits, madeAt: number): boolean {
  const elapsed = request.receivedMonotonic - servingSince.monotonic;
  return madeAt < Math.min(servingSince.at, request.receivedAt - elapsed);
}
