import { wireLimits } from '#http/limits.ts';
import type { AddressRanges, ClientAddress } from '#http/client-address.ts';
import { addressRanges } from '#http/client-address.ts';
import { WeightBudget } from '#http/weight-budget.ts';

/**
 * The firewall: 403 for addresses that the operator denies, and for addresses that sent too many malformed requests,
 * until their window ends. SPEC-CNV-24, DEC-LIM-04.
 */
export class Firewall {
  readonly #denied: AddressRanges;
  readonly #faultsMax: number;
  /** Malformed requests by address. */
  readonly faults: WeightBudget;

  constructor({ denied, faultsMax }: { readonly denied: readonly string[]; readonly faultsMax: number }) {
    this.#denied = addressRanges(denied);
    this.#faultsMax = faultsMax;
    this.faults = new WeightBudget({
      windowMs: wireLimits.firewall.windowMs,
      limit: faultsMax,
      bucketsMax: wireLimits.rate.bucketsKept,
    });
  }

  get size(): number {
    return this.faults.size;
  }

  /** Whether the operator denies the address. */
  denies(address: ClientAddress): boolean {
    return !this.#denied.isEmpty && this.#denied.includes(address.parsed);
  }

  /** Milliseconds for which the address stays blocked for its malformed requests; 0: it is not. */
  blockedMs(address: ClientAddress, now: number): number {
    const faults = this.faults.spent(address.bucket, now);
    return faults === null || faults.used <= this.#faultsMax ? 0 : faults.remainingMs;
  }

  /** Counts one malformed or unrouted request. */
  countFault(address: ClientAddress, now: number): void {
    this.faults.exact(address.bucket, 1, now, Number.MAX_SAFE_INTEGER);
  }
}
