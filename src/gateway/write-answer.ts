import type { ServerResponse } from 'node:http';
import { transportErrors } from '#api/errors.ts';
import { securityHeaderList } from '#api/security-headers.ts';
import type { Answer } from '#gateway/answer.ts';
import type { Call } from '#gateway/call.ts';
import { closesAfterAnswer } from '#gateway/connection-guard.ts';

/** Statuses of the transport that close the connection: what follows on it could be read wrongly. */
const closingStatuses: ReadonlySet<number> = new Set([
  transportErrors.bodyTooLarge.http,
  transportErrors.headersTooLarge.http,
  transportErrors.addressTooLong.http,
]);

const fixedHeaders = ['content-type', 'application/json;charset=utf-8', ...securityHeaderList];

/** Names and values in turn. */
function headersOf(call: Call, size: number, closes: boolean): string[] {
  const headers = [...fixedHeaders, 'content-length', `${size}`];
  if (call.usedWeight !== null) headers.push('x-svc-used-weight', `${call.usedWeight}`);
  if (call.plan === null || call.plan.isSigned) headers.push('cache-control', 'no-store');
  if (call.retryAfterSeconds !== null) headers.push('retry-after', `${call.retryAfterSeconds}`);
  if (call.allow !== null) headers.push('allow', call.allow);
  if (call.signedText !== null) headers.push('x-bourse-signed-text', call.signedText);
  if (call.crossOrigin.length > 0) headers.push(...call.crossOrigin);
  if (closes) headers.push('connection', 'close');
  return headers;
}

/** Sends an answer; `closes`: nothing more is read from its connection. */
export function writeAnswer(response: ServerResponse, call: Call, answer: Answer, closes: boolean): void {
  const { status, text } = answer;
  const isLast = closes || closingStatuses.has(status);
  if (isLast) closesAfterAnswer(response.req.socket);
  const size = Buffer.byteLength(text);
  // Text of as many bytes as characters is ASCII, which needs no encoding.
  const encoding = size === text.length ? 'latin1' : 'utf8';
  response.writeHead(status, headersOf(call, size, isLast));
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
