import { signal } from '@preact/signals';
import { days } from '#web/data/markets.ts';

/** The newest trade of a pair. */
interface NewestTrade {
  readonly symbol: string;
  readonly price: string;
  /** How far its price is from the last one that was another: above zero, the price rose. */
  readonly change: number;
}

/** The newest trade of the pair that is looked at; the days of all pairs come some seconds later. */
export const newestTrade = signal<NewestTrade | null>(null);

/** Takes what is known of the trades of the pair that is looked at, newest first. */
export function takeTrades(symbol: string, trades: readonly { readonly price: string }[]): void {
  const price = trades[0]?.price;
  if (price === undefined) {
    newestTrade.value = null;
    return;
  }
  const other = trades.find((each) => Number(each.price) !== Number(price));
  newestTrade.value = { symbol, price, change: other === undefined ? 0 : Number(price) - Number(other.price) };
}

const newestOf = (symbol: string): NewestTrade | null =>
  newestTrade.value?.symbol === symbol ? newestTrade.value : null;

/** Last price of a pair, as far as it is known here; `null`: nothing was traded. */
export const lastPriceOf = (symbol: string): string | null =>
  newestOf(symbol)?.price ?? days.value.get(symbol)?.last ?? null;

/** Which way the last price of a pair went, by its sign: with its newest trade, else over its day. */
export const lastMoveOf = (symbol: string): number => newestOf(symbol)?.change ?? days.value.get(symbol)?.change ?? 0;
