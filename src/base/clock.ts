/** The only place that reads the machine's time. Everything else takes a clock as an argument. */
export interface Clock {
  /** Milliseconds since 1970 UTC, whole. May stand still or be set by an operator; readers must not assume progress. */
  now(): number;
}

export const wallClock: Clock = { now: () => Date.now() };

/** Milliseconds that never run backwards, for rate windows and timeouts. decisions.md section 1, "Clocks". */
export const monotonicClock: Clock = { now: () => Math.floor(performance.now()) };
