import { ApiError } from '#http/errors.ts';
import type { MarkView } from '#model/contract.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { ListedContract, SymbolDirectory } from '#market-data/symbol-directory.ts';

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
