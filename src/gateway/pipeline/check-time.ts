import { ApiError, invalidParameter } from '#api/errors.ts';
import { wireLimits } from '#api/limits.ts';
import type { EndpointRequest } from '#gateway/endpoint-request.ts';
import type { RequestParameters } from '#gateway/pipeline/parameters.ts';

const { signing } = wireLimits;
const wholePattern = /^(?:0|[1-9]\d{0,14})$/;

/**
 * Checks the timestamp of a signed request against the time when its headers were complete: 10073, 33333, 700005,
 * 700003. SPEC-CNV-12, DEC-REQ-17.
 */
export function checkTime(request: EndpointRequest): void {
  const { values } = request.parameters as RequestParameters;
  const { timestamp, recvWindow } = values;
  if (timestamp === undefined || !wholePattern.test(timestamp)) {
    throw new ApiError('invalidRequestTime', { parameter: 'timestamp', why: 'must be whole milliseconds since 1970' });
  }
  let windowMs: number = signing.recvWindowDefaultMs;
  if (recvWindow !== undefined) {
    if (!wholePattern.test(recvWindow)) throw invalidParameter('recvWindow', 'must be whole milliseconds');
    windowMs = Number(recvWindow);
    if (windowMs >= signing.recvWindowBelowMs) throw new ApiError('recvWindowTooLarge');
  }
  const madeAt = Number(timestamp);
  const now = request.receivedAt;
  if (madeAt >= now + signing.aheadBelowMs || now - madeAt > windowMs) throw new ApiError('timestampOutsideWindow');
}
