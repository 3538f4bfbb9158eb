import type { GatewayContext } from '#gateway/gateway-context.ts';
import { contractDetail } from '#gateway/handlers/contract-detail.ts';
import { exactAnswer } from '#gateway/handlers/exact-json.ts';
import { futuresCandleHandlers } from '#gateway/handlers/futures-candles.ts';
import { futuresMarketHandlers } from '#gateway/handlers/futures-market.ts';
import { futuresPriceHandlers } from '#gateway/handlers/futures-prices.ts';
import type { Handlers } from '#gateway/handlers/handlers.ts';
import {
  contractMarketOf,
  type ListedContract,
  listedContract,
  listedContracts,
} from '#gateway/handlers/listed-contracts.ts';
import type { SymbolDirectory } from '#projections/symbol-directory.ts';

type FuturesEndpoint = Extract<keyof Handlers, `futures${string}`>;

/** Handlers of the futures side. DEC-FUT-05. */
export function futuresHandlers(context: GatewayContext, directory: SymbolDirectory): Pick<Handlers, FuturesEndpoint> {
  const { clock, queries } = context;
  const detail = (listed: ListedContract) =>
    contractDetail(listed, contractMarketOf(context).indexSources(listed.rules.id));
  return {
    futuresPing: () => clock.now(),
    futuresContracts: async ({ symbol }) =>
      exactAnswer(
        'futuresContracts',
        symbol === undefined
          ? (await listedContracts(context, directory)).map(detail)
          : detail(await listedContract(context, directory, symbol)),
      ),
    // Nothing is transferable before the wallet is set up. SPEC-FUT-06.
    futuresCurrencies: async () =>
      ((await queries.wallet.rules())?.transferable ?? []).map((id) => directory.asset(id).code),
    ...futuresMarketHandlers(context, directory),
    ...futuresPriceHandlers(context, directory),
    ...futuresCandleHandlers(context, directory),
  };
}
