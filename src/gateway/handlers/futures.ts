import type { GatewayContext } from '#gateway/gateway-context.ts';
import { contractDetail } from '#gateway/handlers/contract-detail.ts';
import { exactAnswer } from '#gateway/handlers/exact-json.ts';
import { futuresCandleHandlers } from '#gateway/handlers/futures-candles.ts';
import { futuresMarketHandlers } from '#gateway/handlers/futures-market.ts';
import { futuresPriceHandlers } from '#gateway/handlers/futures-prices.ts';
import type { Handlers } from '#gateway/handlers/handlers.ts';
import type { HistoryAccess } from '#gateway/history-access.ts';
import { listedContract } from '#gateway/handlers/listed-contracts.ts';
import type { ListedContract, SymbolDirectory } from '#projections/symbol-directory.ts';

type FuturesEndpoint = Extract<keyof Handlers, `futures${string}`>;

/** Handlers of the futures side. DEC-FUT-05. */
export function futuresHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
  access: HistoryAccess,
): Pick<Handlers, FuturesEndpoint> {
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
    ...futuresMarketHandlers(context, directory),
    ...futuresPriceHandlers(context, directory),
    ...futuresCandleHandlers(context, directory, access),
  };
}
