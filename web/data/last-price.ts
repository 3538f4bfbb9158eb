import { signal } from '@preact/signals';
import { days } from '#web/data/markets.ts';

/** The newest trade of the pair that is looked at; the days of all pairs come some seconds later. */
export const newestTrade = signal<{ readonly symbol: string; readonly price: string } | null>(null);

/** Last price of a pair, as far as it is known here; `null`: nothing was traded. */
export const lastPriceOf = (symbol: string): string | null =>
  newestTrade.value?.symbol === symbol ? newestTrade.value.price : (days.value.get(symbol)?.last ?? null);
