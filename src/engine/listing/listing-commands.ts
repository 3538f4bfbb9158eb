import { isPpm } from '#base/whole-numbers.ts';
import type { AssetListing, AssetRules } from '#model/asset.ts';
import { engineLimits } from '#model/limits.ts';
import type { SymbolListing, SymbolRules } from '#model/symbol.ts';
import { symbolFault } from '#model/symbol-fault.ts';
import type { AssetId, SymbolId } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Book } from '#engine/book/book.ts';
import { buySide, sellSide } from '#engine/book/side-code.ts';
import { refuse, type CommandFunction, type CommandTable } from '#engine/money/command-function.ts';
import { refreshTokenPrice } from '#engine/money/sample-prices.ts';
import type { Cancelling } from '#engine/spot/cancel-order.ts';
import type { EngineState } from '#engine/state/state.ts';

/** Lists an asset, or renames a listed one; scale and cap of one that is or was listed stay. DEC-OPR-173. */
export const configureAsset: CommandFunction<'configureAsset'> = (state, { asset }) => {
  const known = state.assets.find(asset.code);
  const isValid = known === null ? isAssetValid(state, asset) : known.scale === asset.scale && known.cap === asset.cap;
  if (!isValid) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  const id = known?.id ?? as<AssetId>(state.assets.count);
  const { code, fullName, scale, cap, coinId } = asset;
  const rules: AssetRules = { id, code, fullName, scale, cap, coinId, isDelisted: false };
  state.assets.put(rules);
  state.emit.fact({ kind: 'assetConfigured', asset: rules });
};

function isAssetValid(state: EngineState, asset: AssetListing): boolean {
  return (
    state.assets.count < engineLimits.assets &&
    /^[A-Z0-9]{2,12}$/.test(asset.code) &&
    /^[0-9a-f]{32}$/.test(asset.coinId) &&
    Number.isInteger(asset.scale) &&
    asset.scale >= 0 &&
    asset.scale <= engineLimits.assetScale &&
    asset.cap > 0n &&
    asset.cap < 1n << 62n
  );
}

/**
 * Lists a symbol, or changes the rules of a listed one; its assets and scales stay. One that goes offline keeps no
 * orders: as many as one entry may are cancelled in it, the rest by `cancelOfflineOrders`. DEC-OPR-161.
 */
const configureSymbol =
  (matching: Cancelling): CommandFunction<'configureSymbol'> =>
  (state, { symbol }) => {
    const listed = state.symbols.find(symbol.name)?.rules ?? null;
    if (listed?.status === 'delisted') {
      refuse(state, 'pairDelisted');
      return;
    }
    if (!canList(state, symbol, listed)) {
      refuse(state, 'invalidConfiguration');
      return;
    }
    putSymbol(state, { ...symbol, id: listed?.id ?? as<SymbolId>(state.books.length) });
    cancelSomeOffline(state, matching);
  };

/** Whether a symbol can have these rules: a new one needs a name, a pair of assets and a place of its own. */
function canList(state: EngineState, symbol: SymbolListing, listed: SymbolRules | null): boolean {
  const context = { listed, base: state.assets.get(symbol.base), quote: state.assets.get(symbol.quote) };
  if (symbolFault(symbol, context) !== null) return false;
  if (listed !== null) return true;
  return state.books.length < engineLimits.symbols && state.symbols.ofAssets(symbol.base, symbol.quote) === null;
}

/** Lists a symbol or replaces its rules, which were checked, and emits them. */
export function putSymbol(state: EngineState, rules: SymbolRules): void {
  state.symbols.put(rules);
  state.emit.fact({ kind: 'symbolConfigured', symbol: rules });
}

/** Puts pairs online whose time has come, unless all trading is halted. Called before every command. DEC-OPR-162. */
export function openDuePairs(state: EngineState): void {
  if (!state.trading.isOpen) return;
  for (let id = state.symbols.openings.due(state.at); id !== null; id = state.symbols.openings.due(state.at))
    putSymbol(state, { ...state.books[id]!.rules, status: 'online', openAt: null });
}

/** Cancels open orders of pairs that are offline, the first pair first, as many as one entry may. DEC-OPR-161. */
function cancelSomeOffline(state: EngineState, { cancelSomeOf }: Cancelling): void {
  let left: number = engineLimits.cancelledOrdersPerEntry;
  for (const { rules, isContract } of state.books) {
    if (left === 0) return;
    if (!isContract && rules.status === 'offline') left -= cancelSomeOf(rules.id, left);
  }
}

/** Whether pairs that are offline still have open orders. */
export const haveOfflineOrders = (state: EngineState): boolean =>
  state.books.some((book) => !book.isContract && book.rules.status === 'offline' && hasOrders(book));

/** Whether a book has open orders. */
export const hasOrders = (book: Book): boolean => book.best(buySide) >= 0 || book.best(sellSide) >= 0;

/** The functions of commands about symbols, with this matching. */
export const symbolCommands = (matching: Cancelling) =>
  ({
    configureSymbol: configureSymbol(matching),
    cancelOfflineOrders: (state) => cancelSomeOffline(state, matching),
  }) satisfies Partial<CommandTable>;

/** Sets the platform token, its valuation asset and its discount, for token deduction. */
export const configureFeeToken: CommandFunction<'configureFeeToken'> = (state, command) => {
  const { token, valuedIn, discountPpm } = command;
  if (!state.assets.has(token) || !state.assets.has(valuedIn) || !isPpm(discountPpm)) {
    refuse(state, 'invalidConfiguration');
    return;
  }
  state.feeToken.value = { token, valuedIn, discountPpm };
  refreshTokenPrice(state);
  state.emit.fact({ kind: 'feeTokenConfigured', token, valuedIn, discountPpm });
};
