import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '#web/office/data/office-calls.ts';
import { type Reading, useCall } from '#web/office/data/use-office.ts';

/** What the simulated traders do, and prices. */
export type Market = Answer<'getMarket'>;

const everyMs = 1000;
const keptPrices = 120;

/** Prices that were read, oldest first, by the name of the market. */
export type Prices = ReadonlyMap<string, readonly number[]>;

/** The simulated market, read every second, with the prices since the page was opened. */
export function useMarket(): { readonly reading: Reading<Market>; readonly prices: Prices } {
  const reading = useCall('getMarket', {}, everyMs);
  const [prices, setPrices] = useState<Prices>(new Map());
  const { value } = reading;
  useEffect(() => {
    if (value === null) return;
    setPrices(
      (before) =>
        new Map(
          value.markets.map(({ market, price }) => {
            const known = before.get(market) ?? [];
            return [market, price === null ? known : [...known, Number(price)].slice(-keptPrices)];
          }),
        ),
    );
  }, [value]);
  return { reading, prices };
}
