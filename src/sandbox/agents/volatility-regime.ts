import type { Prng } from '#base/prng.ts';
import { dayRhythm } from '#sandbox/agents/day-rhythm.ts';

/*
 * Calm and storm: the logarithm of volatility is the sum of a slow and a fast process that both return to zero, so
 * that large moves come in clusters of minutes to days, and returns have heavy tails over short times.
 */
const components = [
  { deviation: 0.3, halfLifeMs: 36 * 3_600_000 },
  { deviation: 0.48, halfLifeMs: 40 * 60_000 },
] as const;
const variance = components.reduce((sum, { deviation }) => sum + deviation * deviation, 0);
/** How much of the day's rhythm volatility follows. */
const rhythmExponent = 0.5;

/** The market-wide volatility of the moment. */
export interface VolatilityRegime {
  /** Volatility as a multiple of its usual value; its mean square is 1. */
  readonly level: number;
  /** Advances by exchange time, to `now`. */
  advance(elapsedMs: number, now: number): void;
}

/** A regime at a random point of its course. */
export function createVolatilityRegime(prng: Prng): VolatilityRegime {
  const logs = components.map(({ deviation }) => deviation * prng.gaussian());
  let level = Math.exp(logs.reduce((sum, log) => sum + log, 0) - variance);
  return {
    get level() {
      return level;
    },
    advance: (elapsedMs, now) => {
      let sum = 0;
      for (const [index, { deviation, halfLifeMs }] of components.entries()) {
        const kept = 0.5 ** (elapsedMs / halfLifeMs);
        logs[index] = logs[index]! * kept + deviation * Math.sqrt(1 - kept * kept) * prng.gaussian();
        sum += logs[index];
      }
      level = Math.exp(sum - variance) * dayRhythm(now) ** rhythmExponent;
    },
  };
}
