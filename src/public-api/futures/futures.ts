import type { futuresEndpoints } from '#public-api/futures/futures-endpoints.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { contractDetail } from '#public-api/futures/contract-detail.ts';
import { exactAnswer } from '#public-api/spot/exact-json.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { listedContract } from '#public-api/listed-symbols.ts';
import type { ListedContract, SymbolDirectory } from '#market-data/symbol-directory.ts';

/** Handlers of the futures side. DEC-FUT-05. */
export function futuresHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof futuresEndpoints> {
  const { clock, queries } = context;
  const detail = async (listed: ListedContract) => contractDetail(listed, await context.indexSources(listed.rules));
  return {
    futuresPing: () => clock.now(),
    futuresContracts: async ({ symbol }) =>
      exactAnswer(
        'futuresContracts',
        symbol === undefined
          ? await Promise.all(directory.contracts.map(detail))
          : await detail(listedContract(directory, symbol)),
      ),
    // Nothing is transferable before the wallet is set up. SPEC-FUT-06.
    futuresCurrencies: async () =>
      ((await queries.wallet.rules())?.transferable ?? []).map((id) => directory.asset(id).code),
  };
}
