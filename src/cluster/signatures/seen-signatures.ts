import { BoundedCache } from '#base/bounded-cache.ts';
import type { Clock } from '#base/clock.ts';
import type { ClaimVerdict, SignatureClaim, SignatureUse } from '#sequencer/signature-authority.ts';

/** What a leader remembers signatures with. */
export interface SeenSignatureParts {
  /** Never runs backwards. */
  readonly clock: Clock;
  /** How long signatures are remembered, in milliseconds: longer than a request may be on its way. */
  readonly keepMs: number;
  /** When the term began: what was signed before may have been used at a leader that is gone. */
  readonly since: number;
  /** As `since`, for what may happen once; it counts clocks of clients that are ahead. */
  readonly onceSince: number;
}

/** Of each kind, over all nodes; the oldest are forgotten. */
const signaturesKept = 200_000;

/** The signatures that a leader has seen in its term, of all nodes. Reads do not push out what was claimed. */
export class SeenSignatures {
  private readonly parts: SeenSignatureParts;
  /** Method and path of each, by the 32 bytes. */
  private readonly claimed: BoundedCache<string, string>;
  private readonly read: BoundedCache<string, string>;

  constructor(parts: SeenSignatureParts) {
    this.parts = parts;
    const kept = { keepMs: parts.keepMs, entriesKept: signaturesKept };
    this.claimed = new BoundedCache(kept);
    this.read = new BoundedCache(kept);
  }

  /** Signatures that are remembered. */
  get size(): number {
    return this.claimed.size + this.read.size;
  }

  /** A request that needed no leave was served. */
  see({ signature, route }: SignatureUse): void {
    const now = this.parts.clock.now();
    const key = keyOf(signature);
    if (this.read.get(key, now) === undefined) this.read.set(key, route, now);
  }

  /** Decides over a claim, and remembers it where it is granted. */
  claim({ signature, route, isOnce, madeAt }: SignatureClaim): ClaimVerdict {
    const { since, onceSince, clock } = this.parts;
    if (madeAt < since) return 'fromBefore';
    if (isOnce && madeAt < onceSince) return 'tooSoon';
    const now = clock.now();
    const key = keyOf(signature);
    const first = this.claimed.get(key, now) ?? this.read.get(key, now);
    if (first === undefined) this.claimed.set(key, route, now);
    return first !== undefined && (first !== route || isOnce) ? 'used' : 'granted';
  }
}

const keyOf = (signature: Uint8Array): string => Buffer.from(signature).toString('latin1');
