import type { IncomingMessage } from 'node:http';
import { wireLimits } from '#api/limits.ts';
import { TransportError } from '#http/transport-error.ts';

const { request: limits } = wireLimits;

/** Bytes that separate a header's name from its value and end its line. */
const perHeaderBytes = 4;

/**
 * Measures what the parser let through: 414 for a long address, 431 for many or long headers, 400 for what two readers
 * could understand differently. `null`: nothing is wrong.
 */
export function checkTransport(raw: IncomingMessage): TransportError | null {
  if ((raw.url ?? '').length > limits.addressBytes) return new TransportError('addressTooLong');
  // What has no version has no headers either, and whatever follows it is no request of its own.
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

/** Size of the body that a request announces; `NaN` where it comes in chunks and nobody knows. */
export function announcedBytes(raw: IncomingMessage): number {
  if (raw.headers['transfer-encoding'] !== undefined) return Number.NaN;
  return Number(raw.headers['content-length'] ?? 0);
}

/**
 * Whether a refused request has a body that is still to come and larger than `bytesMax`, or of unknown size: it is not
 * read away, its connection closes.
 */
export const leavesBody = (raw: IncomingMessage, bytesMax: number = limits.bodyBytes): boolean =>
  !(announcedBytes(raw) <= bytesMax);
