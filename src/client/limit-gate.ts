import { monotonicClock } from '#base/clock.ts';
import type { Pauses } from '#client/pauses.ts';

/**
 * Holds requests back while the exchange said to wait: what is sent meanwhile, whatever it is, leads to a ban.
 * DEC-KIT-86.
 */
export class LimitGate {
  readonly #pauses: Pauses;
  #closedUntil = 0;

  constructor(pauses: Pauses) {
    this.#pauses = pauses;
  }

  /** The exchange said to wait for so long. */
  close(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, monotonicClock.now() + ms);
  }

  /** How many ms it stays closed; 0: it is open. */
  get closedMs(): number {
    return Math.max(0, this.#closedUntil - monotonicClock.now());
  }

  /** Resolves once it is open, or with the ms that are left where that would be later than `latest`. */
  async open(latest: number): Promise<number> {
    // Another request may be told to wait still longer meanwhile.
    while (this.closedMs > 0 && !this.#pauses.isOver) {
      if (this.#closedUntil > latest) return this.closedMs;
      await this.#pauses.wait(this.closedMs);
    }
    return 0;
  }
}
