import { wireLimits } from '#api/limits.ts';
import { SignatureTable } from '#gateway/signing/signature-table.ts';

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
  /** Numbers of the routes met so far, from 1; there are as many as endpoints. */
  readonly #routes = new Map<string, number>();
  readonly #seen = new SignatureTable({
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
    const route = this.#numberOf(use.route);
    const first = this.#seen.note(use.signature, route, now);
    if (first === 0) return false;
    const isGuarded = this.#rule === 'all' ? use.isMutating : use.isMoney;
    return isGuarded && first !== route;
  }

  #numberOf(route: string): number {
    let number = this.#routes.get(route);
    if (number === undefined) this.#routes.set(route, (number = this.#routes.size + 1));
    return number;
  }
}
