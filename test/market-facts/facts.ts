import { arbitrages, jointMoves, type SeamFigure, type SeamParts, seamOf } from './market-comparisons.ts';
import { figuresOf, type MarketFigures } from './market-figures.ts';
import type { Market, MarketTape } from './market-tape.ts';
import { largest, smallest } from './statistics.ts';

/** What a market is measured by: its own figures and those that compare it with others. */
export interface MarketReport extends MarketFigures {
  readonly market: Market;
  /** Mean correlation with the other pairs (contracts) in dollars; `NaN` for crosses and pegged pairs. */
  readonly jointMove: number;
  /** Fraction of minutes in which a triangle earned more than fees, and its best gain; `NaN` but for crosses. */
  readonly arbitrage: number;
  readonly arbitrageBest: number;
  /** `null` without live trading, or without a day before it. */
  readonly seam: SeamParts | null;
}

/** The fact that a figure is held against. */
export interface Fact {
  readonly name: string;
  readonly figure: Exclude<keyof MarketReport, 'market' | 'seam'>;
  readonly digits: number;
  /** Bounds that a market meets; a fact without any is told only. */
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Markets that it is asked of; absent: all. */
  readonly concerns?: (market: Market) => boolean;
}

/** A pegged price has the memory of its bounces between best prices. */
const isNotPegged = ({ base }: Market): boolean => base !== 'USDC';

/** The stylised facts of a market, with their targets, in the order of the table. */
export const facts: readonly Fact[] = [
  { name: '1m windows with trades', figure: 'dense1m', digits: 3, atLeast: 0.95 },
  { name: '5m windows with trades', figure: 'dense5m', digits: 3, atLeast: 0.99 },
  { name: '15m windows with trades', figure: 'dense15m', digits: 3, atLeast: 0.99 },
  { name: '5m volume: deviation / mean', figure: 'volumeVariation', digits: 2, atLeast: 0.8 },
  { name: '5m volume: largest / mean', figure: 'volumeSpike', digits: 1, atLeast: 8 },
  { name: 'volume by hour of day: largest / smallest', figure: 'hourlyProfile', digits: 2, atLeast: 2 },
  { name: '5m returns: excess kurtosis', figure: 'kurtosis', digits: 1, atLeast: 4, atMost: 30 },
  { name: '5m absolute returns: autocorrelation, lag 1', figure: 'absoluteLag1', digits: 2, atLeast: 0.2 },
  { name: '5m absolute returns: autocorrelation, lag 20', figure: 'absoluteLag20', digits: 2, atLeast: 0.05 },
  {
    name: '5m returns: autocorrelation, lag 1',
    figure: 'returnLag1',
    digits: 2,
    atLeast: -0.1,
    atMost: 0.1,
    concerns: isNotPegged,
  },
  {
    name: '5m volume with absolute return: correlation',
    figure: 'volumeWithMove',
    digits: 2,
    atLeast: 0.4,
  },
  {
    name: '5m returns with other markets: mean correlation',
    figure: 'jointMove',
    digits: 2,
    atLeast: 0.4,
    atMost: 0.8,
  },
  { name: 'spread, 10th percentile, bp', figure: 'spread10', digits: 2 },
  { name: 'spread, median, bp', figure: 'spread50', digits: 2 },
  { name: 'spread, 90th percentile, bp', figure: 'spread90', digits: 2 },
  { name: 'spread: 90th percentile / median', figure: 'spreadWidening', digits: 2, atLeast: 2 },
  { name: 'depth within 0.5 %: storm / calm', figure: 'stormDepth', digits: 2, atMost: 0.8 },
  { name: 'triangles: minutes with a gain after fees', figure: 'arbitrage', digits: 4, atMost: 0 },
  { name: 'triangles: best gain after fees, bp', figure: 'arbitrageBest', digits: 1 },
  { name: 'order values: tail index (Hill, largest 5 %)', figure: 'sizeTail', digits: 2, atMost: 3 },
  { name: 'order values: 99th percentile / median', figure: 'sizeReach', digits: 1, atLeast: 10 },
  { name: 'quantities of two digits, beyond chance', figure: 'roundSizes', digits: 3, atLeast: 0.1 },
  { name: 'prices at every tenth tick, beyond chance', figure: 'roundPrices', digits: 3, atLeast: 0.05 },
  { name: 'orders a minute: variance / mean', figure: 'burstsPerMinute', digits: 1, atLeast: 2 },
  { name: 'orders a second, live: variance / mean', figure: 'burstsPerSecond', digits: 2, atLeast: 1.2 },
  { name: '5m open after close: mean gap, bp', figure: 'openGap', digits: 2 },
  { name: '5m open after close: gap / mean absolute return', figure: 'openGapOfMove', digits: 2, atMost: 0.25 },
  { name: 'funding rates: median, bp', figure: 'fundingMedian', digits: 2, atLeast: 0.5, atMost: 1.5 },
  { name: 'funding rates within 3 bp', figure: 'fundingNear', digits: 2, atLeast: 0.6 },
  { name: 'funding rates beyond 5 bp', figure: 'fundingFar', digits: 2, atMost: 0.25 },
  { name: 'funding rates beyond 5 bp: longest spell, cycles', figure: 'fundingSpell', digits: 0, atMost: 9 },
  { name: 'funding rates at their bounds', figure: 'fundingBound', digits: 2, atMost: 0.02 },
];

/** `none`: nothing to measure, nothing asked for, or a market that the fact does not concern. */
export type Verdict = 'met' | 'missed' | 'none';

/** Whether a market meets a fact. */
export function verdictOf({ figure, atLeast, atMost, concerns }: Fact, report: MarketReport): Verdict {
  const value = report[figure];
  if (Number.isNaN(value) || (atLeast === undefined && atMost === undefined)) return 'none';
  if (concerns !== undefined && !concerns(report.market)) return 'none';
  return value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity) ? 'met' : 'missed';
}

/** Greatest ratio of two days' figures, either way, that is no seam. */
export const seamRatioMost = 1.2;

/** Names of what is compared across the seam. */
export const seamNames: Readonly<Record<SeamFigure, string>> = {
  volume: 'volume',
  trades: 'trades',
  takers: 'taker orders',
  volumeVariation: '5m volume variation',
  volatility: '5m volatility',
  openGap: '5m open after close',
};

/** After over before; `NaN` where one of them is missing. */
export const seamRatio = ({ before, after }: SeamParts, figure: SeamFigure): number => after[figure] / before[figure];

/** Whether a figure goes on as it was. */
export function seamVerdict(parts: SeamParts, figure: SeamFigure): Verdict {
  const ratio = seamRatio(parts, figure);
  if (Number.isNaN(ratio)) return 'none';
  return ratio <= seamRatioMost && ratio >= 1 / seamRatioMost ? 'met' : 'missed';
}

/** The largest median spread of the pairs over the smallest; spreads differ by pair from 2 on. */
export function spreadRange(reports: readonly MarketReport[]): number {
  const spreads = reports.filter(({ market }) => !market.isContract).map(({ spread50 }) => spread50);
  return largest(spreads) / smallest(spreads);
}

/** Every market of a tape, measured. `seam`: when live trading began; the end of the tape without any. */
export function measureMarkets(tape: MarketTape, seam: number): readonly MarketReport[] {
  const joint = jointMoves(tape);
  const triangles = arbitrages(tape);
  return tape.records.map((record) => {
    const { market } = record;
    const triangle = triangles.get(market.id);
    return {
      market,
      ...figuresOf(record, tape.span),
      jointMove: joint.get(market.id) ?? Number.NaN,
      arbitrage: triangle?.fraction ?? Number.NaN,
      arbitrageBest: triangle?.best ?? Number.NaN,
      seam: seamOf(record, tape.span, seam),
    };
  });
}
