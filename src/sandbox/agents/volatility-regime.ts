import type { Prng } from '#base/prng.ts';

/*
 * Calm and storm: the logarithm of volatility wanders and returns to zero, so that large moves come in clusters, and
 * returns have heavy tails over short times. Storms are short beside a day, and a day has a rhythm: so one day is much
 * like another, also the first one of live trading.
 */

const hourMs = 3_600_000;
/** When Europe and America both trade, in hours UTC. */
const busiestHour = 14.5;
/** Weights of the waves of a day and of half a day. */
const waves = { day: 0.45, half: 0.15 } as const;

/** Mean of the rhythm's square over a day. */
const meanSquareOfRhythm = 1 + (waves.day ** 2 + waves.half ** 2) / 2;

/** How busy the market usually is at this time of the day (UTC): 0.7 to 1.6, 1 on average. */
export function dayRhythm(now: number): number {
  const turn = (2 * Math.PI * (now / hourMs - busiestHour)) / 24;
  return 1 + waves.day * Math.cos(turn) + waves.half * Math.cos(2 * turn);
}

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
