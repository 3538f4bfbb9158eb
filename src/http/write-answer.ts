import type { ServerResponse } from 'node:http';
import { transportErrors } from '#api/errors.ts';
import { securityHeaderList } from '#http/security-headers.ts';
import { closesAfterAnswer } from '#http/connection-guard.ts';
import type { Answer } from '#http/refusal.ts';
import type { RequestContext } from '#http/request-context.ts';

/** Statuses of the transport that close the connection: what follows on it could be read wrongly. */
const closingStatuses: ReadonlySet<number> = new Set([
  transportErrors.bodyTooLarge.http,
  transportErrors.headersTooLarge.http,
  transportErrors.addressTooLong.http,
]);

/** Whether a connection closes after an answer of this status, whatever came over it. */
export const closesConnection = (status: number): boolean => closingStatuses.has(status);

/** Media type of every answer of JSON. */
export const jsonType = 'application/json;charset=utf-8';

const fixedHeaders = ['content-type', jsonType, ...securityHeaderList];

/** Headers of an answer whose body has `size` bytes, names and values in turn; `closes`: its connection closes. */
export function headersOf(request: RequestContext, size: number, closes: boolean): string[] {
  const headers = [...fixedHeaders, 'content-length', `${size}`];
  if (request.usedWeight !== null) headers.push('x-svc-used-weight', `${request.usedWeight}`);
  if (!request.isCacheable) headers.push('cache-control', 'no-store');
  if (request.retryAfterSeconds !== null) headers.push('retry-after', `${request.retryAfterSeconds}`);
  if (request.answerHeaders.length > 0) headers.push(...request.answerHeaders);
  if (closes) headers.push('connection', 'close');
  return headers;
}

/** Sends an answer; `closes`: nothing more is read from its connection. */
export function writeAnswer(response: ServerResponse, request: RequestContext, answer: Answer, closes: boolean): void {
  const { status, text } = answer;
  const isLast = closes || closesConnection(status);
  if (isLast) closesAfterAnswer(response.req.socket);
  const size = Buffer.byteLength(text);
  // Text of as many bytes as characters is ASCII, which needs no encoding.
  const encoding = size === text.length ? 'latin1' : 'utf8';
  response.writeHead(status, headersOf(request, size, isLast));
  const { socket } = response;
  if (socket === null) {
    // Answers to earlier requests of this connection come first.
    response.end(text, encoding);
    return;
  }
  // Head and body leave as one text: `end` with a body would add an empty piece, and gathering pieces costs more.
  socket.cork();
  response.write(text, encoding);
  socket.uncork();
  response.end();
}

/** Answers a browser that asks before it sends: 204 without a body. */
export function writePreflight(response: ServerResponse, headers: readonly string[], closes: boolean): void {
  if (closes) closesAfterAnswer(response.req.socket);
  response.writeHead(204, [...securityHeaderList, ...headers, ...(closes ? ['connection', 'close'] : [])]);
  response.end();
}
