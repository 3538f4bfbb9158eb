import { type CandleSeries, minuteMs, returnsOf } from './minute-bars.ts';
import type { MarketRecord, TapeSpan } from './market-tape.ts';
import {
  autocorrelation,
  correlation,
  dispersionOf,
  excessKurtosis,
  largest,
  mean,
  quantile,
  smallest,
  tailIndex,
  variationOf,
} from './statistics.ts';

const hourMs = 60 * minuteMs;
const hours = 24;
const dayMs = hours * hourMs;
/** Length of a candle whose returns and volumes are measured, in minutes. */
const candleMinutes = 5;
/** The calm half of all windows, and the stormiest twentieth. */
const calmFraction = 0.5;
const stormFraction = 0.95;
/** Part of the largest orders that the tail is estimated from. */
const tailFraction = 0.05;
const bps = 10_000;

/** Figures of one market; `NaN` where there is nothing to measure. Volumes are values in the quote asset. */
export interface MarketFigures {
  /** Windows of one, five and fifteen minutes with trades, as fractions of all; of one: since a day before the seam. */
  readonly dense1m: number;
  readonly dense5m: number;
  readonly dense15m: number;
  /** Standard deviation over mean, and largest over mean, of the volume of five minutes. */
  readonly volumeVariation: number;
  readonly volumeSpike: number;
  /** Mean volume of the busiest hour of the day over that of the quietest. */
  readonly hourlyProfile: number;
  /** Of logarithmic returns of five minutes. */
  readonly kurtosis: number;
  readonly absoluteLag1: number;
  readonly absoluteLag20: number;
  readonly returnLag1: number;
  /** Correlation of volume with the absolute return of the same five minutes. */
  readonly volumeWithMove: number;
  /** Spread at the end of each minute, in basis points; live, where there is live trading. */
  readonly spread10: number;
  readonly spread50: number;
  readonly spread90: number;
  /** 90th percentile over median. */
  readonly spreadWidening: number;
  /** Mean depth in the stormiest twentieth of all five minutes over that in the calm half. */
  readonly stormDepth: number;
  /** Hill's tail index of the largest twentieth of orders, and their 99th percentile over the median. */
  readonly sizeTail: number;
  readonly sizeReach: number;
  /** Fractions of quantities and prices that are round beyond chance. */
  readonly roundSizes: number;
  readonly roundPrices: number;
  /** Index of dispersion of the number of taker orders a minute since a day before the seam, and a second live. */
  readonly burstsPerMinute: number;
  readonly burstsPerSecond: number;
  /** Mean difference of an open to the close before, in basis points, and over the mean absolute return. */
  readonly openGap: number;
  readonly openGapOfMove: number;
  /** Of the funding rates of a contract: median in basis points; parts within 3, beyond 5, at the bounds. */
  readonly fundingMedian: number;
  readonly fundingNear: number;
  readonly fundingFar: number;
  readonly fundingBound: number;
  /** The most cycles in a row beyond 5 basis points. */
  readonly fundingSpell: number;
}

const numbersOf = (list: Iterable<number>): number[] => [...list].filter((number) => !Number.isNaN(number));
const absolute = (list: readonly number[]): number[] => list.map(Math.abs);

const denseOf = ({ trades }: CandleSeries): number => trades.filter((count) => count > 0).length / trades.length;

function hourlyProfileOf({ times, volumes }: CandleSeries): number {
  const byHour: number[][] = Array.from({ length: hours }, () => []);
  times.forEach((time, at) => void byHour[Math.floor(time / hourMs) % hours]!.push(volumes[at]!));
  if (byHour.some((list) => list.length === 0)) return Number.NaN;
  const means = byHour.map(mean);
  return largest(means) / smallest(means);
}

/** Nobody sees the books while history is made: they are measured where live trading began, if there is any. */
export const booksSeenFrom = ({ from, until, liveFrom }: TapeSpan): number => (liveFrom < until ? liveFrom : from);

/** Spreads of the minutes from `first` up to `end`, in basis points of the middle. */
export function spreadsOf({ bids, asks }: MarketRecord, first = 0, end = bids.length): number[] {
  const spreads: number[] = [];
  for (let minute = first; minute < end; minute += 1) {
    const [bid, ask] = [bids[minute]!, asks[minute]!];
    if (!Number.isNaN(bid)) spreads.push(((ask - bid) / ((ask + bid) / 2)) * bps);
  }
  return spreads;
}

/** `moves`: absolute returns that end in the windows of `times`. */
function stormDepthOf(
  { depths }: MarketRecord,
  span: TapeSpan,
  times: readonly number[],
  moves: readonly number[],
): number {
  const seenFrom = booksSeenFrom(span);
  const [calmMost, stormLeast] = [quantile(moves, calmFraction), quantile(moves, stormFraction)];
  const calm: number[] = [];
  const storm: number[] = [];
  for (const [at, time] of times.entries()) {
    const depth = depths[(time - span.from) / (candleMinutes * minuteMs)]!;
    if (time < seenFrom || Number.isNaN(depth)) continue;
    if (moves[at]! <= calmMost) calm.push(depth);
    else if (moves[at]! >= stormLeast) storm.push(depth);
  }
  return mean(storm) / mean(calm);
}

/** Differences of opens to closes before, as fractions, where both windows had trades. */
export function openGapsOf({ opens, closes, trades }: CandleSeries): number[] {
  const gaps: number[] = [];
  for (let at = 1; at < opens.length; at += 1) {
    if (trades[at] !== 0 && trades[at - 1] !== 0) gaps.push(Math.abs(opens[at]! / closes[at - 1]! - 1));
  }
  return gaps;
}

/** Funding near its usual rate, far off it, and at its bounds, in basis points. */
const nearBps = 3;
const farBps = 5;
const boundBps = 18;

/** `NaN` of a pair. */
function fundingOf({
  fundingRates,
}: MarketRecord): Pick<MarketFigures, Extract<keyof MarketFigures, `funding${string}`>> {
  const sizes = absolute(fundingRates);
  const partOf = (test: (size: number) => boolean): number => sizes.filter(test).length / sizes.length;
  let [row, longest] = [0, sizes.length === 0 ? Number.NaN : 0];
  for (const size of sizes) {
    row = size > farBps ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return {
    fundingMedian: quantile(fundingRates, 0.5),
    fundingNear: partOf((size) => size <= nearBps),
    fundingFar: partOf((size) => size > farBps),
    fundingBound: partOf((size) => size >= boundBps),
    fundingSpell: longest,
  };
}

/** All figures of a record over its whole span. */
export function figuresOf(record: MarketRecord, span: TapeSpan): MarketFigures {
  const { from, until } = span;
  const candles = record.minuteBars.fold(candleMinutes, from, until);
  const minutes = record.minuteBars.fold(1, Math.max(from, span.liveFrom - dayMs), until);
  const returns = returnsOf(candles);
  const moves = absolute(returns);
  const seenFrom = booksSeenFrom(span);
  const spreads = spreadsOf(record, (seenFrom - from) / minuteMs);
  const [spread10, spread50, spread90] = [0.1, 0.5, 0.9].map((fraction) => quantile(spreads, fraction));
  const gap = mean(openGapsOf(candles));
  return {
    dense1m: denseOf(minutes),
    dense5m: denseOf(candles),
    dense15m: denseOf(record.minuteBars.fold(15, from, until)),
    volumeVariation: variationOf(candles.volumes),
    volumeSpike: largest(candles.volumes) / mean(candles.volumes),
    hourlyProfile: hourlyProfileOf(candles),
    kurtosis: excessKurtosis(returns),
    absoluteLag1: autocorrelation(moves, 1),
    absoluteLag20: autocorrelation(moves, 20),
    returnLag1: autocorrelation(returns, 1),
    volumeWithMove: correlation(candles.volumes.slice(1), moves),
    spread10: spread10!,
    spread50: spread50!,
    spread90: spread90!,
    spreadWidening: spread90! / spread50!,
    stormDepth: stormDepthOf(record, span, candles.times.slice(1), moves),
    sizeTail: tailIndex(record.takerValues, tailFraction),
    sizeReach: quantile(record.takerValues, 0.99) / quantile(record.takerValues, 0.5),
    roundSizes: record.takerSizes.excess,
    roundPrices: record.limitPrices.excess,
    burstsPerMinute: dispersionOf(minutes.takers),
    burstsPerSecond: dispersionOf(numbersOf(record.seconds)),
    openGap: gap * bps,
    openGapOfMove: gap / mean(moves),
    ...fundingOf(record),
  };
}
