import type { Prng } from '#base/prng.ts';
import { dayRhythm } from '#sandbox/agents/volatility-regime.ts';
import type { FairValues } from '#sandbox/agents/fair-values.ts';
import type { TradedMarket } from '#sandbox/agents/traded-market.ts';

/*
 * How busy each market is: by the time of the day, more in storms, more while the price moves, and by a chance of its
 * own that changes within minutes.
 */

/** Activity rises with this power of volatility; divided by the mean of that power. */
const volatilityExponent = 0.7;
const meanOfPower = 0.92;
/** In a standing market, and per standard deviation of the recent move; 1 on average together. */
const ofMove = { least: 0.2, each: 1 } as const;
const own = { deviation: 0.45, halfLifeMs: 8 * 60_000 } as const;
const bounds = { least: 0.06, most: 25 } as const;

/** Sets the activity of every market. */
export interface MarketActivity {
  /** Advances by exchange time, to `now`; after the fair values. */
  advance(elapsedMs: number, now: number): void;
}

/** Activity of these markets; `chanceOf` a name gives its own random numbers. */
export function createMarketActivity(
  markets: readonly TradedMarket[],
  values: FairValues,
  chanceOf: (name: string) => Prng,
): MarketActivity {
  const parts = markets.map((market) => {
    const prng = chanceOf(market.rules.name);
    return { market, prng, log: own.deviation * prng.gaussian() };
  });
  return {
    advance: (elapsedMs, now) => {
      if (elapsedMs <= 0) return;
      const kept = 0.5 ** (elapsedMs / own.halfLifeMs);
      const spread = own.deviation * Math.sqrt(1 - kept * kept);
      const ofAll = (dayRhythm(now) * values.volatility ** volatilityExponent) / meanOfPower;
      for (const part of parts) {
        part.log = part.log * kept + spread * part.prng.gaussian();
        const ofOne = Math.exp(part.log - own.deviation ** 2 / 2);
        const moved = ofMove.least + ofMove.each * Math.abs(part.market.momentum());
        part.market.activity = Math.max(bounds.least, Math.min(bounds.most, ofAll * ofOne * moved));
      }
    },
  };
}
