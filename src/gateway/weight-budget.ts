import { RecentTable } from '#gateway/recent-table.ts';

/** What became of spending from a budget. */
export interface Spending {
  /** False: the budget is used up and nothing was taken. */
  readonly isAllowed: boolean;
  /** What the window has used, this spending included if it was allowed. */
  readonly used: number;
  /** Milliseconds until the window ends. */
  readonly remainingMs: number;
}

/** How much may be spent in which time. */
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
 * Budgets by key, each with a fixed window from its first use. Memory is bounded: at most twice `bucketsMax` buckets,
 * the oldest make room. Times come from the monotonic clock. decisions.md section 2.
 */
export class WeightBudget {
  readonly #rules: BudgetRules;
  readonly #buckets: RecentTable<Bucket>;

  constructor(rules: BudgetRules) {
    this.#rules = rules;
    this.#buckets = new RecentTable({ keepMs: rules.windowMs, entriesMax: rules.bucketsMax });
  }

  get size(): number {
    return this.#buckets.size;
  }

  spend(key: string, cost: number, now: number): Spending {
    const { limit, windowMs } = this.#rules;
    let bucket = this.#buckets.get(key, now);
    if (bucket === undefined || bucket.endsAt <= now) {
      bucket = { endsAt: now + windowMs, used: 0 };
      this.#buckets.put(key, bucket, now);
    }
    const isAllowed = bucket.used + cost <= limit;
    if (isAllowed) bucket.used += cost;
    return { isAllowed, used: bucket.used, remainingMs: bucket.endsAt - now };
  }
}

/** Retry-After: whole seconds, at least one. */
export const retryAfterSeconds = (remainingMs: number): number => Math.max(1, Math.ceil(remainingMs / 1000));
