import { BoundedCache } from '#base/bounded-cache.ts';
import { wireLimits } from '#api/limits.ts';

/** Which routes refuse a signature that was used elsewhere. DEC-REQ-15. */
export type ReuseRule = 'all' | 'money' | 'off';

/** Signatures that are remembered over all keys; the oldest make room. */
const signaturesKept = 100_000;

/**
 * Remembers where each signature was used, because a signature covers neither method nor path: a signed GET could be
 * replayed as a DELETE. Bounded in time and in number.
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
   * Notes a verified signature. True: it was used with another method or path before, and this route forbids that.
   * `route` is method and path. Two keys never make the same signature, so it needs no key beside it.
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
    // A string of its own, equal for either case: a part of the query would keep the whole query in memory.
    const signature = Buffer.from(use.signature, 'hex').toString('latin1');
    const first = this.#routes.get(signature, now);
    if (first === undefined) this.#routes.set(signature, use.route, now);
    const isGuarded = this.#rule === 'all' ? use.isMutating : use.isMoney;
    return isGuarded && first !== undefined && first !== use.route;
  }
}
