import type { Socket } from 'node:net';
import type { CheckedAnswer } from './answer-check.ts';
import { HttpMessages, headerOf } from './http-messages.ts';

/** An answer as it came over a socket, with the request in whose place it stands. */
export interface HeardAnswer extends CheckedAnswer {
  /** `null`: no request that can be read was sent. */
  readonly request: { readonly method: string; readonly target: string } | null;
}

type Chunk = string | Uint8Array;
type Written = { readonly chunk: Chunk; readonly encoding: BufferEncoding };

const bytesOf = (chunk: Chunk, encoding?: BufferEncoding): string =>
  (typeof chunk === 'string'
    ? Buffer.from(chunk, encoding)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
  ).toString('latin1');

/** What is read of a connection: requests on their way out, answers on their way in. */
export class Conversation {
  readonly #onAnswer: (answer: HeardAnswer) => void;
  readonly #requests: { readonly method: string; readonly target: string }[] = [];
  readonly #sent = new HttpMessages({ head: (head) => this.#asked(head), whole: () => {} });
  readonly #received = new HttpMessages({
    head: (head) => this.#sizeOf(head),
    whole: (head, body) => this.#answered(head, body),
  });

  constructor(onAnswer: (answer: HeardAnswer) => void) {
    this.#onAnswer = onAnswer;
  }

  sent(bytes: string): void {
    this.#sent.add(bytes);
  }

  received(bytes: string): void {
    this.#received.add(bytes);
  }

  #asked(head: string): number | null {
    const [, method, target] = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n/.exec(head) ?? [];
    if (method === undefined || target === undefined) return null;
    this.#requests.push({ method, target: target.replace(/^https?:\/\/[^/]+/i, '') });
    if (headerOf(head, 'transfer-encoding') !== null) return null;
    const size = headerOf(head, 'content-length') ?? '0';
    return /^\d+$/.test(size) ? Number(size) : null;
  }

  #sizeOf(head: string): number | null {
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (Number.isNaN(status) || status === 101) return null;
    if (status < 200 || status === 204 || status === 304 || this.#requests[0]?.method === 'HEAD') return 0;
    const size = headerOf(head, 'content-length');
    return size === null ? null : Number(size);
  }

  #answered(head: string, body: string): void {
    const status = Number(head.slice(9, 12));
    if (status < 200) return;
    const request = this.#requests.shift() ?? null;
    const text = Buffer.from(body, 'latin1').toString();
    this.#onAnswer({ request, status, header: (name) => headerOf(head, name), text });
  }
}

/** Hears what a socket of a client says and is answered, whoever reads it. */
export function watchSocket(socket: Socket, onAnswer: (answer: HeardAnswer) => void): void {
  const conversation = new Conversation(onAnswer);
  const { push, _write: write, _writev: writev } = socket;
  socket.push = function (this: Socket, chunk: Chunk | null, encoding?: BufferEncoding) {
    if (chunk !== null) conversation.received(bytesOf(chunk, encoding));
    return push.call(this, chunk, encoding);
  };
  socket._write = function (this: Socket, chunk: Chunk, encoding, done) {
    conversation.sent(bytesOf(chunk, encoding));
    write.call(this, chunk, encoding, done);
  };
  socket._writev = function (this: Socket, chunks: Written[], done) {
    for (const { chunk, encoding } of chunks) conversation.sent(bytesOf(chunk, encoding));
    writev?.call(this, chunks, done);
  };
}
