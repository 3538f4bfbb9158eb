import { BoundedCache } from '#base/bounded-cache.ts';
import { wireLimits } from '#http/limits.ts';

/** Which routes refuse a signature that was used for another request. DEC-REQ-15. */
export type ReuseRule = 'all' | 'money' | 'off';

/** What decides whether a route is guarded. */
interface GuardedRoute {
  readonly isMutating: boolean;
  readonly isMoney: boolean;
}

/** A verified signature and what it is used for. */
export interface SignedUse extends GuardedRoute {
  readonly signature: string;
  /** Method and path. */
  readonly route: string;
  readonly takesMoney: boolean;
}

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

  /** Whether signatures are remembered at all. */
  get isOn(): boolean {
    return this.#rule !== 'off';
  }

  /** Whether a route refuses signatures that were used before. */
  guards({ isMutating, isMoney }: GuardedRoute): boolean {
    return this.#rule === 'all' ? isMutating : this.#rule === 'money' && isMoney;
  }

  /**
   * Records a verified signature. Returns true if this route is guarded and it was used with another method or path
   * before, or with this one where that takes money out of a wallet: orders may repeat. `route`: method and path.
   * Different keys give different signatures, so the key is not needed.
   */
  isReplay(use: SignedUse, now: number): boolean {
    if (this.wasUsed(use, now)) return true;
    this.remember(use, now);
    return false;
  }

  /** As `isReplay`, of a signature whose use is not decided yet: it is not recorded. */
  wasUsed(use: SignedUse, now: number): boolean {
    const first = this.#routes.get(keyOf(use), now);
    return this.guards(use) && first !== undefined && (first !== use.route || use.takesMoney);
  }

  /** Records a verified signature, unless it is known. */
  remember(use: SignedUse, now: number): void {
    if (this.#rule === 'off') return;
    const signature = keyOf(use);
    if (this.#routes.get(signature, now) === undefined) this.#routes.set(signature, use.route, now);
  }
}

// A new string, equal for both cases of hex: a slice of the query would keep the whole query in memory.
const keyOf = ({ signature }: SignedUse): string => Buffer.from(signature, 'hex').toString('latin1');
