import type { IncomingMessage } from 'node:http';

/** What became of a body: its bytes, `null` when there are more of them than allowed, or why it broke off. */
export type ReadBody = Buffer | null | Error;

/**
 * Reads the body of a request and calls `done` once: when all of it is there, when it has grown beyond `bytesMax`, or
 * when it broke off. `bytes`: what came until then. A body that is too large is read no further.
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
  // A client that hangs up in the middle is an error too.
  raw.on('error', finish);
}
