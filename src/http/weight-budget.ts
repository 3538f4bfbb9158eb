import { assert } from '#base/assert.ts';
import { BoundedCache } from '#base/bounded-cache.ts';
import { type SharedCount, sharedWindowMs } from '#model/shared-limits.ts';
import { PendingCounts } from '#http/pending-counts.ts';

/** Result of spending from a budget. */
export interface Spending {
  /** False: the budget is exceeded and nothing was spent. */
  readonly isAllowed: boolean;
  /** Used weight of the window, including this spending if it was allowed. */
  readonly used: number;
  /** Milliseconds until the window ends. */
  readonly remainingMs: number;
}

/** Window, limit and number of buckets. */
export interface BudgetRules {
  readonly windowMs: number;
  readonly limit: number;
  readonly bucketsMax: number;
}

interface Bucket {
  readonly endsAt: number;
  used: number;
  /** The window after this one, where it has begun at another node already. */
  next: Bucket | null;
}

/**
 * Budgets by key, each with a fixed window that starts at its first use. Memory is bounded: at most twice `bucketsMax`
 * buckets, the oldest are evicted. Times are those of the monotonic clock. SPEC-CNV-21, DEC-LIM-01.
 */
export class WeightBudget {
  readonly #rules: BudgetRules;
  readonly #buckets: BoundedCache<string, Bucket>;
  #pending: PendingCounts | null = null;

  constructor(rules: BudgetRules) {
    this.#rules = rules;
    this.#buckets = new BoundedCache({ keepMs: rules.windowMs, entriesKept: rules.bucketsMax });
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** What a bucket may use in a window, unless the spending says otherwise. */
  get limit(): number {
    return this.#rules.limit;
  }

  /** `limit`: of this bucket, from now on: its window goes on. */
  spend(key: string, cost: number, now: number, limit = this.#rules.limit): Spending {
    const bucket = this.#bucketAt(key, now);
    const isAllowed = bucket.used + cost <= limit;
    if (isAllowed) this.#use(key, bucket, cost);
    return { isAllowed, used: bucket.used, remainingMs: bucket.endsAt - now };
  }

  /** Spends `cost`, at most what is left of `limit`, without refusing. Returns the used weight of the window. */
  exact(key: string, cost: number, now: number, limit = this.#rules.limit): number {
    const bucket = this.#bucketAt(key, now);
    const used = Math.max(bucket.used, Math.min(limit, bucket.used + cost));
    if (used > bucket.used) this.#use(key, bucket, used - bucket.used);
    return bucket.used;
  }

  /** The bucket as it is; `null`: its window is over, or nothing was spent. */
  spent(key: string, now: number): Omit<Spending, 'isAllowed'> | null {
    const bucket = this.#openAt(key, now);
    return bucket === null ? null : { used: bucket.used, remainingMs: bucket.endsAt - now };
  }

  /** From now on what is spent here is noted, for other nodes. Answers where. DEC-CLU-22. */
  share(): PendingCounts {
    assert(this.#rules.windowMs <= sharedWindowMs, 'a window that is shared is told whole');
    this.#pending = new PendingCounts(this.#rules.limit);
    return this.#pending;
  }

  /**
   * Adds what was spent at another node. Windows of all nodes are those of the node where the client came first: a key
   * without one here gets that of the other node. Where that node has begun the next window already, it waits for it.
   */
  addShared({ key, amount, leftMs }: SharedCount, now: number): void {
    const { windowMs } = this.#rules;
    if (leftMs <= 0) return;
    const endsAt = now + Math.min(leftMs, windowMs);
    const bucket = this.#openAt(key, now) ?? this.#begin(key, endsAt, now);
    const laterMs = endsAt - bucket.endsAt;
    if (Math.abs(laterMs) <= windowMs / 2) {
      bucket.used += amount;
    } else if (laterMs > 0) {
      bucket.next ??= { endsAt, used: 0, next: null };
      bucket.next.used += amount;
      // So that it is kept until that window is over.
      this.#buckets.set(key, bucket, now);
    }
  }

  #use(key: string, bucket: Bucket, cost: number): void {
    bucket.used += cost;
    this.#pending?.note(key, cost, bucket.endsAt);
  }

  #bucketAt(key: string, now: number): Bucket {
    return this.#openAt(key, now) ?? this.#begin(key, now + this.#rules.windowMs, now);
  }

  /** The bucket whose window goes on; `null`: there is none. */
  #openAt(key: string, now: number): Bucket | null {
    const known = this.#buckets.get(key, now);
    if (known === undefined) return null;
    if (known.endsAt > now) return known;
    const { next } = known;
    if (next === null || next.endsAt <= now) return null;
    this.#pending?.forget(key);
    this.#buckets.set(key, next, now);
    return next;
  }

  #begin(key: string, endsAt: number, now: number): Bucket {
    this.#pending?.forget(key);
    const bucket = { endsAt, used: 0, next: null };
    this.#buckets.set(key, bucket, now);
    return bucket;
  }
}

/** Value of Retry-After: whole seconds, at least one. */
export const retryAfterSeconds = (remainingMs: number): number => Math.max(1, Math.ceil(remainingMs / 1000));
