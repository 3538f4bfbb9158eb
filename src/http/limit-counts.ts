import type { Clock } from '#base/clock.ts';
import {
  type LimitCounts,
  type SharedCount,
  type SharedLimit,
  sharedLimits,
  sharedWindowMs,
} from '#model/shared-limits.ts';
import type { PendingCount, PendingCounts } from '#http/pending-counts.ts';

/** A limit that counts together with those of other nodes. */
export interface SharedCounter {
  /** From now on what is counted here is noted. */
  share(): PendingCounts;
  /** Adds what another node counted. */
  addShared(count: SharedCount, now: number): void;
}

/** The limits of this process, which from now on note what they count, for other nodes. DEC-CLU-22. */
export function shareLimits(counters: Readonly<Record<SharedLimit, SharedCounter>>, clock: Clock): LimitCounts {
  return new SharedCounters(counters, clock);
}

class SharedCounters implements LimitCounts {
  private readonly counters: Readonly<Record<SharedLimit, SharedCounter>>;
  private readonly clock: Clock;
  private readonly pending: readonly (readonly [SharedLimit, PendingCounts])[];

  constructor(counters: Readonly<Record<SharedLimit, SharedCounter>>, clock: Clock) {
    this.counters = counters;
    this.clock = clock;
    this.pending = sharedLimits.map((limit) => [limit, counters[limit].share()] as const);
  }

  get isUrgent(): boolean {
    return this.pending.some(([, counts]) => counts.isUrgent);
  }

  take(most: number): SharedCount[] {
    const now = this.clock.now();
    const all = this.pending.flatMap(([limit, from]) => from.at(now).map((count) => ({ limit, from, count })));
    if (all.length > most) all.sort((a, b) => b.count.share - a.count.share).splice(most);
    return all.map(({ limit, from, count }) => {
      from.forget(count.key);
      return toldAt(limit, count, now);
    });
  }

  add(counts: readonly SharedCount[]): void {
    const now = this.clock.now();
    for (const count of counts) this.counters[count.limit].addShared(count, now);
  }
}

const toldAt = (limit: SharedLimit, { key, amount, endsAt }: PendingCount, now: number): SharedCount => ({
  ...{ limit, key, amount },
  leftMs: Math.min(sharedWindowMs, Math.ceil(endsAt - now)),
});
