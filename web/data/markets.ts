import { computed, signal } from '@preact/signals';
import { type AnswerOf, channels, type PublicMiniTickerV3Api } from '#client/client.ts';
import { publicClient } from '#web/data/clients.ts';
import { reasonOf } from '#web/data/refusal.ts';
import { hear } from '#web/data/streams/streams.ts';

/** Rules of a pair, as the public API tells them. */
export type Pair = AnswerOf<'exchangeInfo'>['symbols'][number];

/** The last 24 hours of a pair. */
export interface Day {
  readonly last: string;
  /** A ratio: 0.01 is one percent. */
  readonly change: number;
  readonly high: string;
  readonly low: string;
  /** Turnover in the quote asset. */
  readonly turnover: string;
  /** Volume in the base asset. */
  readonly volume: string;
}

type Ticker = Extract<AnswerOf<'ticker24h'>, { readonly symbol: string }>;

/** All pairs; `null` until they were read. */
export const pairs = signal<readonly Pair[] | null>(null);
/** Why they could not be read. */
export const pairsFault = signal<string | null>(null);
/** The day of each pair that was ever traded. */
export const days = signal<ReadonlyMap<string, Day>>(new Map());
/** Pairs by name. */
export const pairsByName = computed(() => new Map((pairs.value ?? []).map((pair) => [pair.symbol, pair])));

/** A pair has had no trade yet. */
const isTraded = (price: string | null): price is string => price !== null && Number(price) > 0;

function dayOfTicker(ticker: Ticker): Day | null {
  if (!isTraded(ticker.lastPrice)) return null;
  return {
    last: ticker.lastPrice,
    change: Number(ticker.priceChangePercent),
    high: ticker.highPrice,
    low: ticker.lowPrice,
    turnover: ticker.quoteVolume,
    volume: ticker.volume,
  };
}

function takeDays(items: readonly PublicMiniTickerV3Api[]): void {
  const next = new Map(days.peek());
  for (const item of items) {
    if (!isTraded(item.price)) continue;
    next.set(item.symbol, {
      last: item.price,
      change: Number(item.zonedRate),
      high: item.high,
      low: item.low,
      turnover: item.volume,
      volume: item.quantity,
    });
  }
  days.value = next;
}

let isReading = false;

/** Reads the pairs and their days. What is shown stays until the answer is there. */
export async function readMarkets(): Promise<void> {
  if (isReading) return;
  isReading = true;
  try {
    const [info, tickers] = await Promise.all([publicClient.exchangeInfo(), publicClient.ticker24h()]);
    const found = [tickers].flat().flatMap((ticker) => {
      const day = dayOfTicker(ticker);
      return day === null ? [] : [[ticker.symbol, day] as const];
    });
    days.value = new Map(found);
    pairs.value = info.symbols;
    pairsFault.value = null;
  } catch (error) {
    pairsFault.value = reasonOf(error);
  }
  isReading = false;
}

/** Reads the markets and follows them until the answered function is called. */
export function followMarkets(): () => void {
  if (pairs.peek() === null) void readMarkets();
  return hear(channels.miniTickers({ zone: '24H' }), ({ items }) => takeDays(items));
}

const favouritesName = 'bourse-favourites';

function storedFavourites(): ReadonlySet<string> {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(favouritesName) ?? '[]');
    return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
  } catch {
    // What cannot be read is no list.
    return new Set();
  }
}

/** Pairs that the viewer marked. */
export const favourites = signal(storedFavourites());

/** Marks a pair or takes the mark away, and remembers it in this browser. */
export function turnFavourite(symbol: string): void {
  const next = new Set(favourites.value);
  if (!next.delete(symbol)) next.add(symbol);
  favourites.value = next;
  try {
    localStorage.setItem(favouritesName, JSON.stringify([...next]));
  } catch {
    // It holds for this page then.
  }
}
