import type { Prng } from '#base/prng.ts';
import type { AssetProfile } from '#sandbox/agents/market-profile.ts';

const dayMs = 86_400_000;
/** The mood of the market: how much livelier or calmer than usual all values move, as a logarithm. */
const mood = { deviation: 0.35, halfLifeMs: 4 * 3_600_000 } as const;

/**
 * What simulated participants believe each asset is worth, in US dollars. The logarithm of a value is pulled back to
 * its beginning and pushed by chance: partly by one factor common to the market, partly by the asset's own. Trades
 * pull it too, so that who pays more moves the market.
 */
export interface FairValues {
  /** Lets exchange time pass. */
  advance(elapsedMs: number): void;
  /** The belief in an asset, to be read again whenever it is needed. @throws RangeError without a profile. */
  of(code: string): Belief;
  /** Sets a belief, for example to the last traded price after a restart. */
  anchor(code: string, usd: number): void;
  /** Moves the logarithm of a value by `logDelta`, at most 5 % at a time. */
  pull(code: string, logDelta: number): void;
}

/** What an asset is believed to be worth now. */
export interface Belief {
  readonly usd: number;
}

class MovingBelief implements Belief {
  readonly profile: AssetProfile;
  usd: number;
  #deviation = 0;

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
}

/** Beliefs at their initial values. */
export function createFairValues(profiles: readonly AssetProfile[], prng: Prng): FairValues {
  const beliefs = profiles.map((profile) => new MovingBelief(profile));
  const byCode = new Map(beliefs.map((belief) => [belief.profile.code, belief]));
  let moodLog = 0;

  const beliefIn = (code: string): MovingBelief => {
    const belief = byCode.get(code);
    if (belief === undefined) throw new RangeError(`nobody knows what ${code} is worth`);
    return belief;
  };
  const advance = (elapsedMs: number): void => {
    if (elapsedMs <= 0) return;
    const moodKept = 0.5 ** (elapsedMs / mood.halfLifeMs);
    moodLog = moodLog * moodKept + mood.deviation * Math.sqrt(1 - moodKept * moodKept) * prng.gaussian();
    const pace = Math.exp(moodLog - mood.deviation * mood.deviation);
    const common = prng.gaussian();
    for (const belief of beliefs) {
      const { dailyVolatility, marketCorrelation, halfLifeDays } = belief.profile;
      if (dailyVolatility === 0) continue;
      const decay = Math.LN2 / (halfLifeDays * dayMs);
      const kept = Math.exp(-decay * elapsedMs);
      const spread = dailyVolatility * Math.sqrt((1 - kept * kept) / (2 * decay * dayMs));
      const shock = marketCorrelation * common + Math.sqrt(1 - marketCorrelation ** 2) * prng.gaussian();
      belief.deviation = belief.deviation * kept + pace * spread * shock;
    }
  };
  return {
    advance,
    of: beliefIn,
    anchor: (code, usd) => {
      if (!(usd > 0) || !Number.isFinite(usd)) throw new RangeError(`${code} cannot be worth ${usd}`);
      const belief = beliefIn(code);
      belief.deviation = Math.log(usd / belief.profile.initialUsd);
    },
    pull: (code, logDelta) => {
      const belief = beliefIn(code);
      if (belief.profile.dailyVolatility > 0) belief.deviation += Math.max(-0.05, Math.min(0.05, logDelta));
    },
  };
}
