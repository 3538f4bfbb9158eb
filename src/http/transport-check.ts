import type { IncomingMessage } from 'node:http';
import { wireLimits } from '#http/limits.ts';
import { TransportError } from '#http/errors.ts';

/**
 * Whether the `Upgrade` header asks for a websocket, the only supported protocol. Some clients offer HTTP/2 (`h2c`)
 * with every request; a server may ignore that and answer normally. RFC 9110, section 7.8. DEC-REQ-42.
 */
export const isWebsocketUpgrade = (upgrade: string | undefined): boolean => upgrade?.toLowerCase() === 'websocket';

const { request: limits } = wireLimits;

/** Bytes per header besides name and value: separator and line end. */
const perHeaderBytes = 4;

/**
 * Checks what the parser accepted: 414 for a long request target, 431 for too many or too long headers, 400 for what
 * two parsers could read differently. `null`: accepted.
 */
export function checkTransport(raw: IncomingMessage): TransportError | null {
  if ((raw.url ?? '').length > limits.addressBytes) return new TransportError('addressTooLong');
  // A request without a version (HTTP/0.9) has no headers, and what follows it is not another request.
  if (raw.httpVersionMajor < 1) return new TransportError('malformedRequest');
  const { rawHeaders } = raw;
  if (rawHeaders.length > limits.headerCount * 2) return new TransportError('headersTooLarge');
  let bytes = 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    bytes += name.length + (rawHeaders[at + 1] as string).length + perHeaderBytes;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (bytes > limits.headerBytes) return new TransportError('headersTooLarge');
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) return new TransportError('malformedRequest');
  const coding = raw.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return new TransportError('malformedRequest');
  return null;
}

/** Announced size of the body; `NaN` if it is chunked. */
export function announcedBytes(raw: IncomingMessage): number {
  if (raw.headers['transfer-encoding'] !== undefined) return Number.NaN;
  return Number(raw.headers['content-length'] ?? 0);
}

/**
 * Whether a refused request still has a body larger than `bytesMax`, or of unknown size: its connection is closed
 * instead of reading it.
 */
export const leavesBody = (raw: IncomingMessage, bytesMax: number = limits.bodyBytes): boolean =>
  !(announcedBytes(raw) <= bytesMax);
