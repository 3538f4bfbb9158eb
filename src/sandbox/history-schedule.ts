/*
 * Steps of the agents while the market's history is made: wide for old days, narrow for recent ones. Each candle
 * of 5 minutes and more has trades over the whole time, each of a minute in the last day.
 */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How far back the history of a new market reaches. */
export const historyMs = 33 * dayMs;

/** Oldest first; `stepMs` holds while the step's age is above `untilAgeMs`. */
const phases: readonly { readonly untilAgeMs: number; readonly stepMs: number }[] = [
  { untilAgeMs: 25 * 60 * minuteMs, stepMs: 5 * minuteMs },
  { untilAgeMs: 0, stepMs: minuteMs },
];

/** Time of the step after `at`, at most `until`. */
export function nextHistoryMoment(at: number, until: number): number {
  const age = until - at;
  const phase = phases.find(({ untilAgeMs }) => age > untilAgeMs);
  if (phase === undefined) return until;
  return Math.min(until, at + phase.stepMs);
}

/** Number of steps from `from` to `until`, including the last. */
export function countHistoryMoments(from: number, until: number): number {
  let count = 0;
  for (let at = from; at < until; at = nextHistoryMoment(at, until)) count += 1;
  return count;
}
