import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { transportErrors } from '#api/errors.ts';
import { wireLimits } from '#api/limits.ts';
import { securityHeaderLines } from '#http/security-headers.ts';
import type { AnswerCounts } from '#http/answer-counts.ts';
import type { RateLimits } from '#http/rate-limits.ts';
import { errorAnswer } from '#http/refusal.ts';
import { cutUnreadAnswers } from '#http/unread-answers.ts';

/** Statuses that only the connection guard sends. */
const timeoutStatus = 408;
const expectationStatus = 417;

/** Sockets that close after the response being sent: further bytes on them get no response. */
const closing = new WeakSet<Socket>();

/** Marks a socket that closes after the response being sent. */
export function closesAfterAnswer(socket: Socket): void {
  closing.add(socket);
}

/** What the connection guard needs. */
export interface ConnectionGuard {
  readonly limits: RateLimits;
  readonly counts: AnswerCounts;
}

/** A complete raw response, for refusals before any request was parsed. */
function rawAnswer(status: number, text: string): string {
  const { text: body } = errorAnswer(status, status, text);
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

function parserAnswer(error: ParserError): string {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return rawAnswer(timeoutStatus, 'The request took too long.');
  const name =
    error.code !== 'HPE_HEADER_OVERFLOW'
      ? 'malformedRequest'
      : isLongAddress(error.rawPacket)
        ? 'addressTooLong'
        : 'headersTooLarge';
  const { http, message } = transportErrors[name];
  return rawAnswer(http, message);
}

/** Answers unparseable requests and closes the connection: what follows must not be read as a request. */
function answerParserErrors(server: Server, { limits, counts }: ConnectionGuard): void {
  server.removeAllListeners('clientError');
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const peer = limits.addresses.clientOf(socket.remoteAddress, undefined);
    if (!limits.addresses.isTrusted(peer)) limits.countFault(peer, limits.monotonic.now());
    counts.add(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? timeoutStatus : transportErrors.malformedRequest.http, 0);
    if (closing.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else socket.end(parserAnswer(error), () => socket.destroy());
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.socket?.end(rawAnswer(expectationStatus, 'Only 100-continue can be expected.'));
  });
}

/**
 * Caps the connections of this port in total, and per address over all ports. Trusted proxies carry many clients, so
 * only the total applies to them.
 */
function capConnections(server: Server, { settings, addresses, connections: counts }: RateLimits): void {
  server.maxConnections = settings.connectionsMax;
  server.on('connection', (socket: Socket) => {
    const client = addresses.clientOf(socket.remoteAddress, undefined);
    if (addresses.isTrusted(client)) return;
    const count = (counts.get(client.bucket) ?? 0) + 1;
    counts.set(client.bucket, count);
    socket.once('close', () => {
      const left = (counts.get(client.bucket) ?? 1) - 1;
      if (left > 0) counts.set(client.bucket, left);
      else counts.delete(client.bucket);
    });
    if (count > settings.connectionsPerAddressMax) socket.destroy();
  });
}

/** Guards a server's connections before any request is read. */
export function guardConnections(server: Server, guard: ConnectionGuard): void {
  // Node would silently drop headers beyond its limit; transport-check.ts counts them instead.
  server.maxHeadersCount = 0;
  answerParserErrors(server, guard);
  cutUnreadAnswers(server, guard.limits.monotonic);
  if (guard.limits.isLimited) capConnections(server, guard.limits);
}
