import { formatDecimal } from '#base/decimal.ts';
import type { AssetRules } from '#domain/asset.ts';
import type { EventSink } from '#domain/events.ts';
import { noopSink } from '#domain/event-record.ts';
import type { SymbolRules } from '#domain/symbol.ts';
import type { AssetId, SymbolId } from '#domain/units.ts';
import { ApiError } from '#api/errors.ts';
import type { Listing } from '#ingress/exchange-queries.ts';

/** A symbol with what is needed to read and print its numbers. */
export interface ListedSymbol {
  readonly rules: SymbolRules;
  readonly base: AssetRules;
  readonly quote: AssetRules;
}

/**
 * Names and scales of every asset and symbol; follows the engine's configuration facts. Bounded by the engine's limits.
 */
export class SymbolDirectory {
  readonly #assets: AssetRules[] = [];
  readonly #symbols: ListedSymbol[] = [];
  readonly #byName = new Map<string, ListedSymbol>();
  #version = 0;

  /** Counts changes, so that what is printed from the listing can be kept until it changes. */
  get version(): number {
    return this.#version;
  }

  /** Every asset, in the order of configuration. */
  get assets(): readonly AssetRules[] {
    return this.#assets;
  }

  /** Every symbol, in the order of configuration. */
  get symbols(): readonly ListedSymbol[] {
    return this.#symbols;
  }

  load(listing: Listing): void {
    for (const asset of listing.assets) this.#putAsset(asset);
    for (const symbol of listing.symbols) this.#putSymbol(symbol);
  }

  /** Hears every configuration fact; to be subscribed before `load` is called with what was there. */
  readonly sink: EventSink = {
    ...noopSink,
    fact: (fact) => {
      if (fact.kind === 'assetConfigured') this.#putAsset(fact.asset);
      if (fact.kind === 'symbolConfigured') this.#putSymbol(fact.symbol);
    },
  };

  find(name: string): ListedSymbol | undefined {
    return this.#byName.get(name);
  }

  /** @throws ApiError 10007 for a name that is not listed. */
  get(name: string, parameter = 'symbol'): ListedSymbol {
    const found = this.#byName.get(name);
    if (found === undefined) throw new ApiError('badSymbol', { parameter });
    return found;
  }

  /** Those that `symbols` names, in its order; every symbol where nothing is named. @throws ApiError 10007. */
  several(names: readonly string[] | undefined): readonly ListedSymbol[] {
    return names === undefined ? this.#symbols : names.map((name) => this.get(name, 'symbols'));
  }

  at(symbol: SymbolId): ListedSymbol {
    return this.#symbols[symbol] as ListedSymbol;
  }

  asset(asset: AssetId): AssetRules {
    return this.#assets[asset] as AssetRules;
  }

  #putAsset(asset: AssetRules): void {
    this.#assets[asset.id] = asset;
    this.#version += 1;
    for (const { rules } of this.#symbols) {
      if (rules.base === asset.id || rules.quote === asset.id) this.#putSymbol(rules);
    }
  }

  #putSymbol(rules: SymbolRules): void {
    const listed: ListedSymbol = { rules, base: this.asset(rules.base), quote: this.asset(rules.quote) };
    this.#symbols[rules.id] = listed;
    this.#byName.set(rules.name, listed);
    this.#version += 1;
  }
}

/** A price of the symbol as a trimmed decimal. */
export const priceText = (symbol: ListedSymbol, ticks: number): string =>
  formatDecimal(ticks, symbol.rules.priceDecimals);
/** A quantity of the symbol as a trimmed decimal. */
export const lotsText = (symbol: ListedSymbol, lots: number | bigint): string =>
  formatDecimal(lots, symbol.rules.quantityDecimals);
/** An amount of the symbol's quote asset as a trimmed decimal. */
export const quoteText = (symbol: ListedSymbol, amount: number | bigint): string =>
  formatDecimal(amount, symbol.quote.scale);

/** Most lots of one order: an amount of the base asset is at most 2^53 - 1 units of its scale. DEC-ORD-38. */
export const mostLots = ({ rules, base }: ListedSymbol): number =>
  Math.floor(Number.MAX_SAFE_INTEGER / 10 ** (base.scale - rules.quantityDecimals));
