import { ApiError } from '#api/errors.ts';
import type { AssetRules } from '#domain/asset.ts';
import type { ContractRules, MarkView } from '#domain/contract.ts';
import type { ContractMarket } from '#gateway/handlers/contract-market.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import type { SymbolDirectory } from '#projections/symbol-directory.ts';

/** A contract with what is needed to print its numbers. */
export interface ListedContract {
  readonly rules: ContractRules;
  readonly base: AssetRules;
  readonly settle: AssetRules;
}

/** Every contract, in the order of listing. */
export async function listedContracts(
  { queries }: GatewayContext,
  directory: SymbolDirectory,
): Promise<readonly ListedContract[]> {
  const all = await queries.contracts.all();
  return all.map((rules) => ({ rules, base: directory.asset(rules.base), settle: directory.asset(rules.settle) }));
}

/** The contract of a parameter. @throws ApiError 1001 if there is none. DEC-FUT-01. */
export async function listedContract(
  context: GatewayContext,
  directory: SymbolDirectory,
  name: string,
): Promise<ListedContract> {
  const found = (await listedContracts(context, directory)).find(({ rules }) => rules.name === name);
  if (found === undefined) throw new ApiError('badSymbol', { parameter: 'symbol', why: 'no such contract' });
  return found;
}

/** Prices of a contract as they are now. @throws ApiError 1001 if it has gone. */
export async function markOf({ queries }: GatewayContext, { rules }: ListedContract): Promise<MarkView> {
  const mark = await queries.contracts.mark(rules.id);
  if (mark === null) throw new ApiError('badSymbol', { parameter: 'symbol', why: 'no such contract' });
  return mark;
}

/** Market data of contracts. @throws ApiError 501 where this process has none. */
export function contractMarketOf({ contractMarket }: GatewayContext): ContractMarket {
  if (contractMarket === undefined) throw new ApiError('serviceUnavailable');
  return contractMarket;
}
