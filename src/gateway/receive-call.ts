import type { IncomingMessage } from 'node:http';
import { Call } from '#gateway/call.ts';
import type { Gateway } from '#gateway/gateway.ts';

/** Starts the record of a request: who, what, when. Path and query are split at the first `?`; nothing is decoded. */
export function receiveCall(gateway: Gateway, raw: IncomingMessage): Call {
  const { url = '', headers } = raw;
  const mark = url.indexOf('?');
  const forwarded = headers['x-forwarded-for'];
  const { context, admission } = gateway;
  return new Call({
    method: raw.method ?? '',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers,
    client: admission.addresses.clientOf(
      raw.socket.remoteAddress,
      typeof forwarded === 'string' ? forwarded : undefined,
    ),
    receivedAt: context.clock.now(),
    receivedMonotonic: context.monotonic.now(),
  });
}
