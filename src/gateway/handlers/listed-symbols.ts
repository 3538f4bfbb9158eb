import { ApiError } from '#api/errors.ts';
import type { ListedSymbol, SymbolDirectory } from '#projections/symbol-directory.ts';

/** The symbol that a parameter names. @throws ApiError 10007 for a name that is not listed. */
export function listedSymbol(directory: SymbolDirectory, name: string, parameter = 'symbol'): ListedSymbol {
  const found = directory.find(name);
  if (found === undefined) throw new ApiError('badSymbol', { parameter });
  return found;
}

/** Those that `symbols` names, in its order; every symbol where nothing is named. @throws ApiError 10007. */
export const listedSymbols = (
  directory: SymbolDirectory,
  names: readonly string[] | undefined,
): readonly ListedSymbol[] => names?.map((name) => listedSymbol(directory, name, 'symbols')) ?? directory.symbols;
