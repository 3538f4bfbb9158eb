import type { Prng } from '#base/prng.ts';
import type { Command } from '#model/command.ts';
import type { OrderRequest, Side } from '#model/order.ts';
import type { AccountId } from '#model/units.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { nothing } from '#sandbox/agents/agent.ts';
import { createArrivals } from '#sandbox/agents/arrivals.ts';
import type { Holdings } from '#sandbox/agents/holdings.ts';
import type { MarketProfile } from '#sandbox/agents/market-profile.ts';
import { drawOrderSize, meanOrderSize, roundAsPeopleDo, roundSomePrices } from '#sandbox/agents/order-size.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { orderOf, type TradedMarket } from '#sandbox/agents/traded-market.ts';

/** An account and what it has in the market. */
export interface Trader {
  readonly account: AccountId;
  readonly holdings: Holdings;
}

/** Accounts, market and state of a taker. */
export interface TakerPorts {
  /** Accounts, one of which is chosen at random for each step. */
  readonly accounts: readonly Trader[];
  readonly market: TradedMarket;
  readonly fold: ParticipantFold;
  readonly prng: Prng;
  /** How often they trade, and the median worth of an order. */
  readonly flow: OrderFlow;
  /** After this long without an order comes one for certain; absent: never. */
  readonly silenceMsMost?: number;
}

/** Orders of all accounts of a taker together. */
export type OrderFlow = Pick<MarketProfile, 'tradesPerSecond' | 'tradeUsd'>;

/** A taker whose steps of history begin at the quotes of the step before. */
export interface NoiseTaker extends Agent {
  /** In history, before the makers quote anew: the first order of the step, so that prices go on where they were. */
  actEarly(moment: Moment): readonly Command[];
}

/** Orders due in one step are merged into at most so many, live and in the steps of history up to a minute. */
const ordersPerMoment = { live: 8, history: 160 } as const;
/** In wider steps of history they become two: an early one and a late one. Part of all orders that is early. */
const wideStep = { aboveMs: 60_000, early: 0.45 } as const;
/** Part of the minutes of history whose first order comes after the makers quoted anew. */
const lateFirstOrders = 0.2;
/** Weights of mispricing and of the account's inventory in the choice of side. */
const towardsFair = 0.22;
const againstInventory = 0.2;
const withCrowd = 0.25;
/** Inventory worth this many median orders counts as full. */
const fullInventoryOrders = 20_000;
/** Parts of the orders by kind, in this order; the others are market orders of a quantity. */
const kinds = { resting: 0.12, immediate: 0.16, budget: 0.12 } as const;
/** A resting order is canceled after this long. */
const restingMs = 45_000;
/** Fraction of the free balance that one order may use. */
const mostOfFunds = 0.2;

/** Average worth of one order. */
export const meanTradeUsd = ({ tradeUsd }: OrderFlow): number => tradeUsd * meanOrderSize;

/** Draws the side of an order: towards the fair price, against the inventory, with the crowd. */
function createSideChoice({ market, prng, flow }: TakerPorts): (holdings: Holdings) => Side {
  const { crowdBps } = market.profile;
  return (holdings) => {
    const fair = market.fairTicks();
    const full = crowdBps === null ? market.halfSpreadTicks() : (fair * crowdBps) / 10_000;
    const cheapness = market.quotedMid === 0 ? 0 : (fair - market.quotedMid) / full;
    const fullness = holdings.inventoryUsd() / (flow.tradeUsd * fullInventoryOrders);
    const wish = withCrowd * market.wish;
    const lean = towardsFair * Math.tanh(cheapness) - againstInventory * Math.tanh(fullness) + wish;
    return prng.next() < 0.5 + lean ? 'buy' : 'sell';
  };
}

/** Draws the size of an order worth about this many usual ones, within the rules and funds; 0: none is possible. */
function createLotsChoice({
  market,
  prng,
  flow,
}: TakerPorts): (holdings: Holdings, side: Side, orders: number) => number {
  return (holdings, side, orders) => {
    const wanted = flow.tradeUsd * drawOrderSize(orders, prng);
    const usd = Math.min(wanted, market.usdOfLots(holdings.payableLots(side)) * mostOfFunds);
    const price = market.fairTicks();
    const least = market.usdOfLots(market.rules.minLots);
    const lots = market.lotsWorth(usd < least && wanted < least ? least : usd, price);
    const rounded = roundAsPeopleDo(lots, prng);
    return lots > 0 && market.lotsWorth(market.usdOfLots(rounded), price) === rounded ? rounded : lots;
  };
}

/** Random traders of one market: random sizes, times and sides, with sides biased towards the fair price. */
export function createNoiseTaker(ports: TakerPorts): NoiseTaker {
  const { market, fold, prng, flow } = ports;
  const arrivals = createArrivals(prng);
  const sideFor = createSideChoice(ports);
  const lotsFor = createLotsChoice(ports);
  let lastAt = 0;
  /** Orders of this step after the early one; `null`: not counted yet. */
  let due: number | null = null;

  const marketOrder = ({ holdings }: Trader, side: Side, orders: number): OrderRequest | null => {
    const lots = lotsFor(holdings, side, orders);
    return lots === 0 ? null : orderOf(market, side, 'market', { lots });
  };
  const anyOrder = (trader: Trader, orders: number): OrderRequest | null => {
    const side = sideFor(trader.holdings);
    const choice = prng.next();
    const distance = market.halfSpreadTicks() * (1 + 5 * prng.next());
    const lots = lotsFor(trader.holdings, side, orders);
    if (lots === 0) return null;
    // Where a crowd moves the quotes off the fair price, its orders are priced by them.
    const fair = market.profile.crowdBps === null || market.quotedMid === 0 ? market.fairTicks() : market.quotedMid;
    const priceAt = (off: number): number => Math.max(1, Math.round(fair + (side === 'buy' ? off : -off)));
    if (choice < kinds.resting)
      return orderOf(market, side, 'limit', { price: roundSomePrices(priceAt(-distance), side, prng), lots });
    if (choice < kinds.resting + kinds.immediate)
      return orderOf(market, side, 'immediateOrCancel', { price: priceAt(2 * distance), lots });
    const isBudget =
      choice < kinds.resting + kinds.immediate + kinds.budget && side === 'buy' && market.kind === 'pair';
    return isBudget
      ? orderOf(market, side, 'market', { budget: market.budgetWorth(market.usdOfLots(lots)) })
      : orderOf(market, side, 'market', { lots });
  };
  const cancelLate = (account: AccountId, now: number): readonly Command[] => {
    const cancel = fold.restingOf(account, market.rules.id).outside({ from: now - restingMs, to: now + restingMs });
    return cancel.length === 0 ? nothing : [{ kind: 'requote', account, symbol: market.rules.id, cancel, place: [] }];
  };
  const countIn = ({ now, elapsedMs }: Moment): number => {
    const trades = market.isReplayed ? 0 : market.condition.trades;
    const count = arrivals((flow.tradesPerSecond * market.activity * trades * elapsedMs) / 1000, elapsedMs);
    const isSilent = trades > 0 && ports.silenceMsMost !== undefined && Math.abs(now - lastAt) >= ports.silenceMsMost;
    if (count === 0 && !isSilent) return 0;
    lastAt = now;
    return Math.max(1, count);
  };
  const place = ({ account }: Trader, orders: readonly (OrderRequest | null)[]): readonly Command[] => {
    const placed = orders.filter((order) => order !== null);
    return placed.length === 0 ? nothing : [{ kind: 'placeOrders', account, orders: placed }];
  };
  /** At random; in history one after the other, so that the orders of a step share commands. */
  const pickTrader = ({ pace, now, elapsedMs }: Moment): Trader | undefined => {
    const { length } = ports.accounts;
    return ports.accounts[pace === 'live' ? prng.below(length) : Math.floor(now / elapsedMs) % length];
  };

  const actEarly = (moment: Moment): readonly Command[] => {
    if (!market.open) return nothing;
    const count = countIn(moment);
    const isWide = moment.elapsedMs > wideStep.aboveMs;
    const isEarlyOne = isWide || (count > 1 && prng.next() >= lateFirstOrders);
    due = isEarlyOne && !isWide ? count - 1 : count;
    const trader = pickTrader(moment);
    if (trader === undefined || !isEarlyOne) return nothing;
    return place(trader, [marketOrder(trader, sideFor(trader.holdings), isWide ? count * wideStep.early : 1)]);
  };
  const historyOrders = (
    trader: Trader,
    count: number,
    isWide: boolean,
    early: boolean,
  ): readonly (OrderRequest | null)[] => {
    if (isWide && early) return [marketOrder(trader, sideFor(trader.holdings), count * (1 - wideStep.early))];
    const orders = Math.min(count, ordersPerMoment.history);
    return Array.from({ length: orders }, (_, index) =>
      // Ladders are renewed in each step: what would rest is left out.
      index > 0 && prng.next() < kinds.resting ? null : marketOrder(trader, sideFor(trader.holdings), count / orders),
    );
  };
  const act = (moment: Moment): readonly Command[] => {
    if (!market.open) return nothing;
    const isLive = moment.pace === 'live';
    const early = due !== null;
    const count = due ?? countIn(moment);
    due = null;
    const late = isLive ? ports.accounts.flatMap(({ account }) => cancelLate(account, moment.now)) : nothing;
    const trader = count === 0 ? undefined : pickTrader(moment);
    if (trader === undefined) return late;
    if (!isLive) return place(trader, historyOrders(trader, count, moment.elapsedMs > wideStep.aboveMs, early));
    const orders = Math.min(count, ordersPerMoment.live);
    return [
      ...late,
      ...place(
        trader,
        Array.from({ length: orders }, () => anyOrder(trader, count / orders)),
      ),
    ];
  };
  return { act, actEarly };
}
