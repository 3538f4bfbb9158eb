import { formatDecimal } from '#base/decimal.ts';
import type { AssetRules } from '#domain/asset.ts';
import type { Fact } from '#domain/events.ts';
import type { SymbolRules } from '#domain/symbol.ts';
import type { AssetId, SymbolId } from '#domain/units.ts';
import type { Listing } from '#ingress/exchange-queries.ts';

/** Listed symbols and assets by id and name, and their amounts as decimal text. */
export class ListingDirectory {
  private readonly symbols: SymbolRules[] = [];
  private readonly assets: AssetRules[] = [];
  private readonly byName = new Map<string, SymbolId>();

  load(listing: Listing): void {
    for (const asset of listing.assets) this.assets[asset.id] = asset;
    for (const symbol of listing.symbols) this.put(symbol);
  }

  /** Follows changes of the listing. */
  fact(fact: Fact): void {
    if (fact.kind === 'assetConfigured') this.assets[fact.asset.id] = fact.asset;
    if (fact.kind === 'symbolConfigured') this.put(fact.symbol);
  }

  find(name: string): SymbolId | null {
    return this.byName.get(name) ?? null;
  }

  all(): readonly SymbolRules[] {
    return this.symbols;
  }

  symbol(id: SymbolId): SymbolRules {
    return this.symbols[id]!;
  }

  asset(id: AssetId): AssetRules {
    return this.assets[id]!;
  }

  formatPrice(symbol: SymbolId, ticks: number): string {
    return formatDecimal(ticks, this.symbols[symbol]!.priceDecimals);
  }

  formatQuantity(symbol: SymbolId, lots: number | bigint): string {
    return formatDecimal(lots, this.symbols[symbol]!.quantityDecimals);
  }

  /** An amount of the symbol's quote asset. */
  formatQuote(symbol: SymbolId, amount: number | bigint): string {
    return formatDecimal(amount, this.assets[this.symbols[symbol]!.quote]!.scale);
  }

  formatAmount(asset: AssetId, amount: number | bigint): string {
    return formatDecimal(amount, this.assets[asset]!.scale);
  }

  /** Quote units of one tick times one lot. */
  quotePerTickLot(symbol: SymbolId): bigint {
    const rules = this.symbols[symbol]!;
    return 10n ** BigInt(this.assets[rules.quote]!.scale - rules.priceDecimals - rules.quantityDecimals);
  }

  private put(symbol: SymbolRules): void {
    this.symbols[symbol.id] = symbol;
    this.byName.set(symbol.name, symbol.id);
  }
}
