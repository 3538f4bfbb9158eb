import type { Clock, SetTimer } from '#base/clock.ts';
import { BoundedCache } from '#base/bounded-cache.ts';
import type { ClientAddress } from '#http/client-address.ts';
import { operatorLimits } from '#operator-api/declaration/limits.ts';
import { Problem } from '#operator-api/requests/problems.ts';

interface Failures {
  readonly endsAt: number;
  count: number;
  /** Answers that are held back now. */
  waiting: number;
}

/** What slowing needs. */
export interface FailedAuthenticationParts {
  readonly monotonic: Clock;
  readonly setTimer: SetTimer;
}

const { windowMs, freePerWindow, firstDelayMs, longestDelayMs, waitingMax, addressesKept } =
  operatorLimits.failedAuthentications;

/**
 * Slows whoever guesses tokens: after some failures of an address each further one is answered later than the one
 * before, and while many answers of it are held back its requests are refused unread. The firewall counts them besides.
 * DEC-OPR-197.
 */
export class FailedAuthentications {
  readonly #parts: FailedAuthenticationParts;
  readonly #ofAddress = new BoundedCache<string, Failures>({ keepMs: windowMs, entriesKept: addressesKept });

  constructor(parts: FailedAuthenticationParts) {
    this.#parts = parts;
  }

  /** Lets a request be read, or refuses it before its token is compared. @throws Problem `tooManyRequests` */
  admit({ bucket }: ClientAddress): void {
    const failures = this.#ofAddress.get(bucket, this.#parts.monotonic.now());
    if (failures === undefined || failures.waiting < waitingMax) return;
    throw new Problem('tooManyRequests', { headers: ['retry-after', String(longestDelayMs / 1000)] });
  }

  /** Counts a failure; resolves when it may be answered. */
  async slow({ bucket }: ClientAddress): Promise<void> {
    const failures = this.#failuresOf(bucket);
    failures.count += 1;
    const doublings = failures.count - freePerWindow - 1;
    if (doublings < 0) return;
    const delayMs = Math.min(firstDelayMs * 2 ** doublings, longestDelayMs);
    failures.waiting += 1;
    await new Promise<void>((resolve) => void this.#parts.setTimer(delayMs, resolve));
    failures.waiting -= 1;
  }

  #failuresOf(bucket: string): Failures {
    const now = this.#parts.monotonic.now();
    const known = this.#ofAddress.get(bucket, now);
    if (known !== undefined && (known.endsAt > now || known.waiting > 0)) return known;
    const begun = { endsAt: now + windowMs, count: 0, waiting: 0 };
    this.#ofAddress.set(bucket, begun, now);
    return begun;
  }
}
