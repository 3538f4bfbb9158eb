import type { IncomingMessage } from 'node:http';

/** Result of reading a body: its bytes, `null` if it is larger than allowed, or the error that interrupted it. */
export type ReadBody = Buffer | null | Error;

/**
 * Reads the body of a request and calls `done` once: when it is complete, larger than `bytesMax`, or interrupted.
 * `bytes`: bytes received until then. The rest of a body that is too large is not read.
 */
export function readBody(raw: IncomingMessage, bytesMax: number, done: (body: ReadBody, bytes: number) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isDone = false;
  const finish = (body: ReadBody): void => {
    if (isDone) return;
    isDone = true;
    done(body, bytes);
  };
  raw.on('data', (chunk: Buffer) => {
    if (isDone) return;
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
    else {
      raw.pause();
      finish(null);
    }
  });
  raw.once('end', () => finish(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes)));
  // A client that disconnects in the middle causes an error too.
  raw.on('error', finish);
}
