import { BoundedCache } from '#base/bounded-cache.ts';
import { wireLimits } from '#http/limits.ts';
import type { AddressRanges, ClientAddress } from '#http/client-address.ts';
import { addressRanges } from '#http/client-address.ts';

interface Faults {
  readonly endsAt: number;
  count: number;
}

/**
 * The firewall: 403 for addresses that the operator denies, and for addresses that sent too many malformed requests,
 * until their window ends. SPEC-CNV-24, DEC-LIM-04.
 */
export class Firewall {
  readonly #denied: AddressRanges;
  readonly #faultsMax: number;
  readonly #faults: BoundedCache<string, Faults>;

  constructor({ denied, faultsMax }: { readonly denied: readonly string[]; readonly faultsMax: number }) {
    this.#denied = addressRanges(denied);
    this.#faultsMax = faultsMax;
    this.#faults = new BoundedCache({
      keepMs: wireLimits.firewall.windowMs,
      entriesKept: wireLimits.rate.bucketsKept,
    });
  }

  get size(): number {
    return this.#faults.size;
  }

  /** Whether the operator denies the address. */
  denies(address: ClientAddress): boolean {
    return !this.#denied.isEmpty && this.#denied.includes(address.parsed);
  }

  /** Milliseconds for which the address stays blocked for its malformed requests; 0: it is not. */
  blockedMs(address: ClientAddress, now: number): number {
    const faults = this.#faults.get(address.bucket, now);
    return faults === undefined || faults.count <= this.#faultsMax ? 0 : Math.max(0, faults.endsAt - now);
  }

  /** Counts one malformed or unrouted request. */
  countFault(address: ClientAddress, now: number): void {
    const faults = this.#faults.get(address.bucket, now);
    if (faults !== undefined && faults.endsAt > now) faults.count += 1;
    else this.#faults.set(address.bucket, { endsAt: now + wireLimits.firewall.windowMs, count: 1 }, now);
  }
}
