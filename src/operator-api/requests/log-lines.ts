import type { Clock } from '#base/clock.ts';
import { BoundedCache } from '#base/bounded-cache.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';

interface Window {
  readonly endsAt: number;
  lines: number;
}

const { windowMs, linesPerAddress, lines, addressesKept } = operatorLimits.log;

/**
 * How many lines may be logged about what strangers and refused operators send, so that nobody fills the disk: a
 * bounded number a minute, of one address and of all. What was left out is told by the next line. DEC-OPR-198.
 */
export class LogLines {
  readonly #monotonic: Clock;
  readonly #ofAddress = new BoundedCache<string, Window>({ keepMs: windowMs, entriesKept: addressesKept });
  #ofAll: Window = { endsAt: 0, lines: 0 };
  #leftOut = 0;

  constructor(monotonic: Clock) {
    this.#monotonic = monotonic;
  }

  /** Takes a line about an address: answers how many were left out before it, or `null` where it is left out itself. */
  take(address: string): { readonly leftOut: number } | null {
    const now = this.#monotonic.now();
    if (this.#ofAll.endsAt <= now) this.#ofAll = { endsAt: now + windowMs, lines: 0 };
    const own = this.#windowOf(address, now);
    if (own.lines >= linesPerAddress || this.#ofAll.lines >= lines) {
      this.#leftOut += 1;
      return null;
    }
    own.lines += 1;
    this.#ofAll.lines += 1;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return { leftOut };
  }

  #windowOf(address: string, now: number): Window {
    const known = this.#ofAddress.get(address, now);
    if (known !== undefined && known.endsAt > now) return known;
    const begun = { endsAt: now + windowMs, lines: 0 };
    this.#ofAddress.set(address, begun, now);
    return begun;
  }
}
