import type { Prng } from '#base/prng.ts';
import type { Agent } from '#sandbox/agents/agent.ts';
import { nothing } from '#sandbox/agents/agent.ts';
import type { TradedMarket } from '#sandbox/agents/traded-market.ts';

/**
 * What the crowd wants follows an urge that wanders, with its third power: mostly it wants little, and now and then,
 * for a part of a day, much of one side. DEC-FUT-68.
 */
const crowd = { mean: 0.05, ofUrge: 0.12, power: 3, most: 0.55, halfLifeMs: 10 * 3_600_000 } as const;

/** What a crowd with this urge wants, from -1 (sell) to 1 (buy). */
const wishIn = (urge: number): number => {
  const { mean, ofUrge, power, most } = crowd;
  return Math.max(-most, Math.min(most, mean + ofUrge * Math.sign(urge) * Math.abs(urge) ** power));
};

/** Lets what the crowd wants of these markets wander; submits nothing. */
export function createCrowd(markets: readonly TradedMarket[], prng: Prng): Agent {
  const urges = markets.map(() => prng.gaussian());
  return {
    act: ({ elapsedMs }) => {
      const kept = 0.5 ** (elapsedMs / crowd.halfLifeMs);
      const spread = Math.sqrt(1 - kept * kept);
      for (const [at, market] of markets.entries()) {
        urges[at] = urges[at]! * kept + spread * prng.gaussian();
        market.wish = wishIn(urges[at]);
      }
      return nothing;
    },
  };
}
