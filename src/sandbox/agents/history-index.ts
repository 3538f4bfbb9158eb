import type { Command } from '#model/command.ts';
import { as, type PriceTicks } from '#model/units.ts';
import { spotIndexPrice } from '#market-data/price-index/spot-price.ts';
import type { Agent } from '#sandbox/agents/agent.ts';
import { nothing } from '#sandbox/agents/agent.ts';
import type { ContractPair } from '#sandbox/agents/contract-pair.ts';

/** Tells the exchange the index of a history; live a worker of the exchange does. DEC-FUT-41, DEC-FUT-66. */
export interface HistoryIndex extends Agent {
  /**
   * The index on its way from the last one to what assets are worth now: no position is passed by so far that what is
   * behind it is lost at once. Before anybody quotes anew, at the moment of the last one.
   */
  onTheWay(): readonly Command[];
}

/** A step on the way, as a part of the least maintenance rate, and the greatest number of steps. */
const way = { ofMaintenance: 0.8, stepsMost: 12 } as const;
/** Digits of a price in steps of 10^-markDecimals. */
const markSteps = 1e8;

/** The index of all contracts, of what the makers of the pairs quote. */
export function createHistoryIndex(pairs: readonly ContractPair[]): HistoryIndex {
  /** What was told last, `null`: nothing. */
  const told: (number | null)[] = pairs.map(() => null);
  const update = (priceOf: (at: number) => number | null): Command => ({
    kind: 'updateIndices',
    prices: pairs.map(({ rules }, at) => ({ contract: rules.id, price: priceOf(at) })),
  });
  const quoted = ({ spot }: ContractPair): number | null => {
    if (spot === null || spot.quotedMid === 0) return null;
    const { quotedBid, quotedAsk, lastTick } = spot;
    const last = lastTick === 0 ? null : as<PriceTicks>(lastTick);
    const prices = { bid: as<PriceTicks>(quotedBid), ask: as<PriceTicks>(quotedAsk), last };
    return spotIndexPrice(prices, spot.rules.priceDecimals);
  };
  const act: Agent['act'] = ({ pace }) => {
    if (pace === 'live' || pairs.length === 0) return nothing;
    for (const [at, pair] of pairs.entries()) told[at] = quoted(pair);
    return [update((at) => told[at]!)];
  };
  const onTheWay = (): readonly Command[] => {
    const moves = pairs.map(({ spot }, at) => {
      if (spot === null || told[at] === null) return 0;
      return Math.log(((spot.fairTicks() / 10 ** spot.rules.priceDecimals) * markSteps) / told[at]!);
    });
    const needed = pairs.map(({ contract: { tiers } }, at) => {
      const maintenance = Math.min(...tiers.map(({ maintenancePpm }) => maintenancePpm)) / 1e6;
      return Math.abs(moves[at]!) / (maintenance * way.ofMaintenance);
    });
    const steps = Math.min(way.stepsMost, Math.ceil(Math.max(0, ...needed)));
    return Array.from({ length: Math.max(0, steps - 1) }, (_, step) =>
      update((at) => (told[at] === null ? null : Math.round(told[at]! * Math.exp((moves[at]! * (step + 1)) / steps)))),
    );
  };
  return { act, onTheWay };
}
