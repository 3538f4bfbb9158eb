import type { z } from 'zod';
import type { ContractRules } from '#model/contract.ts';
import type { SymbolRules } from '#model/symbol.ts';
import { as, type TimestampMs } from '#model/units.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { type Act, createRequestMemory } from '#operator-api/requests/act.ts';
import { brokenRule, invalidBody, Problem } from '#operator-api/requests/problems.ts';
import type { haltEndpoints } from '#operator-api/sandbox/halt-endpoints.ts';
import { simulationOf } from '#operator-api/sandbox/simulation-of.ts';

type Endpoints = typeof haltEndpoints;
type Halted = z.input<Endpoints['resumeMarket']['answer']>;

/** A pair or a contract. */
type Market = { readonly pair: SymbolRules } | { readonly contract: ContractRules };

/** Contracts resume so much later than pairs: until then there is an index. */
const indexMs = 2_000;

/** A pair with another status; its other rules stay. */
async function setStatus(
  act: Act,
  { id: _id, ...rules }: SymbolRules,
  status: 'online' | 'paused',
  openAt: number | null,
) {
  const opening = openAt === null ? null : as<TimestampMs>(openAt);
  await act({ kind: 'configureSymbol', symbol: { ...rules, status, openAt: opening } });
}

/** Handlers of halts. DEC-KIT-66. */
export function haltHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries, clock } = context;
  const once = createRequestMemory(context);
  const find = async (name: string): Promise<Market | null> => {
    const { symbols, contracts = [] } = await queries.listing();
    const pair = symbols.find((each) => each.name === name);
    if (pair !== undefined) return { pair };
    const contract = contracts.find((each) => each.name === name);
    return contract === undefined ? null : { contract };
  };
  /** @throws Problem naming one that takes no orders for another reason */
  const toHalt = async (name: string, pointer: string): Promise<Market> => {
    const market = await find(name);
    if (market === null) throw invalidBody(pointer, 'must be a listed pair or contract');
    const state = 'pair' in market ? market.pair.status : market.contract.state;
    if (state !== 'online' && state !== 'enabled' && state !== 'paused')
      throw brokenRule(pointer, `must be open or paused: it is ${state}`);
    return market;
  };
  const halt = async (act: Act, market: Market, resumesAt: number | null): Promise<void> => {
    if ('pair' in market) return setStatus(act, market.pair, 'paused', resumesAt);
    const { id, state } = market.contract;
    if (state !== 'paused') await act({ kind: 'setContractState', contract: id, state: 'paused' });
    if (resumesAt !== null) simulationOf(context).enableAt(id, resumesAt);
  };
  return {
    haltMarkets: (request) =>
      once('haltMarkets', request, async () => {
        const { markets: names, seconds } = request.body;
        const { isActing } = simulationOf(context);
        const markets: Market[] = [];
        for (const [index, name] of names.entries()) markets.push(await toHalt(name, `/markets/${index}`));
        if (!isActing && markets.some((market) => 'contract' in market)) throw new Problem('tradersElsewhere');
        const at = seconds === null ? null : clock.now() + seconds * 1000;
        const answer: Halted[] = [];
        for (const [index, market] of markets.entries()) {
          const resumesAt = at === null || 'pair' in market ? at : at + indexMs;
          await halt(request.actUnkeyed, market, resumesAt);
          answer.push({ market: names[index]!, isHalted: true, resumesAt });
        }
        return { markets: answer };
      }),
    resumeMarket: async ({ path, act }) => {
      simulationOf(context);
      const market = await find(path.market);
      if (market === null) throw new Problem('unknownPair');
      const isOver = 'pair' in market ? market.pair.status === 'online' : market.contract.state === 'enabled';
      const isPaused = 'pair' in market ? market.pair.status === 'paused' : market.contract.state === 'paused';
      if (!isOver && !isPaused) throw new Problem('wrongState', { detail: `${path.market} is not paused.` });
      if (isPaused && 'pair' in market) await setStatus(act, market.pair, 'online', null);
      if (isPaused && 'contract' in market)
        await act({ kind: 'setContractState', contract: market.contract.id, state: 'enabled' });
      return { market: path.market, isHalted: false, resumesAt: null };
    },
  };
}
