import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { type TransportErrorName, transportErrors } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import { securityHeaderLines } from '#http/fixed-headers.ts';
import type { AnswerCounts } from '#http/answer-counts.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import { errorAnswer } from '#http/refusal.ts';
import { beginRequest, closesAfterAnswer, isAnswered, isClosing } from '#http/request-gate.ts';
import { cutUnreadAnswers } from '#http/unread-answers.ts';

/** What the connection guard needs. */
export interface ConnectionGuard {
  readonly limits: RateLimits;
  readonly counts: AnswerCounts;
  /** Whether the port is that of operators. */
  readonly isForOperators?: boolean;
}

/** A complete raw response, for refusals before any request was parsed. */
function rawAnswer(name: TransportErrorName): string {
  const { http: status, code, message } = transportErrors[name];
  const { text: body } = errorAnswer(status, code, message);
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json;charset=utf-8\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\n${securityHeaderLines}` +
    `Connection: close\r\n\r\n${body}`
  );
}

/** Error of Node's HTTP parser. */
interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Whether the request line caused the overflow. */
function isLongAddress(packet: Buffer | undefined): boolean {
  if (packet === undefined) return false;
  const end = packet.indexOf('\n');
  return (end < 0 ? packet.length : end) > wireLimits.request.addressBytes;
}

function faultOf(error: ParserError): TransportErrorName {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'requestTimeout';
  if (error.code !== 'HPE_HEADER_OVERFLOW') return 'malformedRequest';
  return isLongAddress(error.rawPacket) ? 'addressTooLong' : 'headersTooLarge';
}

/** Answers unparseable requests and closes the connection: what follows must not be read as a request. */
function answerParserErrors(server: Server, { limits, counts }: ConnectionGuard): void {
  server.removeAllListeners('clientError');
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const peer = limits.addresses.clientOf(socket.remoteAddress, undefined);
    if (!limits.addresses.isTrusted(peer)) limits.countFault(peer, limits.windows.now());
    const name = faultOf(error);
    const counted = name === 'requestTimeout' ? name : 'malformedRequest';
    counts.add(transportErrors[counted].http, 0, counted);
    if (isClosing(socket)) return;
    closesAfterAnswer(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (isAnswered(socket)) socket.end(() => socket.destroy());
    else socket.end(rawAnswer(name), () => socket.destroy());
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    beginRequest(request, response);
    closesAfterAnswer(request.socket);
    counts.add(transportErrors.expectationNotMet.http, 0, 'expectationNotMet');
    request.socket.end(rawAnswer('expectationNotMet'));
  });
}

/**
 * Caps the connections of this port in total, and per address over all ports. Trusted proxies carry many clients, so
 * only the total applies to them.
 */
function capConnections(server: Server, { limits, isForOperators = false }: ConnectionGuard): void {
  const { settings, addresses, sockets } = limits;
  server.maxConnections = settings.connectionsMax;
  server.on('connection', (socket: Socket) => {
    const client = addresses.clientOf(socket.remoteAddress, undefined);
    if (addresses.isTrusted(client)) return;
    if (sockets.add(client, socket, isForOperators) > settings.connectionsPerAddressMax) socket.destroy();
  });
}

/** Guards a server's connections before any request is read. */
export function guardConnections(server: Server, guard: ConnectionGuard): void {
  // Node would silently drop headers beyond its limit; transport-check.ts counts them instead.
  server.maxHeadersCount = 0;
  answerParserErrors(server, guard);
  cutUnreadAnswers(server, guard.limits.monotonic);
  if (guard.limits.isLimited) capConnections(server, guard);
}
