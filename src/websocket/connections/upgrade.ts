import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { transportErrors, TransportError } from '#http/errors.ts';
import { checkTransport, isWebsocketUpgrade } from '#http/transport-check.ts';
import { originForm } from '#http/request-context.ts';
import { faultHeader } from '#http/request-interception.ts';
import { securityHeaderLines } from '#http/fixed-headers.ts';
import type { Encoding } from '#websocket/pushes/push.ts';

/** Where streams are served. SPEC-STR-01. */
export const streamPath = '/ws';

/** Why an upgrade is refused. */
export interface UpgradeRefusal {
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds?: number | null;
  /** Id of the fault of a sandbox that refuses it. */
  readonly fault?: string;
}

/** What a client asks for in the address. */
export interface UpgradeQuery {
  readonly listenKey: string | null;
  readonly encoding: Encoding;
}

/** Reached on older Node versions only: they pass requests with any `Upgrade` header to this server. */
const otherProtocol: UpgradeRefusal = {
  status: 400,
  text: 'This server speaks HTTP/1.1 and websocket only: switch off the HTTP/2 upgrade (h2c) of your client.',
};

/** Reads what an upgrade asks for. An empty listen key is none. */
export function readUpgrade({
  url = '',
  headers,
}: Pick<IncomingMessage, 'url' | 'headers'>): UpgradeQuery | UpgradeRefusal {
  if (!isWebsocketUpgrade(headers.upgrade)) return otherProtocol;
  const [path = '', query = ''] = originForm(url).split('?', 2);
  if (path !== streamPath) return { status: 404, text: `Streams are at ${streamPath}.` };
  const parameters = new URLSearchParams(query);
  const listenKey = parameters.get('listenKey');
  const encoding = parameters.get('encoding') ?? 'protobuf';
  if (encoding !== 'protobuf' && encoding !== 'json') {
    return { status: 400, text: "Parameter 'encoding' must be protobuf or json." };
  }
  return { listenKey: listenKey === '' ? null : listenKey, encoding };
}

/** An upgrade is a request like any other, and of HTTP/1.1: no older version has upgrades. DEC-LIM-09. */
export function transportRefusal(request: IncomingMessage): UpgradeRefusal | null {
  const fault =
    checkTransport(request) ?? (request.httpVersion === '1.1' ? null : new TransportError('malformedRequest'));
  if (fault === null) return null;
  const { http: status, message: text } = transportErrors[fault.errorName];
  return { status, text };
}

/** Refuses an upgrade with a JSON error like every other refusal, and closes the socket. */
export function refuseUpgrade(socket: Duplex, { status, text, retryAfterSeconds, fault }: UpgradeRefusal): void {
  const body = JSON.stringify({ code: status, msg: text });
  const retry =
    retryAfterSeconds === undefined || retryAfterSeconds === null ? '' : `Retry-After: ${retryAfterSeconds}\r\n`;
  const touched = fault === undefined ? '' : `${faultHeader}: ${fault}\r\n`;
  const words = STATUS_CODES[status] ?? 'Refused';
  socket.end(
    `HTTP/1.1 ${status} ${words}\r\nConnection: close\r\nContent-Type: application/json\r\n${retry}${touched}` +
      `${securityHeaderLines}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

/** Whether a page of that origin may connect; programs send no origin. An empty list allows every origin. */
export const isOriginAllowed = (request: IncomingMessage, allowed: readonly string[]): boolean =>
  allowed.length === 0 || request.headers.origin === undefined || allowed.includes(request.headers.origin);
