import { formatDecimal } from '#base/decimal.ts';
import type { AssetRules } from '#model/asset.ts';
import type { ContractRules } from '#model/contract.ts';
import { marketOf } from '#model/contract-market.ts';
import type { Fact } from '#model/events.ts';
import type { SymbolRules } from '#model/symbol.ts';
import type { AssetId, SymbolId } from '#model/units.ts';
import type { Listing } from '#sequencer/queries/exchange-queries.ts';

/** A symbol with what is needed to read and print its numbers. Replaced as a whole whenever any of it changes. */
export interface ListedSymbol {
  readonly rules: SymbolRules;
  readonly base: AssetRules;
  readonly quote: AssetRules;
}

/** A contract with its market, which is read and printed like a pair. Replaced as a whole when any of it changes. */
export interface ListedContract {
  readonly rules: ContractRules;
  readonly market: ListedSymbol;
  readonly base: AssetRules;
  readonly settle: AssetRules;
}

/**
 * Names, scales and rules of every asset, symbol and contract: the one directory of a process, kept by market data and
 * read by gateway and streams. It follows the engine's configuration facts, and is bounded by the engine's limits.
 */
export class SymbolDirectory {
  readonly #assets: AssetRules[] = [];
  /** Rules as they were configured, by id; while all trading is halted, others are shown. */
  readonly #symbolRules = new Map<SymbolId, SymbolRules>();
  readonly #contractRules = new Map<SymbolId, ContractRules>();
  #isTradingOpen = true;
  /** By id: pairs and the markets of contracts, which share the sequence of ids. */
  readonly #markets: ListedSymbol[] = [];
  /** Each has holes where ids are of the other. */
  readonly #symbolsById: ListedSymbol[] = [];
  readonly #contractsById: ListedContract[] = [];
  #symbols: readonly ListedSymbol[] = [];
  #contracts: readonly ListedContract[] = [];
  readonly #byName = new Map<string, ListedSymbol>();
  readonly #contractsByName = new Map<string, ListedContract>();
  readonly #assetsByCode = new Map<string, AssetRules>();
  #version = 0;

  /** Counts changes, so that what is printed from the listing can be kept until it changes. */
  get version(): number {
    return this.#version;
  }

  /** Every asset that is or was listed, by its id. */
  get assets(): readonly AssetRules[] {
    return this.#assets;
  }

  /** Every listed symbol that is no contract, in the order of configuration. */
  get symbols(): readonly ListedSymbol[] {
    return this.#symbols;
  }

  /** Every contract, in the order of configuration. */
  get contracts(): readonly ListedContract[] {
    return this.#contracts;
  }

  /** Takes over what was configured before the first fact. */
  load(listing: Listing): void {
    this.#isTradingOpen = listing.isTradingOpen;
    for (const asset of listing.assets) this.#putAsset(asset);
    for (const symbol of listing.symbols) this.#putSymbol(symbol);
    for (const contract of listing.contracts ?? []) this.#putContract(contract);
  }

  /** Hears every fact. */
  fact(fact: Fact): void {
    if (fact.kind === 'assetConfigured') this.#putAsset(fact.asset);
    if (fact.kind === 'symbolConfigured') this.#putSymbol(fact.symbol);
    if (fact.kind === 'contractConfigured') this.#putContract(fact.contract);
    if (fact.kind === 'tradingChanged') this.#setTradingOpen(fact.status.state === 'open');
  }

  /** A listed pair. */
  find(name: string): ListedSymbol | undefined {
    const known = this.findEver(name);
    return known === undefined || isDelisted(known) ? undefined : known;
  }

  /** A pair that is or was listed: what it traded can still be read. DEC-OPR-169. */
  findEver(name: string): ListedSymbol | undefined {
    return this.#byName.get(name);
  }

  /** A pair, or the market of a contract, that is or was listed, by its id. */
  at(symbol: SymbolId): ListedSymbol {
    return this.#markets[symbol] as ListedSymbol;
  }

  findContract(name: string): ListedContract | undefined {
    return this.#contractsByName.get(name);
  }

  /** A contract by its id; `undefined` for any other symbol. */
  contract(symbol: SymbolId): ListedContract | undefined {
    return this.#contractsById[symbol];
  }

  /** An asset that is configured, by its id. */
  asset(asset: AssetId): AssetRules {
    return this.#assets[asset] as AssetRules;
  }

  /** A listed asset. */
  findAsset(code: string): AssetRules | undefined {
    const known = this.findAssetEver(code);
    return known?.isDelisted === true ? undefined : known;
  }

  /** An asset that is or was listed: what is past of it can still be read. DEC-OPR-172. */
  findAssetEver(code: string): AssetRules | undefined {
    return this.#assetsByCode.get(code);
  }

  #putAsset(asset: AssetRules): void {
    this.#assets[asset.id] = asset;
    this.#assetsByCode.set(asset.code, asset);
    this.#version += 1;
    // any order: each takes the place that its id has
    for (const rules of this.#symbolRules.values())
      if (rules.base === asset.id || rules.quote === asset.id) this.#placeSymbol(rules);
    // any order: each takes the place that its id has
    for (const rules of this.#contractRules.values())
      if (rules.base === asset.id || rules.settle === asset.id) this.#placeContract(rules);
    this.#listAnew();
  }

  #setTradingOpen(isOpen: boolean): void {
    this.#isTradingOpen = isOpen;
    // any order: each takes the place that its id has
    for (const rules of this.#symbolRules.values()) this.#placeSymbol(rules);
    // any order: each takes the place that its id has
    for (const rules of this.#contractRules.values()) this.#placeContract(rules);
    this.#listAnew();
  }

  #putSymbol(rules: SymbolRules): void {
    this.#symbolRules.set(rules.id, rules);
    this.#placeSymbol(rules);
    this.#listAnew();
  }

  #putContract(rules: ContractRules): void {
    this.#contractRules.set(rules.id, rules);
    this.#placeContract(rules);
    this.#listAnew();
  }

  #listAnew(): void {
    this.#symbols = Object.values(this.#symbolsById).filter((symbol) => !isDelisted(symbol));
    this.#contracts = Object.values(this.#contractsById);
    this.#version += 1;
  }

  /** What clients see of a pair that is online is a pause while all trading is halted. DEC-OPR-166. */
  #placeSymbol(configured: SymbolRules): void {
    const isHalted = !this.#isTradingOpen && configured.status === 'online';
    const rules: SymbolRules = isHalted ? { ...configured, status: 'paused' } : configured;
    const listed: ListedSymbol = { rules, base: this.asset(rules.base), quote: this.asset(rules.quote) };
    this.#symbolsById[rules.id] = listed;
    this.#markets[rules.id] = listed;
    this.#byName.set(rules.name, listed);
  }

  #placeContract(configured: ContractRules): void {
    const isHalted = !this.#isTradingOpen && configured.state === 'enabled';
    const rules: ContractRules = isHalted ? { ...configured, state: 'paused' } : configured;
    const base = this.asset(rules.base);
    const settle = this.asset(rules.settle);
    const market = { rules: marketOf(rules), base, quote: settle };
    const listed: ListedContract = { rules, market, base, settle };
    this.#markets[rules.id] = market;
    this.#contractsById[rules.id] = listed;
    this.#contractsByName.set(rules.name, listed);
  }
}

const isDelisted = ({ rules }: ListedSymbol): boolean => rules.status === 'delisted';

/** A price of the symbol as a trimmed decimal. */
export const priceText = (symbol: ListedSymbol, ticks: number): string =>
  formatDecimal(ticks, symbol.rules.priceDecimals);
/** A quantity of the symbol as a trimmed decimal. */
export const lotsText = (symbol: ListedSymbol, lots: number | bigint): string =>
  formatDecimal(lots, symbol.rules.quantityDecimals);
/** An amount of an asset as a trimmed decimal. */
export const amountText = (asset: AssetRules, amount: number | bigint): string => formatDecimal(amount, asset.scale);
/** An amount of the symbol's quote asset as a trimmed decimal. */
export const quoteText = (symbol: ListedSymbol, amount: number | bigint): string => amountText(symbol.quote, amount);

/** What one lot costs at one tick, in the quote asset's smallest units. */
export const quotePerTickLot = ({ rules, quote }: ListedSymbol): bigint =>
  10n ** BigInt(quote.scale - rules.priceDecimals - rules.quantityDecimals);

/** Most lots of one order: an amount of the base asset is at most 2^53 - 1 units of its scale. DEC-ORD-38. */
export const mostLots = ({ rules, base }: ListedSymbol): number =>
  Math.floor(Number.MAX_SAFE_INTEGER / 10 ** (base.scale - rules.quantityDecimals));
