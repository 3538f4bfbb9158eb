import { wireLimits } from '#api/limits.ts';
import { RecentTable } from '#gateway/recent-table.ts';

/** Which routes refuse a signature that was used elsewhere. decisions.md section 1, "Replay". */
export type ReuseRule = 'all' | 'money' | 'off';

/** Signatures remembered at a time, over all keys; the oldest make room. */
const signaturesKept = 100_000;

/**
 * Remembers where each signature was used, because a signature covers neither method nor path: a signed GET could be
 * replayed as a DELETE. Bounded in time and in number.
 */
export class SignatureReuse {
  readonly #rule: ReuseRule;
  readonly #seen = new RecentTable<string>({
    keepMs: wireLimits.signing.signatureMemoryMs,
    entriesMax: signaturesKept,
  });

  constructor(rule: ReuseRule) {
    this.#rule = rule;
  }

  get size(): number {
    return this.#seen.size;
  }

  /**
   * Notes a verified signature. True: it was used with another method or path before, and this route forbids that.
   * `route` is method and path.
   */
  isReplay(
    use: {
      readonly accessKey: string;
      readonly signature: string;
      readonly route: string;
      readonly isMutating: boolean;
      readonly isMoney: boolean;
    },
    now: number,
  ): boolean {
    if (this.#rule === 'off') return false;
    const key = `${use.accessKey} ${use.signature.toLowerCase()}`;
    const first = this.#seen.get(key, now);
    if (first === undefined) {
      this.#seen.put(key, use.route, now);
      return false;
    }
    const isGuarded = this.#rule === 'all' ? use.isMutating : use.isMoney;
    return isGuarded && first !== use.route;
  }
}
