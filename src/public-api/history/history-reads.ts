import { FairQueue } from '#base/fair-queue.ts';
import { ApiError } from '#http/errors.ts';
import { wireLimits } from '#http/limits.ts';
import type { RequestContext } from '#http/request-context.ts';
import { type TimestampMs, as } from '#model/units.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { Window } from '#history/history-store.ts';

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

/** Waits until history contains everything acknowledged before the query; resolves to the exchange's time. */
export async function awaitHistory(context: GatewayContext): Promise<number> {
  const { seq, at } = await context.queries.position();
  await context.awaitHistory(seq);
  return Math.max(at, context.clock.now());
}

/** The requested time window. `defaultMs`: its length without a start; `reachMs`: how far back it may start. */
export interface AskedWindow {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly defaultMs: number;
  readonly reachMs: number;
}

/** Resolves the window; a start that is too early moves to the earliest allowed moment. DEC-ORD-26. */
export function windowOf(asked: AskedWindow, now: number): Window {
  const to = asked.endTime ?? now;
  const from = Math.max(asked.startTime ?? to - asked.defaultMs, now - asked.reachMs, 0);
  return { from: as<TimestampMs>(from), to: as<TimestampMs>(to) };
}
