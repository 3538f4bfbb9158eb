import { ApiError } from '#http/errors.ts';
import type { ListedSymbol, SymbolDirectory, ListedContract } from '#market-data/symbol-directory.ts';
import type { MarkView } from '#model/contract.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';

/** The symbol of a parameter. @throws ApiError 10007 if it is not listed. */
export function listedSymbol(directory: SymbolDirectory, name: string, parameter = 'symbol'): ListedSymbol {
  return required(directory.find(name), parameter);
}

/** The symbol of a parameter, for what is past: one that was delisted too. @throws ApiError 10007. DEC-OPR-169. */
export function symbolEverListed(directory: SymbolDirectory, name: string, parameter = 'symbol'): ListedSymbol {
  return required(directory.findEver(name), parameter);
}

function required(found: ListedSymbol | undefined, parameter: string): ListedSymbol {
  if (found === undefined) throw new ApiError('badSymbol', { parameter });
  return found;
}

/** The symbols of a parameter, in its order; all symbols if it is absent. @throws ApiError 10007. */
export const listedSymbols = (
  directory: SymbolDirectory,
  names: readonly string[] | undefined,
): readonly ListedSymbol[] => names?.map((name) => listedSymbol(directory, name, 'symbols')) ?? directory.symbols;

/** The contract of a parameter. @throws ApiError 1001 if there is none. DEC-FUT-01. */
export function listedContract(directory: SymbolDirectory, name: string): ListedContract {
  const found = directory.findContract(name);
  if (found === undefined) throw new ApiError('badSymbol', { parameter: 'symbol', why: 'no such contract' });
  return found;
}

/** Prices, open interest and fund of a listed contract as they are now. */
export async function markOf({ queries }: GatewayContext, { rules }: ListedContract): Promise<MarkView> {
  return (await queries.contracts.mark(rules.id)) as MarkView;
}
