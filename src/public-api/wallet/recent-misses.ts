import { BoundedCache } from '#base/bounded-cache.ts';
import type { Clock } from '#base/clock.ts';
import type { AccountId } from '#model/units.ts';

/** How many misses an account may have within a time, and for how many accounts they are counted. */
export interface MissLimits {
  readonly most: number;
  readonly windowMs: number;
  readonly entriesKept: number;
}

/** Counts what accounts guessed wrong, so that nobody guesses for long. DEC-WAL-78, DEC-SUB-56. */
export class RecentMisses {
  readonly #clock: Clock;
  readonly #limits: MissLimits;
  /** When they guessed, oldest first, by account. */
  readonly #times: BoundedCache<AccountId, readonly number[]>;

  /** `clock`: of rate windows. */
  constructor(clock: Clock, limits: MissLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#times = new BoundedCache(limits);
  }

  /** Whether the account missed as often lately as it may. */
  isAtLimit(account: AccountId): boolean {
    return this.#recent(account).length >= this.#limits.most;
  }

  /** Counts one more; false: it is one too many. */
  add(account: AccountId): boolean {
    const recent = this.#recent(account);
    if (recent.length >= this.#limits.most) return false;
    this.#times.set(account, [...recent, this.#clock.now()]);
    return true;
  }

  #recent(account: AccountId): readonly number[] {
    const now = this.#clock.now();
    return (this.#times.get(account) ?? []).filter((at) => now - at < this.#limits.windowMs);
  }
}
