/** One answer that is waited for. */
export interface AwaitedAnswer {
  readonly dueAt: number;
  /** `null` once nobody waits any more. */
  expire: (() => void) | null;
}

/** Answered ones at the front that are kept before they are let go together. */
const compactAt = 1024;

/**
 * Deadlines of answers, all the same time after they began, so that the first to begin is the first due: one timer for
 * all of them instead of one each. It does not keep the process alive.
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

  /** Answers that are waited for, and those answered since the oldest of them began. */
  get size(): number {
    return this.#awaited.length - this.#first;
  }

  /** Calls `expire` when the time is over, unless `end` was called before. */
  begin(expire: () => void): AwaitedAnswer {
    const awaited = { dueAt: this.#now() + this.#timeoutMs, expire };
    this.#awaited.push(awaited);
    if (!this.#isArmed) this.#arm(this.#timeoutMs);
    return awaited;
  }

  end(awaited: AwaitedAnswer): void {
    awaited.expire = null;
    this.#passAnswered();
  }

  #passAnswered(): void {
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
    this.#passAnswered();
    const next = this.#awaited[this.#first];
    if (next !== undefined) this.#arm(Math.max(1, next.dueAt - now));
  }
}
