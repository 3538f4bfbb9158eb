/**
 * Limits that all nodes of a cluster count together. They are told between nodes by their place here, so a change of
 * this list is another version of the link. DEC-CLU-22.
 */
export const sharedLimits = [
  'addressWeight',
  'futuresCalls',
  'accountWeight',
  'accountCalls',
  'faults',
  'violations',
] as const;
/** One of them. */
export type SharedLimit = (typeof sharedLimits)[number];

/** What was counted for one client of a limit. */
export interface SharedCount {
  readonly limit: SharedLimit;
  /** Whom it was counted for, as the limit names its clients. */
  readonly key: string;
  /** 0 or more. */
  readonly amount: number;
  /** Milliseconds until the window in which it was counted ends; of a violation, until the client may ask again. */
  readonly leftMs: number;
}

/** Longest window of such a limit, in milliseconds. */
export const sharedWindowMs = 60_000;

/** The limits of a process, as other nodes see them. */
export interface LimitCounts {
  /** Whether a client has used so much of a limit that others should be told soon. */
  readonly isUrgent: boolean;
  /**
   * What was counted here since the last call, at most `most`: of more, those that are nearest to their limits, and the
   * others stay for the next call. What other nodes counted is not among it.
   */
  take(most: number): SharedCount[];
  /** Adds what other nodes counted. Never refuses a client anything by itself: its next request is counted on top. */
  add(counts: readonly SharedCount[]): void;
}
