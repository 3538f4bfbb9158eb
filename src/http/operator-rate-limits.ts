import type { Clock } from '#base/clock.ts';
import type { OperatorRateLimit, RateLimitFact } from '#model/operator-rate-limit.ts';
import type { AccountId } from '#model/units.ts';
import { AddressRangeMap } from '#http/address-range-map.ts';
import type { ClientAddress } from '#http/client-address.ts';

/**
 * Rate limits that operators set, as the engine keeps them. Each request asks: without any limit of its kind nothing
 * is looked up, and the clock is read for those alone that have one. DEC-OPR-179.
 */
export class OperatorRateLimits {
  readonly #ranges = new AddressRangeMap<OperatorRateLimit>();
  readonly #accounts = new Map<AccountId, OperatorRateLimit>();
  readonly #keys = new Map<string, OperatorRateLimit>();
  /** The clock of their ends. */
  readonly #wall: Clock;

  constructor(wall: Clock) {
    this.#wall = wall;
  }

  get size(): number {
    return this.#ranges.size + this.#accounts.size + this.#keys.size;
  }

  put(limit: OperatorRateLimit): void {
    const { limited, target, account } = limit;
    if (limited === 'address') this.#ranges.set(target, limit);
    else if (limited === 'key') this.#keys.set(target, limit);
    else if (account !== null) this.#accounts.set(account, limit);
  }

  /** Follows a limit that was set or lifted. */
  fact(fact: RateLimitFact): void {
    if (fact.kind === 'rateLimitSet') {
      this.put(fact.limit);
      return;
    }
    const { limited, target } = fact;
    if (limited === 'address') this.#ranges.set(target, null);
    else if (limited === 'key') this.#keys.delete(target);
    else for (const [account, limit] of this.#accounts) if (limit.target === target) this.#accounts.delete(account);
  }

  /** The limit of the narrowest range that has the address and is not over; `null`: there is none. */
  ofAddress(client: ClientAddress): OperatorRateLimit | null {
    for (const limit of this.#ranges.of(client)) if (this.#isInForce(limit)) return limit;
    return null;
  }

  /** The limit of an account, which its sub-accounts do not share. */
  ofAccount(account: AccountId): OperatorRateLimit | null {
    return this.#accounts.size === 0 ? null : this.#inForce(this.#accounts.get(account));
  }

  ofKey(accessKey: string): OperatorRateLimit | null {
    return this.#keys.size === 0 ? null : this.#inForce(this.#keys.get(accessKey));
  }

  #inForce(limit: OperatorRateLimit | undefined): OperatorRateLimit | null {
    return limit !== undefined && this.#isInForce(limit) ? limit : null;
  }

  #isInForce({ until }: OperatorRateLimit): boolean {
    return until === null || until > this.#wall.now();
  }
}
