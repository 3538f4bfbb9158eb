import { BoundedCache } from '#base/bounded-cache.ts';
import { wireLimits } from '#api/limits.ts';

/** Which routes refuse a signature that was used for another request. DEC-REQ-15. */
export type ReuseRule = 'all' | 'money' | 'off';

/** Signatures that are remembered, of all keys; the oldest are evicted. */
const signaturesKept = 100_000;

/**
 * Replay protection: remembers the route of each signature, because a signature does not cover method and path, so a
 * signed GET could be replayed as a DELETE. Bounded in time and number.
 */
export class SignatureReuse {
  readonly #rule: ReuseRule;
  /** Route of each signature, by its 32 bytes. */
  readonly #routes = new BoundedCache<string, string>({
    keepMs: wireLimits.signing.signatureMemoryMs,
    entriesKept: signaturesKept,
  });

  constructor(rule: ReuseRule) {
    this.#rule = rule;
  }

  get size(): number {
    return this.#routes.size;
  }

  /**
   * Records a verified signature. Returns true if it was used with another method or path before, and this route
   * forbids that. `route`: method and path. Different keys give different signatures, so the key is not needed.
   */
  isReplay(
    use: {
      readonly signature: string;
      readonly route: string;
      readonly isMutating: boolean;
      readonly isMoney: boolean;
    },
    now: number,
  ): boolean {
    if (this.#rule === 'off') return false;
    // A new string, equal for both cases of hex: a slice of the query would keep the whole query in memory.
    const signature = Buffer.from(use.signature, 'hex').toString('latin1');
    const first = this.#routes.get(signature, now);
    if (first === undefined) this.#routes.set(signature, use.route, now);
    const isGuarded = this.#rule === 'all' ? use.isMutating : use.isMoney;
    return isGuarded && first !== undefined && first !== use.route;
  }
}
