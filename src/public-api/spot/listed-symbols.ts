import { ApiError } from '#http/errors.ts';
import type { ListedSymbol, SymbolDirectory } from '#market-data/symbol-directory.ts';

/** The symbol of a parameter. @throws ApiError 10007 if it is not listed. */
export function listedSymbol(directory: SymbolDirectory, name: string, parameter = 'symbol'): ListedSymbol {
  const found = directory.find(name);
  if (found === undefined) throw new ApiError('badSymbol', { parameter });
  return found;
}

/** The symbols of a parameter, in its order; all symbols if it is absent. @throws ApiError 10007. */
export const listedSymbols = (
  directory: SymbolDirectory,
  names: readonly string[] | undefined,
): readonly ListedSymbol[] => names?.map((name) => listedSymbol(directory, name, 'symbols')) ?? directory.symbols;
