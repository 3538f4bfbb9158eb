import type { Command } from '#model/command.ts';
import { as, type PriceTicks } from '#model/units.ts';
import { spotIndexPrice } from '#market-data/price-index/spot-price.ts';
import type { Agent } from '#sandbox/agents/agent.ts';
import { nothing } from '#sandbox/agents/agent.ts';
import type { TradedContract } from '#sandbox/agents/traded-market.ts';

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
export function createHistoryIndex(contracts: readonly TradedContract[]): HistoryIndex {
  /** What was told last, `null`: nothing. */
  const told: (number | null)[] = contracts.map(() => null);
  const update = (priceOf: (at: number) => number | null): Command => ({
    kind: 'updateIndices',
    prices: contracts.map(({ rules }, at) => ({ contract: rules.id, price: priceOf(at) })),
  });
  const quoted = ({ spot }: TradedContract): number | null => {
    if (spot === null || spot.quotedMid === 0) return null;
    const { quotedBid, quotedAsk, lastTick } = spot;
    const last = lastTick === 0 ? null : as<PriceTicks>(lastTick);
    const prices = { bid: as<PriceTicks>(quotedBid), ask: as<PriceTicks>(quotedAsk), last };
    return spotIndexPrice(prices, spot.rules.priceDecimals);
  };
  const act: Agent['act'] = ({ pace }) => {
    // Where wide steps begin again, nothing was told since the live market.
    if (pace === 'live') told.fill(null);
    if (pace === 'live' || contracts.length === 0) return nothing;
    for (const [at, contract] of contracts.entries()) told[at] = quoted(contract);
    return [update((at) => told[at]!)];
  };
  const onTheWay = (): readonly Command[] => {
    const moves = contracts.map(({ spot }, at) => {
      if (spot === null || told[at] === null) return 0;
      return Math.log(((spot.fairTicks() / 10 ** spot.rules.priceDecimals) * markSteps) / told[at]!);
    });
    const needed = contracts.map(({ contractRules: { tiers } }, at) => {
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
