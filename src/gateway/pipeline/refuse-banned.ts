import { ApiError } from '#api/errors.ts';
import type { Call } from '#gateway/call.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { TransportError } from '#gateway/transport-error.ts';
import { retryAfterSeconds } from '#gateway/weight-budget.ts';

/** Answers banned addresses 418 with the time that is left, and those behind the firewall 403. */
export function refuseBanned(call: Call, gateway: Gateway): void {
  const { client, receivedMonotonic } = call.request;
  const { admission, context } = gateway;
  const bannedMs = gateway.isLimited ? admission.bans.bannedMs(client.bucket, context.wall.now()) : 0;
  if (bannedMs > 0 && gateway.mayBan(client)) {
    call.retryAfterSeconds = retryAfterSeconds(bannedMs);
    throw new TransportError('banned');
  }
  if (admission.firewall.denies(client)) throw new ApiError('accessDenied');
  const shutOutMs = gateway.isLimited ? admission.firewall.shutOutMs(client, receivedMonotonic) : 0;
  if (shutOutMs > 0) {
    call.retryAfterSeconds = retryAfterSeconds(shutOutMs);
    throw new ApiError('accessDenied');
  }
}
