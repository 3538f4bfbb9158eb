import { wireLimits } from '#api/limits.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import type { StreamAdmission } from '#streams/stream-settings.ts';

/**
 * Lets streams count, ban and refuse addresses with the limits of all ports: one ban ladder for requests and messages.
 * A connection that was ended for too many messages counts as told to wait, so that whoever keeps doing it is banned.
 */
export const streamAdmission = (limits: RateLimits): StreamAdmission => ({
  clientOf: (request) => {
    const client = limits.clientOf(request);
    const flooded = (): void => void limits.toldToWait(client, wireLimits.streams.floodWaitMs, limits.monotonic.now());
    return { address: client.bucket, flooded };
  },
  refusalOf: (request) => {
    const refusal = limits.refusalOf(limits.clientOf(request), limits.monotonic.now());
    return refusal === null ? null : { ...refusal, status: refusal.why === 'banned' ? 418 : 403 };
  },
});
