import type { ContractRules } from '#model/contract.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { SymbolId, TimestampMs } from '#model/units.ts';
import type { IndexFeed, IndexSource } from '#market-data/price-index/price-index.ts';
import { type SpotPrices, spotIndexPrice } from '#market-data/price-index/spot-price.ts';

/** What the source of the own spot market is made of. */
export interface SpotFeedParts {
  /** Symbols of the spot market. */
  readonly symbols: () => Promise<readonly SymbolRules[]>;
  readonly pricesOf: (symbol: SymbolId) => SpotPrices | Promise<SpotPrices>;
  readonly weight: number;
}

/** Name of the source. */
export const spotSourceName = 'SPOT';

/**
 * The exchange's own spot market as a source: the symbol of the contract's base and settle asset. Its book is the
 * state of this moment, so the price is live while both sides have orders and the symbol is online. DEC-FUT-41.
 */
export function createSpotFeed({ symbols, pricesOf, weight }: SpotFeedParts): IndexFeed {
  const priceOf = async ({ base, settle }: ContractRules): Promise<number | null> => {
    const symbol = (await symbols()).find(
      (each) => each.base === base && each.quote === settle && each.status === 'online',
    );
    if (symbol === undefined) return null;
    return spotIndexPrice(await pricesOf(symbol.id), symbol.priceDecimals);
  };
  return {
    sourcesOf: async (contract, now: TimestampMs): Promise<readonly IndexSource[]> => {
      const price = await priceOf(contract);
      return price === null ? [] : [{ name: spotSourceName, weight, price, at: now, liveUntil: now }];
    },
  };
}
