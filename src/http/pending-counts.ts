import type { SharedCount } from '#model/shared-limits.ts';

/** What one client has used of a limit, and other nodes do not know yet. */
export interface PendingCount extends Omit<SharedCount, 'limit' | 'leftMs'> {
  /** When its window ends, on the monotonic clock. */
  readonly endsAt: number;
  /** Part of the limit that it is. */
  readonly share: number;
}

/** Clients of one limit that wait to be told; whoever comes later counts here alone until they are. */
const clientsMax = 5000;
/** Part of a limit that others are told at once. */
const urgentShare = 0.1;

/** What a limit counted since other nodes were told. DEC-CLU-22. */
export class PendingCounts {
  readonly #limit: number;
  readonly #counts = new Map<string, { amount: number; endsAt: number }>();
  #isUrgent = false;

  /** `limit`: what a client may use in a window. */
  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  get isUrgent(): boolean {
    return this.#isUrgent;
  }

  /** Adds to what is to be told. */
  note(key: string, amount: number, endsAt: number): void {
    const known = this.#counts.get(key);
    const count = known ?? { amount: 0, endsAt };
    if (known === undefined) {
      if (this.#counts.size >= clientsMax) return;
      this.#counts.set(key, count);
    }
    count.amount += amount;
    count.endsAt = Math.max(count.endsAt, endsAt);
    if (count.amount >= this.#limit * urgentShare) this.#isUrgent = true;
  }

  /** Another window has begun: what was counted in the last one matters to nobody. */
  forget(key: string): void {
    this.#counts.delete(key);
  }

  /** What is to be told at `now`; what was told has to be forgotten. */
  at(now: number): PendingCount[] {
    this.#isUrgent = false;
    const counts: PendingCount[] = [];
    for (const [key, { amount, endsAt }] of this.#counts) {
      if (endsAt > now) counts.push({ key, amount, endsAt, share: amount / this.#limit });
      else this.#counts.delete(key);
    }
    return counts;
  }
}
