import { ApiError } from '#http/errors.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { RequestContext } from '#http/request-context.ts';
import { TransportError } from '#http/transport-error.ts';

/**
 * Refuses requests of banned and denied addresses.
 * @throws TransportError 418 for banned addresses, ApiError 403 for those that the firewall denies; with Retry-After.
 */
export function checkAddress(request: RequestContext, limits: RateLimits): void {
  const refusal = limits.refusalOf(request.client, request.receivedMonotonic);
  if (refusal === null) return;
  request.isLast = true;
  request.retryAfterSeconds = refusal.retryAfterSeconds;
  throw refusal.why === 'banned' ? new TransportError('banned') : new ApiError('accessDenied');
}
