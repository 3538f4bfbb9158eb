import { BoundedCache } from '#base/bounded-cache.ts';
import type { Clock } from '#base/clock.ts';
import type { AccountId } from '#domain/units.ts';
import { wireLimits } from '#api/limits.ts';

const { unknownTargets: most, unknownTargetsWindowMs: windowMs, unknownTargetsKept: entriesKept } = wireLimits.wallet;

/** Counts the receivers that accounts named and nobody knows, so that nobody finds out who is here. DEC-WAL-78. */
export class UnknownTargets {
  readonly #clock: Clock;
  /** When the last ones were named, oldest first, by account. */
  readonly #times = new BoundedCache<AccountId, readonly number[]>({ entriesKept });

  /** `clock`: monotonic. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the account named as many within the last minute as it may. */
  isAtLimit(account: AccountId): boolean {
    return this.#recent(account).length >= most;
  }

  /** Counts one more; false: it is one too many. */
  add(account: AccountId): boolean {
    const recent = this.#recent(account);
    if (recent.length >= most) return false;
    this.#times.set(account, [...recent, this.#clock.now()]);
    return true;
  }

  #recent(account: AccountId): readonly number[] {
    const now = this.#clock.now();
    return (this.#times.get(account) ?? []).filter((at) => now - at < windowMs);
  }
}
