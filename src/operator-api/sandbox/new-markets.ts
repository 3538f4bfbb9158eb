import type { z } from 'zod';
import { MarketRefused, type MarketOpeningPorts, openContract, openPair } from '#sandbox/new-markets/open-market.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { type Act, createRequestMemory } from '#operator-api/requests/act.ts';
import { brokenRule, Problem } from '#operator-api/requests/problems.ts';
import type { newMarketEndpoints } from '#operator-api/sandbox/new-market-endpoints.ts';
import { simulationOf } from '#operator-api/sandbox/simulation-of.ts';

type Endpoints = typeof newMarketEndpoints;
type Opened = z.input<Endpoints['openPair']['answer']>;
type OperatedCommand = Parameters<Act>[0];

/** Enough for the cheapest coin. */
const usdDecimals = 10;

/** Handlers of markets that are listed on demand. DEC-KIT-54, DEC-KIT-55. */
export function newMarketHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const once = createRequestMemory(context);
  /** Opens a market, each step as an act of the operator. */
  const open = async (
    actUnkeyed: Act,
    work: (ports: MarketOpeningPorts) => Promise<{ readonly name: string }>,
    { base, quote }: { readonly base: string; readonly quote: string },
  ): Promise<Opened> => {
    const controls = simulationOf(context);
    if (!controls.isActing) throw new Problem('tradersElsewhere');
    const submit = (command: OperatedCommand) => actUnkeyed(command);
    try {
      const { name } = await work({ submit: submit as MarketOpeningPorts['submit'], queries, controls });
      return { market: name, base, quote, usd: (controls.worthOf(base) ?? 0).toFixed(usdDecimals) };
    } catch (error) {
      if (error instanceof MarketRefused) throw brokenRule(`/${error.member}`, error.message);
      throw error;
    }
  };
  return {
    openPair: (request) =>
      once('openPair', request, () => {
        const { base, quote, price, fullName, grant } = request.body;
        const asked = {
          ...{ base, quote, fullName: fullName ?? null },
          ...{ price: price === undefined ? null : Number(price), grantCoins: Number(grant) },
        };
        return open(request.actUnkeyed, (ports) => openPair(ports, asked), { base, quote });
      }),
    openContract: (request) =>
      once('openContract', request, () => {
        const { base } = request.body;
        return open(request.actUnkeyed, (ports) => openContract(ports, base), { base, quote: 'USDT' });
      }),
  };
}
