import type { ServerResponse } from 'node:http';
import { transportErrors } from '#http/errors.ts';
import { securityHeaderList, jsonType } from '#http/fixed-headers.ts';
import type { Answer } from '#http/refusal.ts';
import type { RequestContext } from '#http/request-context.ts';
import { closesAfterAnswer } from '#http/request-gate.ts';

/** Transport statuses that close the connection: what follows could be misread. */
const closingStatuses: ReadonlySet<number> = new Set([
  transportErrors.bodyTooLarge.http,
  transportErrors.headersTooLarge.http,
  transportErrors.addressTooLong.http,
]);

/** Whether the connection closes after a response with this status. */
export const closesConnection = (status: number): boolean => closingStatuses.has(status);

const fixedHeaders = ['content-type', jsonType, ...securityHeaderList];

/** Headers of a response with `size` bytes of body, names and values in turn; `closes`: the connection closes. */
export function headersOf(request: RequestContext, size: number, closes: boolean): string[] {
  const headers = [...fixedHeaders, 'content-length', `${size}`];
  if (request.usedWeight !== null) headers.push('x-svc-used-weight', `${request.usedWeight}`);
  if (!request.isCacheable) headers.push('cache-control', 'no-store');
  if (request.retryAfterSeconds !== null) headers.push('retry-after', `${request.retryAfterSeconds}`);
  if (request.answerHeaders.length > 0) headers.push(...request.answerHeaders);
  if (closes) headers.push('connection', 'close');
  return headers;
}

/** Sends a response; `closes`: the connection closes. */
export function writeAnswer(response: ServerResponse, request: RequestContext, answer: Answer, closes: boolean): void {
  const { status, text } = answer;
  const isLast = closes || request.isLast || closesConnection(status);
  if (isLast) closesAfterAnswer(response.req.socket);
  const size = Buffer.byteLength(text);
  // As many bytes as characters: the text is ASCII, for which latin1 is faster.
  const encoding = size === text.length ? 'latin1' : 'utf8';
  response.writeHead(status, headersOf(request, size, isLast));
  const { socket } = response;
  if (socket === null) {
    // Responses to earlier pipelined requests come first.
    response.end(text, encoding);
    return;
  }
  // Sends head and body in one write: `end` with a body would add an empty chunk, and a vectored write costs more.
  socket.cork();
  response.write(text, encoding);
  socket.uncork();
  response.end();
}

/** Answers a CORS preflight request: 204 without a body. */
export function writePreflight(response: ServerResponse, headers: readonly string[], closes: boolean): void {
  if (closes) closesAfterAnswer(response.req.socket);
  response.writeHead(204, [...securityHeaderList, ...headers, ...(closes ? ['connection', 'close'] : [])]);
  response.end();
}

/** Sends the head of a response and so many bytes of its body, then closes the connection: the rest never comes. */
export function writeCutAnswer(response: ServerResponse, request: RequestContext, answer: Answer, bytes: number): void {
  const { socket } = response.req;
  closesAfterAnswer(socket);
  const body = Buffer.from(answer.text, 'utf8');
  response.writeHead(answer.status, headersOf(request, body.length, true));
  response.flushHeaders();
  response.write(body.subarray(0, bytes));
  socket.destroySoon();
}
