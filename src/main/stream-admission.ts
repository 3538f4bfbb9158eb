import type { IncomingMessage } from 'node:http';
import { wireLimits } from '#api/limits.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { refuseBanned } from '#gateway/pipeline/refuse-banned.ts';
import { receiveCall } from '#gateway/receive-call.ts';
import { TransportError } from '#gateway/transport-error.ts';
import type { StreamAdmission } from '#streams/stream-settings.ts';

/**
 * Lets streams count, ban and refuse addresses with the gateway's own tables: one ladder for requests and messages.
 * A connection that was ended for too many messages counts like a 429, so that repeated floods lead to a ban.
 */
export function streamAdmission(gateway: Gateway): StreamAdmission {
  const { admission, context } = gateway;
  return {
    clientOf: (request) => {
      const { client } = receiveCall(gateway, request).request;
      return {
        address: client.bucket,
        flooded: () => {
          if (!gateway.isLimited || !gateway.mayBan(client)) return;
          const moment = { monotonicMs: context.monotonic.now(), wallMs: context.wall.now() };
          const ban = admission.bans.refused(client.bucket, wireLimits.streams.floodWaitMs, moment);
          if (ban !== null) gateway.storeBan(ban);
        },
      };
    },
    refusalOf: (request) => refusalOf(gateway, request),
  };
}

function refusalOf(gateway: Gateway, request: IncomingMessage): ReturnType<StreamAdmission['refusalOf']> {
  const call = receiveCall(gateway, request);
  try {
    refuseBanned(call, gateway);
    return null;
  } catch (error) {
    return { status: error instanceof TransportError ? 418 : 403, retryAfterSeconds: call.retryAfterSeconds };
  }
}
