import type { SymbolId } from '#model/units.ts';
import { type IndexSource, type OperatorFeed, operatorSourcesMax } from '#market-data/price-index/price-index.ts';

/** How long a price that is no longer live is still told of, as stale. */
const staleKeptMs = 3_600_000;

/** Prices that operators give, each with its time to live. DEC-FUT-43. */
export function createOperatorFeed(): OperatorFeed {
  const given = new Map<SymbolId, Map<string, IndexSource>>();
  const of = (contract: SymbolId): Map<string, IndexSource> => {
    const found = given.get(contract) ?? new Map<string, IndexSource>();
    given.set(contract, found);
    return found;
  };
  const forget = (prices: Map<string, IndexSource>, now: number): void => {
    for (const [name, { liveUntil }] of prices) if (liveUntil + staleKeptMs < now) prices.delete(name);
  };
  return {
    give: (contract, source) => {
      const prices = of(contract);
      forget(prices, source.at);
      if (!prices.has(source.name) && prices.size >= operatorSourcesMax) return false;
      prices.set(source.name, source);
      return true;
    },
    remove: (contract, name) => of(contract).delete(name),
    sourcesOf: async ({ id }, now) => {
      const prices = of(id);
      forget(prices, now);
      return [...prices.values()];
    },
  };
}
