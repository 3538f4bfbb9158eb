/** One response with a deadline. */
export interface AwaitedAnswer {
  readonly dueAt: number;
  /** `null` once the response was sent or its time is over. */
  expire: (() => void) | null;
}

/** Finished entries at the front that are kept before they are removed together. */
const compactAt = 1024;

/**
 * Deadlines of responses. All have the same timeout, so they expire in the order in which they began: one timer serves
 * all of them. It does not keep the process alive.
 */
export class AnswerDeadlines {
  readonly #timeoutMs: number;
  readonly #now: () => number;
  #awaited: AwaitedAnswer[] = [];
  #first = 0;
  #isArmed = false;

  constructor(timeoutMs: number, now: () => number) {
    this.#timeoutMs = timeoutMs;
    this.#now = now;
  }

  /** Pending responses, and finished ones behind the oldest pending one. */
  get size(): number {
    return this.#awaited.length - this.#first;
  }

  /** Calls `expire` after the timeout, unless `end` is called first. */
  begin(expire: () => void): AwaitedAnswer {
    const awaited = { dueAt: this.#now() + this.#timeoutMs, expire };
    this.#awaited.push(awaited);
    if (!this.#isArmed) this.#arm(this.#timeoutMs);
    return awaited;
  }

  end(awaited: AwaitedAnswer): void {
    awaited.expire = null;
    this.#removeFinished();
  }

  /** As `answer`, or fails with `late` after the timeout. `wordFailure`: what a failure of either kind becomes. */
  within<Answer>(
    answer: Promise<Answer>,
    late: () => Error,
    wordFailure = (error: unknown): unknown => error,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const awaited = this.begin(() => reject(wordFailure(late())));
      answer.then(
        (answered) => {
          this.end(awaited);
          resolve(answered);
        },
        (error: unknown) => {
          this.end(awaited);
          reject(wordFailure(error));
        },
      );
    });
  }

  #removeFinished(): void {
    while (this.#first < this.#awaited.length && this.#awaited[this.#first]?.expire === null) this.#first += 1;
    if (this.#first < compactAt && this.#first < this.#awaited.length) return;
    this.#awaited.splice(0, this.#first);
    this.#first = 0;
  }

  #arm(delayMs: number): void {
    this.#isArmed = true;
    setTimeout(() => this.#expireDue(), delayMs).unref();
  }

  #expireDue(): void {
    this.#isArmed = false;
    const now = this.#now();
    for (let at = this.#first; at < this.#awaited.length; at += 1) {
      const awaited = this.#awaited[at] as AwaitedAnswer;
      if (awaited.dueAt > now) break;
      awaited.expire?.();
      awaited.expire = null;
    }
    this.#removeFinished();
    const next = this.#awaited[this.#first];
    if (next !== undefined) this.#arm(Math.max(1, next.dueAt - now));
  }
}
