import { IncomingMessage } from 'node:http';

/** What became of a body: its bytes, `null` when there are more of them than allowed, or why it broke off. */
export type Gathered = Buffer | null | Error;

/**
 * A request whose body can be gathered as the parser hands it over. The readable stream that a request is otherwise
 * costs three turns of the event queue and a dozen events to say what was there all along: most bodies come in the
 * packet of their headers.
 */
export class IncomingRequest extends IncomingMessage {
  #chunks: Buffer[] | null = null;
  #size = 0;
  #sizeMax = 0;
  #done: (body: Gathered) => void = () => {};

  /** Bytes that came so far; all of them once the body is gathered, else at least one more than allowed. */
  get gatheredBytes(): number {
    return this.#size;
  }

  /** Calls `done` once, when the whole body is there, has grown beyond `sizeMax`, or broke off. Call it at once. */
  gather(sizeMax: number, done: (body: Gathered) => void): void {
    this.#chunks = [];
    this.#sizeMax = sizeMax;
    this.#done = done;
    this.once('error', (error: Error) => this.#end(error));
    this.leaveUnread();
  }

  /** Says that nobody needs to read the stream away once the answer is sent: there is nothing in it. */
  leaveUnread(): void {
    this.read(0);
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#chunks === null) return super.push(chunk, encoding);
    if (chunk !== null) {
      this.#size += chunk.length;
      if (this.#size <= this.#sizeMax) this.#chunks.push(chunk);
      else {
        this.#chunks = [];
        this.#end(null);
      }
    } else if (this.#size <= this.#sizeMax) {
      this.#end(this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#size));
    }
    return true;
  }

  #end(body: Gathered): void {
    const done = this.#done;
    this.#done = () => {};
    done(body);
  }
}
