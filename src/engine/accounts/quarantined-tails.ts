import { engineLimits } from '#domain/limits.ts';
import type { AccountId, TimestampMs } from '#domain/units.ts';

/** A tail of the journal that was put aside because of a command of this account. */
export interface QuarantinedTail {
  readonly account: AccountId;
  readonly at: TimestampMs;
}

/** What was put aside so far, and whose commands were to blame of late. */
export class QuarantinedTails {
  /** Tails since the journal began. */
  count = 0;
  /** Entries in them. */
  entryCount = 0;
  /** Of the last hour when the newest was added, oldest first. */
  recent: readonly QuarantinedTail[] = [];

  /** Adds a tail and forgets those that are an hour old. Answers how many of the account's are left with it. */
  add(tail: QuarantinedTail): number {
    const kept = this.recent.filter(({ at }) => tail.at - at < engineLimits.tailsWindowMs);
    this.recent = [...kept, tail].slice(-engineLimits.tailsKept);
    return this.recent.filter(({ account }) => account === tail.account).length;
  }
}
