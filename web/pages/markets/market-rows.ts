import type { Contract, ContractTicker } from '#web/data/contracts.ts';
import type { Day, Pair } from '#web/data/markets.ts';

/** A line of the markets: a pair or a contract with its day. */
export interface MarketRow {
  readonly market: 'spot' | 'futures';
  readonly symbol: string;
  readonly name: string;
  readonly about: string;
  readonly href: string;
  /** Why it is not traded; `null`: it is. */
  readonly halted: string | null;
  readonly decimals: number;
  readonly quote: string;
  readonly last: string | null;
  /** A ratio. */
  readonly change: number;
  readonly high: string | null;
  readonly low: string | null;
  /** In the quote asset, for a glance. */
  readonly turnover: number;
}

const pairStates: Readonly<Record<string, string | null>> = { '1': null, '2': 'Paused', '3': 'Offline' };

/** The line of a pair. */
export const pairRow = (pair: Pair, day: Day | undefined): MarketRow => ({
  market: 'spot',
  symbol: pair.symbol,
  name: `${pair.baseAsset}/${pair.quoteAsset}`,
  about: pair.fullName,
  href: `/trade/${encodeURIComponent(pair.symbol)}`,
  halted: pair.status in pairStates ? (pairStates[pair.status] ?? null) : pair.status,
  decimals: pair.quotePrecision,
  quote: pair.quoteAsset,
  last: day?.last ?? null,
  change: day?.change ?? 0,
  high: day?.high ?? null,
  low: day?.low ?? null,
  turnover: Number(day?.turnover ?? 0),
});

const contractStates: Readonly<Record<number, string | null>> = {
  0: null,
  1: 'Delivery',
  2: 'Delivered',
  3: 'Offline',
};

/** The line of a contract. */
export function contractRow(contract: Contract, ticker: ContractTicker | undefined): MarketRow {
  const price = (value: number | undefined): string | null =>
    value === undefined || value === 0 ? null : value.toFixed(contract.priceScale);
  return {
    market: 'futures',
    symbol: contract.symbol,
    name: contract.symbol.replace('_', '/'),
    about: 'Perpetual',
    href: `/contracts/${encodeURIComponent(contract.symbol)}`,
    halted: contract.state in contractStates ? (contractStates[contract.state] ?? null) : 'Paused',
    decimals: contract.priceScale,
    quote: contract.quoteCoin,
    last: price(ticker?.lastPrice),
    change: ticker?.riseFallRate ?? 0,
    high: price(ticker?.high24Price),
    low: price(ticker?.lower24Price),
    turnover: ticker?.amount24 ?? 0,
  };
}

/** What lines are ordered by. */
export type Order = 'listed' | 'name' | 'last' | 'change' | 'turnover';

const compare: Readonly<Record<Exclude<Order, 'listed'>, (one: MarketRow, other: MarketRow) => number>> = {
  name: (one, other) => one.name.localeCompare(other.name),
  last: (one, other) => Number(other.last ?? 0) - Number(one.last ?? 0),
  change: (one, other) => other.change - one.change,
  turnover: (one, other) => other.turnover - one.turnover,
};

/** Lines whose name, symbol or full name has the words, in an order. `isBackwards` turns the order round. */
export function shownRows(
  rows: readonly MarketRow[],
  { words, order, isBackwards }: { readonly words: string; readonly order: Order; readonly isBackwards: boolean },
): readonly MarketRow[] {
  const wanted = words
    .trim()
    .toLowerCase()
    .replaceAll(/[/_\s]/g, '');
  const found = rows.filter(({ name, symbol, about }) =>
    `${symbol} ${name} ${about}`
      .toLowerCase()
      .replaceAll(/[/_\s]/g, '')
      .includes(wanted),
  );
  const ordered = order === 'listed' ? found : found.toSorted(compare[order]);
  return isBackwards ? ordered.toReversed() : ordered;
}
