import { absolute, bigMillion } from '#base/whole-numbers.ts';
import type { TimestampMs } from '#model/units.ts';
import type {
  IndexFeed,
  IndexReading,
  IndexSource,
  JudgedSource,
  PriceIndex,
  SourceStanding,
} from '#market-data/price-index/price-index.ts';

/** A source farther from the median than this is left out, where there are three or more. DEC-FUT-03. */
export const deviationMostPpm = 30_000;

/** The median times two, so that the mean of the two middle prices of an even number stays whole. DEC-FUT-42. */
function doubleMedian(sources: readonly IndexSource[]): bigint {
  const prices = sources.map(({ price }) => price).sort((a, b) => a - b);
  const upper = prices.length >> 1;
  const lower = prices.length % 2 === 0 ? upper - 1 : upper;
  return BigInt(prices[lower]!) + BigInt(prices[upper]!);
}

function isDeviating(price: number, median2: bigint): boolean {
  return absolute(2n * BigInt(price) - median2) * bigMillion > median2 * BigInt(deviationMostPpm);
}

/** The source of the highest weight, of equal ones the first. */
const heaviest = (sources: readonly IndexSource[]): IndexSource | undefined =>
  sources.reduce<IndexSource | undefined>(
    (best, source) => (best === undefined || source.weight > best.weight ? source : best),
    undefined,
  );

/** What becomes of live sources, by their number. DEC-FUT-03. */
function judgeLive(live: readonly IndexSource[]): (source: IndexSource) => SourceStanding {
  if (live.length < 3) {
    const one = heaviest(live);
    return (source) => (source === one ? 'counted' : 'outweighed');
  }
  const median2 = doubleMedian(live);
  return ({ price }) => (isDeviating(price, median2) ? 'deviating' : 'counted');
}

/** Σ weight × price / Σ weight, rounded down; `null` without sources. */
function weightedMean(sources: readonly IndexSource[]): number | null {
  let [sum, weights] = [0n, 0n];
  for (const { weight, price } of sources) {
    sum += BigInt(weight) * BigInt(price);
    weights += BigInt(weight);
  }
  return weights === 0n ? null : Number(sum / weights);
}

/**
 * One price of many: the weighted mean of the live sources, rounded down to a step. Of three or more, those more than
 * 3 % off the median are left out; of two, the one of higher weight counts, of equal ones the first. `null` where none
 * counts. DEC-FUT-03, DEC-FUT-42.
 */
export function indexMean(sources: readonly IndexSource[], now: TimestampMs): IndexReading {
  const live = sources.filter(({ liveUntil }) => now <= liveUntil);
  const standingOf = judgeLive(live);
  const judged = sources.map(
    (source): JudgedSource => ({ ...source, standing: now <= source.liveUntil ? standingOf(source) : 'stale' }),
  );
  return { price: weightedMean(judged.filter(({ standing }) => standing === 'counted')), sources: judged };
}

/** Index prices by the mean of what these feeds say. DEC-FUT-03. */
export const createPriceIndex = (feeds: readonly IndexFeed[]): PriceIndex => ({
  read: async (contract, now) => {
    const told = await Promise.all(feeds.map((feed) => feed.sourcesOf(contract, now)));
    return indexMean(told.flat(), now);
  },
});
