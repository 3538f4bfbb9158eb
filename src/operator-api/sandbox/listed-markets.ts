import { formatDecimal } from '#base/decimal.ts';
import { marketOf } from '#model/contract-market.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';

/** Every pair and contract by what they have in common. */
export async function listedMarkets({ queries }: Pick<OperatorContext, 'queries'>): Promise<readonly SymbolRules[]> {
  const { symbols, contracts = [] } = await queries.listing();
  return [...symbols, ...contracts.map(marketOf)];
}

/** What is seen of a market: `null` for what is not there. */
export interface MarketFacts {
  /** The coin that is traded in it. */
  readonly base: string | null;
  /** Last price. */
  readonly price: string | null;
  readonly isHalted: boolean;
}

/** Facts of every pair and contract, by its name. */
export async function marketFacts({ queries }: Pick<OperatorContext, 'queries'>): Promise<Map<string, MarketFacts>> {
  const [{ assets }, markets] = await Promise.all([queries.listing(), listedMarkets({ queries })]);
  const codes = new Map(assets.map(({ id, code }) => [id, code]));
  const facts = markets.map(async ({ id, name, base, priceDecimals, status }): Promise<[string, MarketFacts]> => {
    const ticks = await queries.lastPrice(id);
    const price = ticks === null ? null : formatDecimal(ticks, priceDecimals);
    return [name, { base: codes.get(base) ?? null, price, isHalted: status === 'paused' }];
  });
  return new Map(await Promise.all(facts));
}
