import type { Prng } from '#base/prng.ts';
import { dayRhythm, meanSquareOfRhythm } from '#sandbox/agents/day-rhythm.ts';

/*
 * Calm and storm: the logarithm of volatility wanders and returns to zero, so that large moves come in clusters, and
 * returns have heavy tails over short times. Storms are short beside a day, and a day has a rhythm: so one day is much
 * like another, also the first one of live trading.
 */
const storms = { deviation: 0.5, halfLifeMs: 30 * 60_000, mostDeviations: 3 } as const;
const variance = storms.deviation ** 2;
const usual = Math.sqrt(meanSquareOfRhythm);

/** The market-wide volatility of the moment. */
export interface VolatilityRegime {
  /** Volatility as a multiple of its usual value; its mean square is 1. */
  readonly level: number;
  /** Advances by exchange time, to `now`. */
  advance(elapsedMs: number, now: number): void;
}

/** A regime that begins neither calm nor stormy. */
export function createVolatilityRegime(prng: Prng): VolatilityRegime {
  let log = 0;
  let level = 1;
  return {
    get level() {
      return level;
    },
    advance: (elapsedMs, now) => {
      const kept = 0.5 ** (elapsedMs / storms.halfLifeMs);
      log = log * kept + storms.deviation * Math.sqrt(1 - kept * kept) * prng.gaussian();
      const most = storms.deviation * storms.mostDeviations;
      level = (Math.exp(Math.max(-most, Math.min(most, log)) - variance) * dayRhythm(now)) / usual;
    },
  };
}
