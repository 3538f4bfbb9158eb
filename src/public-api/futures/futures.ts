import { PrintedTexts } from '#base/printed-texts.ts';
import type { SymbolId } from '#model/units.ts';
import type { futuresEndpoints } from '#public-api/futures/futures-endpoints.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { contractDetail } from '#public-api/futures/contract-detail.ts';
import { print } from '#public-api/spot/exact-json.ts';
import { type HandlersOf, JsonText } from '#public-api/handlers.ts';
import { listedContract } from '#public-api/listed-symbols.ts';
import type { ListedContract, SymbolDirectory } from '#market-data/symbol-directory.ts';

/** Greatest total length of the contracts' details that are kept. */
const charactersMax = 4 * 1024 * 1024;

/** Handlers of the futures side. DEC-FUT-05. */
export function futuresHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof futuresEndpoints> {
  const { clock, queries } = context;
  const details = new PrintedTexts<SymbolId>(charactersMax);
  const detail = async (listed: ListedContract): Promise<string> => {
    const sources = await context.indexSources(listed.rules);
    return details.of(listed.rules.id, [listed, sources.join()], () => print(contractDetail(listed, sources)));
  };
  return {
    futuresPing: () => clock.now(),
    futuresContracts: async ({ symbol }) => {
      if (symbol !== undefined) return new JsonText(await detail(listedContract(directory, symbol)));
      const all = await Promise.all(directory.contracts.map(detail));
      return new JsonText(`[${all.join(',')}]`);
    },
    // Nothing is transferable before the wallet is set up. SPEC-FUT-06.
    futuresCurrencies: async () =>
      ((await queries.wallet.rules())?.transferable ?? []).map((id) => directory.asset(id).code),
  };
}
