import { powersOfTen } from '#base/decimal.ts';
import { isPpm, isWhole, million } from '#base/whole-numbers.ts';
import type { AssetListing, AssetRules } from '#model/asset.ts';
import { engineLimits } from '#model/limits.ts';
import type { SymbolListing, SymbolRules } from '#model/symbol.ts';
import type { AssetId, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import { Book } from '#engine/book/book.ts';
import { refuse, type CommandFunction } from '#engine/money/command-function.ts';
import { refreshTokenPrice } from '#engine/money/sample-prices.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Lists an asset, or renames a listed one; scale and cap of a listed asset stay. */
export const configureAsset: CommandFunction<'configureAsset'> = (state, { asset }) => {
  const listed = state.assetByCode.get(asset.code);
  const known = listed === undefined ? null : state.assets[listed]!;
  const isValid = known === null ? isAssetValid(state, asset) : known.scale === asset.scale && known.cap === asset.cap;
  if (!isValid) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  const id = known?.id ?? as<AssetId>(state.assets.length);
  const { code, fullName, scale, cap, coinId } = asset;
  putAsset(state, { id, code, fullName, scale, cap, coinId });
  state.emit.fact({ kind: 'assetConfigured', asset: state.assets[id]! });
};

/** Adds or replaces an asset whose rules were checked. */
export function putAsset(state: EngineState, asset: AssetRules): void {
  state.assets[asset.id] = asset;
  state.assetByCode.set(asset.code, asset.id);
}

function isAssetValid(state: EngineState, asset: AssetListing): boolean {
  return (
    state.assets.length < engineLimits.assets &&
    /^[A-Z0-9]{2,12}$/.test(asset.code) &&
    /^[0-9a-f]{32}$/.test(asset.coinId) &&
    Number.isInteger(asset.scale) &&
    asset.scale >= 0 &&
    asset.scale <= engineLimits.assetScale &&
    asset.cap > 0n &&
    asset.cap < 1n << 62n
  );
}

/** Lists a symbol, or changes the rules of a listed one; its assets and scales stay. */
export const configureSymbol: CommandFunction<'configureSymbol'> = (state, { symbol }) => {
  const listed = state.symbolByName.get(symbol.name);
  const book = listed === undefined ? null : state.books[listed]!;
  const isValid =
    areRulesValid(state, symbol) &&
    (book === null
      ? state.books.length < engineLimits.symbols && !state.bookByAssets.has(`${symbol.base}/${symbol.quote}`)
      : keepsScales(book.rules, symbol));
  if (!isValid) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  const rules = { ...symbol, id: book?.rules.id ?? as<SymbolId>(state.books.length) };
  if (book === null) putBook(state, rules);
  else book.setRules(rules);
  state.emit.fact({ kind: 'symbolConfigured', symbol: rules });
};

/** Opens the book of a symbol whose rules were checked. */
export function putBook(state: EngineState, rules: SymbolRules): Book {
  const base = state.assets[rules.base]!;
  const quote = state.assets[rules.quote]!;
  const quotePerTickLot = Number(powersOfTen[quote.scale - rules.priceDecimals - rules.quantityDecimals]!);
  const basePerLot = Number(powersOfTen[base.scale - rules.quantityDecimals]!);
  const book = new Book(rules, quotePerTickLot, basePerLot, state.tables);
  state.books[rules.id] = book;
  state.symbolByName.set(rules.name, rules.id);
  state.bookByAssets.set(`${rules.base}/${rules.quote}`, book);
  const ofBase = state.booksByBase.get(rules.base);
  if (ofBase === undefined) state.booksByBase.set(rules.base, [book]);
  else ofBase.push(book);
  return book;
}

const isAmount = (value: number): boolean => isWhole(value, 1, Number.MAX_SAFE_INTEGER);

/** DEC-ORD-01 and DEC-ORD-02; docs/decisions/0002 has the bound on amounts. */
function areRulesValid(state: EngineState, symbol: SymbolListing): boolean {
  const base = state.assets[symbol.base];
  const quote = state.assets[symbol.quote];
  const { priceDecimals, quantityDecimals } = symbol;
  return (
    base !== undefined &&
    quote !== undefined &&
    base !== quote &&
    /^[A-Z0-9]{2,24}$/.test(symbol.name) &&
    Number.isInteger(priceDecimals) &&
    priceDecimals >= 0 &&
    Number.isInteger(quantityDecimals) &&
    quantityDecimals >= 0 &&
    priceDecimals + quantityDecimals <= quote.scale &&
    quantityDecimals <= base.scale &&
    isAmount(symbol.minLots) &&
    isAmount(symbol.minNotional) &&
    isAmount(symbol.minNotionalMarket) &&
    isAmount(symbol.maxNotional) &&
    isAmount(symbol.maxNotionalMarket) &&
    isPpm(symbol.makerFeePpm) &&
    isPpm(symbol.takerFeePpm) &&
    isPpm(symbol.collarPpm) &&
    (symbol.bidMultiplierUpPpm === null || isWhole(symbol.bidMultiplierUpPpm, 0, 1000 * million)) &&
    (symbol.askMultiplierDownPpm === null || isPpm(symbol.askMultiplierDownPpm)) &&
    symbol.orderKinds.length > 0
  );
}

function keepsScales(listed: SymbolRules, wanted: SymbolListing): boolean {
  return (
    listed.base === wanted.base &&
    listed.quote === wanted.quote &&
    listed.priceDecimals === wanted.priceDecimals &&
    listed.quantityDecimals === wanted.quantityDecimals
  );
}

/** Sets the platform token, its valuation asset and its discount, for token deduction. */
export const configureFeeToken: CommandFunction<'configureFeeToken'> = (state, command) => {
  const { token, valuedIn, discountPpm } = command;
  if (state.assets[token] === undefined || state.assets[valuedIn] === undefined || !isPpm(discountPpm)) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  state.feeToken = { token, valuedIn, discountPpm };
  refreshTokenPrice(state);
  state.emit.fact({ kind: 'feeTokenConfigured', token, valuedIn, discountPpm });
};
