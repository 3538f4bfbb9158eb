import { minuteMs, returnsOf } from './minute-bars.ts';
import { booksSeenFrom, openGapsOf } from './market-figures.ts';
import type { MarketRecord, MarketTape, TapeSpan } from './market-tape.ts';
import { correlation, deviation, mean, quantile, variationOf } from './statistics.ts';

/*
 * Figures that compare: markets with each other, and the time before live trading begins with the time after.
 */

const candleMinutes = 5;
const dayMs = 24 * 60 * minuteMs;
const bps = 10_000;
const feeUnit = 1_000_000;

/** The measure of the others' values. */
const dollar = 'USDT';

/** Against dollars, and not pegged to them. */
const isInDollars = ({ market }: MarketRecord): boolean => market.quote === dollar && market.base !== 'USDC';

/** Returns of five minutes by the time at which they end. */
function returnsByTime({ minuteBars }: MarketRecord, { from, until }: TapeSpan): ReadonlyMap<number, number> {
  const folded = minuteBars.fold(candleMinutes, from, until);
  return new Map(returnsOf(folded).map((move, at) => [folded.times[at + 1]!, move]));
}

/** Mean correlation of each market's returns with those of the other pairs, or contracts, in dollars; by its id. */
export function jointMoves({ records, span }: MarketTape): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const isContract of [false, true]) {
    const group = records.filter((record) => record.market.isContract === isContract && isInDollars(record));
    const returns = new Map(group.map((record) => [record, returnsByTime(record, span)]));
    for (const record of group) {
      const own = [...returns.get(record)!];
      const others = group.filter((other) => other !== record);
      const each = others.map((other) => {
        const theirs = returns.get(other)!;
        const both = own.filter(([time]) => theirs.has(time));
        return correlation(
          both.map(([, move]) => move),
          both.map(([time]) => theirs.get(time)!),
        );
      });
      found.set(record.market.id, mean(each));
    }
  }
  return found;
}

/** What buying along a triangle and selling back would have earned, at the ends of minutes. */
export interface Arbitrage {
  /** Greatest gain after the takers' fees, in basis points; below zero: a loss. */
  readonly best: number;
  /** Fraction of the minutes with a gain after fees. */
  readonly fraction: number;
}

interface Triangle {
  readonly cross: MarketRecord;
  readonly base: MarketRecord;
  readonly quote: MarketRecord;
}

/** Gain of the better of both ways around, before fees, as a factor. */
function gainOf({ cross, base, quote }: Triangle, minute: number): number {
  const unit = (quote.market.ticksPerUnit * cross.market.ticksPerUnit) / base.market.ticksPerUnit;
  const sellCross = (cross.bids[minute]! * quote.bids[minute]!) / (base.asks[minute]! * unit);
  const buyCross = (base.bids[minute]! * unit) / (cross.asks[minute]! * quote.asks[minute]!);
  return Math.max(sellCross, buyCross);
}

/** Of every cross pair against the pairs of its assets in dollars; by its id. */
export function arbitrages({ records, span }: MarketTape): ReadonlyMap<number, Arbitrage> {
  const pairs = records.filter(({ market }) => !market.isContract);
  const inDollars = (asset: string) => pairs.find(({ market }) => market.base === asset && market.quote === dollar);
  const found = new Map<number, Arbitrage>();
  for (const cross of pairs) {
    const [base, quote] = [inDollars(cross.market.base), inDollars(cross.market.quote)];
    if (cross.market.quote === dollar || base === undefined || quote === undefined) continue;
    const kept = [cross, base, quote].reduce((factor, { market }) => factor * (1 - market.takerFeePpm / feeUnit), 1);
    const gains: number[] = [];
    for (let minute = (booksSeenFrom(span) - span.from) / minuteMs; minute < cross.bids.length; minute += 1) {
      const gain = gainOf({ cross, base, quote }, minute) * kept - 1;
      if (!Number.isNaN(gain)) gains.push(gain * bps);
    }
    const fraction = gains.filter((gain) => gain > 0).length / gains.length;
    found.set(cross.market.id, { best: quantile(gains, 1), fraction });
  }
  return found;
}

/** Figures of one market in a part of the time. */
export interface SeamFigures {
  readonly volume: number;
  readonly trades: number;
  readonly takers: number;
  readonly volumeVariation: number;
  readonly volatility: number;
  readonly openGap: number;
}
export type SeamFigure = keyof SeamFigures;

/** The parts of the time that are compared: live trading, and the same hours of the day before. */
export interface SeamParts {
  readonly before: SeamFigures;
  readonly after: SeamFigures;
}

function seamFiguresOf(record: MarketRecord, from: number, until: number): SeamFigures {
  const candles = record.minuteBars.fold(candleMinutes, from, until);
  const sum = (numbers: readonly number[]): number => mean(numbers) * numbers.length;
  return {
    volume: sum(candles.volumes),
    trades: sum(candles.trades),
    takers: sum(candles.takers),
    volumeVariation: variationOf(candles.volumes),
    volatility: deviation(returnsOf(candles)),
    openGap: mean(openGapsOf(candles)),
  };
}

/**
 * The day (or the hours that there are) after live trading began at `seam`, and the same hours of the day before.
 * `null`: there is no live trading, or no day before.
 */
export function seamOf(record: MarketRecord, { from, until }: TapeSpan, seam: number): SeamParts | null {
  if (seam >= until || seam - dayMs < from) return null;
  const length = Math.min(dayMs, until - seam);
  return {
    before: seamFiguresOf(record, seam - dayMs, seam - dayMs + length),
    after: seamFiguresOf(record, seam, seam + length),
  };
}
