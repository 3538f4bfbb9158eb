/** The only place that reads the machine's time. Everything else takes a clock as an argument. */
export interface Clock {
  /** Milliseconds since 1970 UTC, whole. May stand still or be set by an operator; readers must not assume progress. */
  now(): number;
}

/** The machine's calendar time; may step when the machine's clock is set. */
export const wallClock: Clock = { now: () => Date.now() };

/** Milliseconds that never run backwards, for rate windows and timeouts. DEC-REQ-30. */
export const monotonicClock: Clock = { now: () => Math.floor(performance.now()) };

/** Milliseconds with fractions that never run backwards, for timing short operations. */
export const stopwatch = (): number => performance.now();

/**
 * Calls `run` about every `everyMs` until the returned function is called. Whose time it is, the implementation
 * decides; one that steps its time itself waits for a promise that `run` returns, which never rejects.
 */
export type Repeat = (everyMs: number, run: () => unknown) => () => void;

/** `Repeat` by the machine's time. */
export const repeatedly: Repeat = (everyMs, run) => {
  const timer = setInterval(run, everyMs);
  return () => clearInterval(timer);
};

/** Runs `run` once after `delayMs`, unless the returned function is called first. */
export type SetTimer = (delayMs: number, run: () => void) => () => void;

/** `SetTimer` by the machine's time. */
export const machineTimer: SetTimer = (delayMs, run) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

/** A moment as people read it: `2026-01-31T12:00:00.000Z`. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
/** The milliseconds since 1970 UTC of `2026-01-31T12:00:00Z`; `null`: it is no time. */
export function timeOfIso(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
/** The UTC day of a moment as people read it: `2026-01-31`. */
export const isoDate = (ms: number): string => isoTime(ms).slice(0, 10);
