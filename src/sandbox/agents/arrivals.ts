import type { Prng } from '#base/prng.ts';

/** Orders follow orders: the part of them that others bring about, and how soon. */
const excitation = { part: 0.5, decayMs: 1_500 } as const;

/** A Poisson-distributed number of events with this mean. */
export function poisson(mean: number, prng: Prng): number {
  if (mean <= 0) return 0;
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * prng.gaussian()));
  let left = prng.next();
  let chance = Math.exp(-mean);
  let count = 0;
  while (left > chance && count < 200) {
    left -= chance;
    count += 1;
    chance *= mean / count;
  }
  return count;
}

/** Number of events of a step, from the usual number in it and its length. */
export type Arrivals = (mean: number, elapsedMs: number) => number;

/**
 * Events that excite further ones, so that they come in bursts: in short steps each by those before, in long ones by
 * the variance that comes of it.
 */
export function createArrivals(prng: Prng): Arrivals {
  let excited = 0;
  const calm = 1 - excitation.part;
  return (mean, elapsedMs) => {
    if (elapsedMs > excitation.decayMs) {
      const variance = Math.log(1 + Math.min(1, (1 / (calm * calm) - 1) / Math.max(mean, 1e-9)));
      excited = 0;
      return poisson(mean * Math.exp(Math.sqrt(variance) * prng.gaussian() - variance / 2), prng);
    }
    const kept = Math.exp(-elapsedMs / excitation.decayMs);
    const count = poisson(mean * calm + excited * (1 - kept), prng);
    excited = excited * kept + count * excitation.part;
    return count;
  };
}
