import type { Metrics } from '#web/office/data/exposition.ts';

/** One look at the metrics. */
export interface Scrape {
  /** When, by the viewer's clock. */
  readonly at: number;
  readonly metrics: Metrics;
}

/** Answers a value of the span between two looks, in the unit of its chart; `null`: there is none. */
export type Read = (now: Scrape, before: Scrape | null) => number | null;

/** Which series of a metric count: those whose labels hold all of this text, as `port="public"`. */
type Match = readonly string[];

const seriesOf = ({ metrics }: Scrape, name: string, match: Match) =>
  (metrics.get(name) ?? []).filter(({ labels }) => match.every((text) => `,${labels},`.includes(`,${text},`)));

const sumIn = (scrape: Scrape, name: string, match: Match): number | null => {
  const series = seriesOf(scrape, name, match);
  return series.length === 0 ? null : series.reduce((sum, { value }) => sum + value, 0);
};

/** What a counter grew by. A counter that fell began anew with the process: then it is not known. */
function growth(name: string, match: Match, now: Scrape, before: Scrape | null): number | null {
  const later = sumIn(now, name, match);
  if (before === null || later === null) return null;
  const grown = later - (sumIn(before, name, match) ?? 0);
  return grown < 0 ? null : grown;
}

/** What a gauge shows, all its series together, in parts of `unit`. */
export const gauge =
  (name: string, match: Match = [], unit = 1): Read =>
  (now) => {
    const value = sumIn(now, name, match);
    return value === null || !Number.isFinite(value) ? null : value / unit;
  };

/** The largest series of a gauge: the age of the oldest, wherever it waits. */
export const largest =
  (name: string): Read =>
  (now) => {
    const values = seriesOf(now, name, []).map(({ value }) => value);
    return values.length === 0 ? null : Math.max(...values);
  };

/** How much a counter grows in a second. */
export const rate =
  (name: string, match: Match = []): Read =>
  (now, before) => {
    const grown = growth(name, match, now, before);
    return grown === null || before === null ? null : (grown * 1000) / Math.max(1, now.at - before.at);
  };

/** The mean of what a histogram of seconds measured, in milliseconds. */
export const mean =
  (name: string, match: Match = []): Read =>
  (now, before) => {
    const count = growth(`${name}_count`, match, now, before);
    const seconds = growth(`${name}_sum`, match, now, before);
    return count === null || seconds === null || count === 0 ? null : (seconds * 1000) / count;
  };

const boundOf = (labels: string): number => {
  const text = /(?:^|,)le="([^"]*)"/.exec(labels)?.[1];
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
};

/**
 * What a part of the measurements of a histogram of seconds stays below, in milliseconds: between two of its bounds it
 * is estimated as if they were spread evenly. Beyond the last bound it is that one.
 */
export const quantile =
  (name: string, part: number, match: Match = []): Read =>
  (now, before) => {
    if (before === null) return null;
    const bounds = [...new Set(seriesOf(now, `${name}_bucket`, match).map(({ labels }) => boundOf(labels)))];
    const counted = bounds
      .toSorted((one, other) => one - other)
      .map((bound) => {
        const text = `le="${bound === Number.POSITIVE_INFINITY ? '+Inf' : bound}"`;
        return { bound, below: growth(`${name}_bucket`, [...match, text], now, before) ?? 0 };
      });
    const total = counted.at(-1)?.below ?? 0;
    if (total === 0) return null;
    const at = counted.findIndex(({ below }) => below >= total * part);
    const [least, most] = [counted[at - 1] ?? { bound: 0, below: 0 }, counted[at]];
    if (most === undefined || most.bound === Number.POSITIVE_INFINITY) return least.bound * 1000;
    const share = (total * part - least.below) / Math.max(1e-9, most.below - least.below);
    return (least.bound + share * (most.bound - least.bound)) * 1000;
  };
