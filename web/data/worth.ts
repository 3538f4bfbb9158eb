import { atPrice } from '#web/data/amounts.ts';
import { days, pairs } from '#web/data/markets.ts';

/** What amounts are valued in. */
export const valuedIn = 'USDT';

/** The last price of an asset in what amounts are valued in, by its own pair; `null`: it has none. */
const directPrice = (asset: string): string | null =>
  asset === valuedIn ? '1' : (days.value.get(`${asset}${valuedIn}`)?.last ?? null);

/** What an amount is worth at last prices, by its own pair or over one other; `null`: nobody knows. DEC-WEB-31. */
export function worthOf(asset: string, amount: string): string | null {
  const direct = directPrice(asset);
  if (direct !== null) return atPrice(amount, direct);
  for (const { symbol, baseAsset, quoteAsset } of pairs.value ?? []) {
    const [last, price] = [days.value.get(symbol)?.last, directPrice(quoteAsset)];
    if (baseAsset !== asset || last === undefined || price === null) continue;
    const inQuote = atPrice(amount, last);
    return inQuote === null ? null : atPrice(inQuote, price);
  }
  return null;
}
