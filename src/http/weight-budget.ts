import { BoundedCache } from '#base/bounded-cache.ts';

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
}

/**
 * Budgets by key, each with a fixed window that starts at its first use. Memory is bounded: at most twice `bucketsMax`
 * buckets, the oldest are evicted. Times are those of the monotonic clock. SPEC-CNV-21, DEC-LIM-01.
 */
export class WeightBudget {
  readonly #rules: BudgetRules;
  readonly #buckets: BoundedCache<string, Bucket>;

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
    if (isAllowed) bucket.used += cost;
    return { isAllowed, used: bucket.used, remainingMs: bucket.endsAt - now };
  }

  /** Spends `cost`, at most what is left of `limit`, without refusing. Returns the used weight of the window. */
  exact(key: string, cost: number, now: number, limit = this.#rules.limit): number {
    const bucket = this.#bucketAt(key, now);
    bucket.used = Math.max(bucket.used, Math.min(limit, bucket.used + cost));
    return bucket.used;
  }

  #bucketAt(key: string, now: number): Bucket {
    const known = this.#buckets.get(key, now);
    if (known !== undefined && known.endsAt > now) return known;
    const bucket = { endsAt: now + this.#rules.windowMs, used: 0 };
    this.#buckets.set(key, bucket, now);
    return bucket;
  }
}

/** Value of Retry-After: whole seconds, at least one. */
export const retryAfterSeconds = (remainingMs: number): number => Math.max(1, Math.ceil(remainingMs / 1000));
