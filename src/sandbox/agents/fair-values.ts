import type { Prng } from '#base/prng.ts';
import type { AssetProfile } from '#sandbox/agents/market-profile.ts';

const dayMs = 86_400_000;
/** Market-wide volatility: logarithm of a factor by which all values move more or less than usual. */
const volatility = { deviation: 0.35, halfLifeMs: 4 * 3_600_000 } as const;

/**
 * The fair value of each asset in US dollars, which the simulated participants share. The logarithm of a value reverts
 * to its initial value and moves at random: partly with one factor common to the market, partly on its own. Trades move
 * it towards their price.
 */
export interface FairValues {
  /** Advances by exchange time. */
  advance(elapsedMs: number): void;
  /** The fair value of an asset; `usd` changes, so read it when it is needed. @throws RangeError without a profile. */
  of(code: string): FairValue;
  /** Sets a fair value, for example to the last traded price after a restart. */
  anchor(code: string, usd: number): void;
  /** Moves the logarithm of a value by `logDelta`, at most 5 % at a time. */
  pull(code: string, logDelta: number): void;
  /** Moves the logarithm of a value by `logDelta` evenly over the time to come; takes the place of an earlier move. */
  move(code: string, logDelta: number, durationMs: number): void;
}

/** The current fair value of an asset. */
export interface FairValue {
  readonly usd: number;
}

/** A fair value as its logarithmic deviation from the initial value. */
class MovingValue implements FairValue {
  readonly profile: AssetProfile;
  usd: number;
  #deviation = 0;
  #moveLog = 0;
  #moveLeftMs = 0;

  constructor(profile: AssetProfile) {
    this.profile = profile;
    this.usd = profile.initialUsd;
  }

  /** Logarithm of value over initial value. */
  get deviation(): number {
    return this.#deviation;
  }

  set deviation(deviation: number) {
    this.#deviation = deviation;
    this.usd = this.profile.initialUsd * Math.exp(deviation);
  }

  beginMove(logDelta: number, durationMs: number): void {
    this.#moveLog = logDelta;
    this.#moveLeftMs = durationMs;
  }

  /** The part of the move that falls into this time. */
  takeMove(elapsedMs: number): number {
    if (this.#moveLeftMs <= 0) return 0;
    const part = this.#moveLog * Math.min(1, elapsedMs / this.#moveLeftMs);
    this.#moveLog -= part;
    this.#moveLeftMs -= elapsedMs;
    return part;
  }
}

/** Fair values at their initial values. */
export function createFairValues(profiles: readonly AssetProfile[], prng: Prng): FairValues {
  const values = profiles.map((profile) => new MovingValue(profile));
  const byCode = new Map(values.map((value) => [value.profile.code, value]));
  let volatilityLog = 0;

  const fairValueOf = (code: string): MovingValue => {
    const value = byCode.get(code);
    if (value === undefined) throw new RangeError(`${code} has no fair value`);
    return value;
  };
  const advance = (elapsedMs: number): void => {
    if (elapsedMs <= 0) return;
    const volatilityKept = 0.5 ** (elapsedMs / volatility.halfLifeMs);
    volatilityLog =
      volatilityLog * volatilityKept +
      volatility.deviation * Math.sqrt(1 - volatilityKept * volatilityKept) * prng.gaussian();
    const pace = Math.exp(volatilityLog - volatility.deviation * volatility.deviation);
    const common = prng.gaussian();
    for (const value of values) {
      const { dailyVolatility, marketCorrelation, halfLifeDays } = value.profile;
      if (dailyVolatility === 0) continue;
      const decay = Math.LN2 / (halfLifeDays * dayMs);
      const kept = Math.exp(-decay * elapsedMs);
      const spread = dailyVolatility * Math.sqrt((1 - kept * kept) / (2 * decay * dayMs));
      const shock = marketCorrelation * common + Math.sqrt(1 - marketCorrelation ** 2) * prng.gaussian();
      value.deviation = value.deviation * kept + pace * spread * shock + value.takeMove(elapsedMs);
    }
  };
  return {
    advance,
    of: fairValueOf,
    anchor: (code, usd) => {
      if (!(usd > 0) || !Number.isFinite(usd)) throw new RangeError(`${code} cannot be worth ${usd}`);
      const value = fairValueOf(code);
      value.deviation = Math.log(usd / value.profile.initialUsd);
    },
    move: (code, logDelta, durationMs) => {
      const value = fairValueOf(code);
      if (value.profile.dailyVolatility > 0) value.beginMove(logDelta, durationMs);
    },
    pull: (code, logDelta) => {
      const value = fairValueOf(code);
      if (value.profile.dailyVolatility > 0) value.deviation += Math.max(-0.05, Math.min(0.05, logDelta));
    },
  };
}
