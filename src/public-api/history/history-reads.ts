import { FairQueue } from '#base/fair-queue.ts';
import { ApiError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import type { RequestContext } from '#http/request-context.ts';

const limits = wireLimits.historyReads;

/** Whom a read is for; told how long to wait where it is refused. */
export type Reader = Pick<RequestContext, 'client' | 'retryAfterSeconds'>;

/**
 * Reads of history for requests: a few at a time, the others wait, and addresses take turns. So neither the event loop
 * nor the thread of history is ever held by what one of them asks for. DEC-LIM-120.
 */
export class HistoryReads {
  readonly #waiting = new FairQueue<() => void>(limits);
  #running = 0;

  /** Reads that run or wait. */
  get size(): number {
    return this.#running + this.#waiting.size;
  }

  /** @throws ApiError 429 with Retry-After if as many reads of the address wait as may. */
  async run<Answer>(reader: Reader, read: () => Promise<Answer>): Promise<Answer> {
    if (this.#running >= limits.atOnce) await this.#turn(reader);
    else this.#running += 1;
    try {
      return await read();
    } finally {
      const next = this.#waiting.take();
      // Begun in a turn of the event loop of its own: what the last read left to print does not add up.
      if (next === undefined) this.#running -= 1;
      else setImmediate(next);
    }
  }

  #turn(reader: Reader): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.add(reader.client.bucket, resolve)) return;
      reader.retryAfterSeconds = 1;
      reject(new ApiError('tooManyRequests'));
    });
  }
}
