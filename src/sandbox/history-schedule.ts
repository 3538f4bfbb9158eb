/*
 * Steps of the agents while the market's history is made, and of a clock that is advanced far: wide for old days,
 * narrow for recent ones. Each candle of 5 minutes and more has trades over the whole time of a history, each of a
 * minute in its last day. DEC-KIT-05.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How far back the history of a new market reaches. */
export const historyMs = 33 * dayMs;

/** Oldest first; `stepMs` holds while the step's age is above `untilAgeMs`. */
const phases: readonly { readonly untilAgeMs: number; readonly stepMs: number }[] = [
  { untilAgeMs: 35 * dayMs, stepMs: hourMs },
  { untilAgeMs: 25 * hourMs, stepMs: 5 * minuteMs },
  { untilAgeMs: 0, stepMs: minuteMs },
];
/** The longest step there is. */
export const longestStepMs = hourMs;

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

/**
 * Time of the step after `at` of a clock that is advanced to `until`: as in a history, at whole multiples of the step,
 * so that hours and days begin at one. Without simulated traders no step is shorter than a quarter of an hour.
 */
export function nextCoarseMoment(at: number, until: number, hasTraders: boolean): number {
  const age = until - at;
  const phase = phases.find(({ untilAgeMs }) => age > untilAgeMs);
  if (phase === undefined) return until;
  const stepMs = hasTraders ? phase.stepMs : Math.max(phase.stepMs, 15 * minuteMs);
  return Math.min(until, (Math.floor(at / stepMs) + 1) * stepMs);
}

/** Time of the step after `at` of a clock that runs fast: the next whole minute. */
export const nextMinute = (at: number): number => (Math.floor(at / minuteMs) + 1) * minuteMs;
