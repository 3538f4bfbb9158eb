import type { z } from 'zod';
import { million } from '#base/whole-numbers.ts';
import type { MarketCondition } from '#sandbox/agents/market-conditions.ts';
import { lengthMs } from '#sandbox/agents/value-path.ts';
import type { MarketControls, SimulatedMarket, SimulatedValue } from '#sandbox/market-controls.ts';
import { pathFault, pathOf, type PathShape } from '#sandbox/path-shapes.ts';
import type { HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { createRequestMemory } from '#operator-api/requests/act.ts';
import { brokenRule, Problem } from '#operator-api/requests/problems.ts';
import { type MarketFacts, marketFacts } from '#operator-api/sandbox/listed-markets.ts';
import type { marketEndpoints } from '#operator-api/sandbox/market-endpoints.ts';
import { requireKnown, simulationOf } from '#operator-api/sandbox/simulation-of.ts';

type Endpoints = typeof marketEndpoints;
type MarketAnswer = z.input<Endpoints['setMarketCondition']['answer']>['markets'][number];

const ppm = (factor: number): number => Math.round(factor * million);
const shown = ({ name, condition }: SimulatedMarket): MarketAnswer => ({
  market: name,
  agents: condition.agents,
  sides: condition.sides,
  spreadPpm: ppm(condition.spread),
  depthPpm: ppm(condition.depth),
  tradesPpm: ppm(condition.trades),
  endsAt: condition.endsAt,
});

const shownValue = ({ asset, usd, path }: SimulatedValue, now: number) => ({
  asset,
  usd: usd.toFixed(usdDecimals),
  path: path?.kind ?? null,
  endsAt: path === null ? null : Math.ceil(now + path.leftMs),
});
const unlisted: MarketFacts = { base: null, price: null, isHalted: false };
/** Enough for the cheapest coin. */
const usdDecimals = 10;

/** Paths whose name promises no chance have none unless it is asked for. */
const calmPaths: ReadonlySet<PathShape['kind']> = new Set(['jump', 'flashCrash', 'depeg', 'segments']);

/** Handlers of the simulated market; served only where there is one. DEC-FUT-65, DEC-CLU-23, DEC-KIT-60. */
export function marketHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { clock } = context;
  const once = createRequestMemory(context);
  /** Once what is asked for is sound. */
  const requireActing = ({ isActing }: MarketControls): void => {
    if (!isActing) throw new Problem('tradersElsewhere');
  };
  return {
    getMarket: async () => {
      const simulation = simulationOf(context);
      const facts = await marketFacts(context);
      const { isActing } = simulation;
      const now = clock.now();
      const values = simulation.values().map((value) => shownValue(value, now));
      const markets = simulation.markets().map((each) => ({ ...shown(each), ...(facts.get(each.name) ?? unlisted) }));
      return { isActing, now, markets, values };
    },
    setMarketCondition: (request) =>
      once('setMarketCondition', request, async () => {
        const simulation = simulationOf(context);
        const { markets, agents, sides, spreadPpm, depthPpm, tradesPpm, seconds } = request.body;
        const known = simulation.markets().map(({ name }) => name);
        requireKnown('markets', markets, known);
        requireActing(simulation);
        const factors = { spread: spreadPpm / million, depth: depthPpm / million, trades: tradesPpm / million };
        const endsAt = seconds === null ? null : clock.now() + seconds * 1000;
        const condition: MarketCondition = { agents, sides, ...factors, endsAt };
        simulation.setCondition(markets, condition);
        return {
          markets: simulation
            .markets()
            .filter(({ name }) => markets.includes(name))
            .map(shown),
        };
      }),
    clearMarketConditions: (request) =>
      once('clearMarketConditions', request, async () => {
        const simulation = simulationOf(context);
        requireActing(simulation);
        return { ended: simulation.clearConditions() };
      }),
    followPath: (request) =>
      once('followPath', request, async () => {
        const simulation = simulationOf(context);
        const { assets, path: shape, volatilityPpm = calmPaths.has(shape.kind) ? 0 : million } = request.body;
        requireKnown('assets', assets, simulation.assets);
        const path = pathOf(shape, volatilityPpm / million);
        const fault = pathFault(path);
        if (fault !== null) throw brokenRule('/path', fault);
        requireActing(simulation);
        simulation.follow(assets, path);
        return { assets, endsAt: clock.now() + lengthMs(path) };
      }),
    clearPaths: (request) =>
      once('clearPaths', request, async () => {
        const simulation = simulationOf(context);
        requireActing(simulation);
        return { ended: simulation.clearPaths() };
      }),
    moveMarket: (request) =>
      once('move', request, async () => {
        const simulation = simulationOf(context);
        const { assets, changePpm, seconds } = request.body;
        requireKnown('assets', assets, simulation.assets);
        requireActing(simulation);
        simulation.move({ assets, factor: 1 + changePpm / million, durationMs: seconds * 1000 });
        return { assets, endsAt: clock.now() + seconds * 1000 };
      }),
  };
}
