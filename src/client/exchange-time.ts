/**
 * The exchange's clock as the client knows it: its own, and how far the exchange's is ahead of that. It is measured
 * before the first signed request, and again when the exchange refuses one for its time. DEC-KIT-85.
 */
export class ExchangeTime {
  readonly #now: () => number;
  readonly #ask: () => Promise<number>;
  #offsetMs = 0;
  #isMeasured = false;
  #measuring: Promise<number> | null = null;

  /** `ask` reads the exchange's clock. */
  constructor(now: () => number, ask: () => Promise<number>) {
    this.#now = now;
    this.#ask = ask;
  }

  /** How many ms the exchange's clock is ahead. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** The exchange's time in ms, whole. */
  now(): number {
    return Math.round(this.#now() + this.#offsetMs);
  }

  /** Resolves once the offset is known. */
  async ready(): Promise<void> {
    if (!this.#isMeasured) await this.measure();
  }

  /** Measures anew, taking both ways to last equally long, and answers the offset. It is measured once at a time. */
  measure(): Promise<number> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  async #measure(): Promise<number> {
    const sentAt = this.#now();
    const serverTime = await this.#ask();
    // An offset that is no number would spoil every later request.
    if (!Number.isFinite(serverTime)) throw new TypeError('the exchange answered no time');
    this.#offsetMs = Math.round(serverTime - (sentAt + this.#now()) / 2);
    this.#isMeasured = true;
    return this.#offsetMs;
  }
}
