import type { GatewayContext } from '#public-api/gateway-context.ts';
import { contractDetail } from '#public-api/futures/contract-detail.ts';
import { exactAnswer } from '#public-api/spot/exact-json.ts';
import { futuresCandleHandlers } from '#public-api/futures/candles.ts';
import { futuresMarketHandlers } from '#public-api/futures/market.ts';
import { futuresPriceHandlers } from '#public-api/futures/prices.ts';
import type { Handlers } from '#public-api/handlers.ts';
import type { HistoryAccess } from '#public-api/history/history-access.ts';
import { listedContract } from '#public-api/futures/listed-contracts.ts';
import type { ListedContract, SymbolDirectory } from '#market-data/symbol-directory.ts';

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
