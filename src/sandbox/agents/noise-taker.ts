import type { Prng } from '#base/prng.ts';
import type { Command } from '#domain/command.ts';
import type { OrderRequest, Side } from '#domain/order.ts';
import type { AccountId } from '#domain/units.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { nothing } from '#sandbox/agents/agent.ts';
import type { Holdings } from '#sandbox/agents/holdings.ts';
import type { PairProfile } from '#sandbox/agents/market-profile.ts';
import type { MarketPair } from '#sandbox/agents/market-pair.ts';
import { orderOf } from '#sandbox/agents/market-pair.ts';
import { drawOrderSize, meanOrderSize, roundAsPeopleDo } from '#sandbox/agents/order-size.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';

/** An account and what it has in the pair. */
export interface Trader {
  readonly account: AccountId;
  readonly holdings: Holdings;
}

/** Accounts, pair and state of a taker. */
export interface TakerPorts {
  /** Accounts, one of which is chosen at random for each step. */
  readonly accounts: readonly Trader[];
  readonly pair: MarketPair;
  readonly fold: ParticipantFold;
  readonly prng: Prng;
  /** How often they trade, and the median worth of an order. */
  readonly flow: OrderFlow;
  /** Absent: only the fair price and what it has matter. */
  readonly crowd?: TakerCrowd;
  /** After this long without an order comes one for certain; absent: never. */
  readonly silenceMsMost?: number;
}

/** Orders of all accounts of a taker together. */
export type OrderFlow = Pick<PairProfile, 'tradesPerSecond' | 'tradeUsd'>;

/** What else the choice of a side follows. */
export interface TakerCrowd {
  /** What the crowd wants, from -1 (sell) to 1 (buy). */
  readonly wish: () => number;
  /** A quote this many half spreads off the fair price counts as fully off. */
  readonly fullMispricing: number;
}

/** Orders follow orders: the part of them that others bring about, and how soon. */
const excitation = { part: 0.5, decayMs: 8_000 } as const;
/** Orders due in one step are merged into at most so many; while history is made, in steps above and up to a minute. */
const ordersPerMoment = { live: 8, wide: 2, narrow: 60 } as const;
const narrowStepMs = 60_000;
/** Weights of mispricing and of the account's inventory in the choice of side. */
const towardsFair = 0.22;
const againstInventory = 0.2;
const withCrowd = 0.25;
/** Inventory worth this many median orders counts as full. */
const fullInventoryOrders = 20_000;
/** A resting order is canceled after this long. */
const restingMs = 45_000;
/** Fraction of the free balance that one order may use. */
const mostOfFunds = 0.2;

/** Part of the orders that rest instead of taking. */
const restingPart = 0.12;

/** Average worth of one order. */
export const meanTradeUsd = ({ tradeUsd }: OrderFlow): number => tradeUsd * meanOrderSize;

/** A Poisson-distributed number of events with this mean. */
export function poisson(mean: number, prng: Prng): number {
  if (mean <= 0) return 0;
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * prng.gaussian()));
  let left = prng.next();
  let chance = Math.exp(-mean);
  let count = 0;
  while (left > chance && count < 200) {
    left -= chance;
    count += 1;
    chance *= mean / count;
  }
  return count;
}

/**
 * Number of orders of a flow that excites itself: in narrow steps from the orders before, in wide ones by the spread
 * that comes of it.
 */
function createArrivals(prng: Prng): (mean: number, elapsedMs: number) => number {
  let excited = 0;
  const calm = 1 - excitation.part;
  return (mean, elapsedMs) => {
    if (elapsedMs > excitation.decayMs) {
      const variance = Math.log(1 + Math.min(1, (1 / (calm * calm) - 1) / Math.max(mean, 1e-9)));
      const factor = Math.exp(Math.sqrt(variance) * prng.gaussian() - variance / 2);
      excited = 0;
      return poisson(mean * factor, prng);
    }
    const kept = Math.exp(-elapsedMs / excitation.decayMs);
    const count = poisson(mean * calm + excited * (1 - kept), prng);
    excited = excited * kept + count * excitation.part;
    return count;
  };
}

/** Random traders of one pair: random sizes, times and sides, with sides biased towards the fair price. */
export function createNoiseTaker(ports: TakerPorts): Agent {
  const { pair, fold, prng, flow } = ports;
  const arrivals = createArrivals(prng);
  let lastAt = 0;

  const sideFor = (holdings: Holdings): Side => {
    const full = pair.halfSpreadTicks() * (ports.crowd?.fullMispricing ?? 1);
    const cheapness = pair.quotedMid === 0 ? 0 : (pair.fairTicks() - pair.quotedMid) / full;
    const fullness = holdings.inventoryUsd() / (flow.tradeUsd * fullInventoryOrders);
    const wish = withCrowd * (ports.crowd?.wish() ?? 0);
    const lean = towardsFair * Math.tanh(cheapness) - againstInventory * Math.tanh(fullness) + wish;
    return prng.next() < 0.5 + lean ? 'buy' : 'sell';
  };
  const createOrder = (holdings: Holdings, expected: number, pace: Moment['pace']): OrderRequest | null => {
    const side = sideFor(holdings);
    const wanted = flow.tradeUsd * drawOrderSize(expected, prng);
    const usd = Math.min(wanted, pair.usdOfLots(holdings.payableLots(side)) * mostOfFunds);
    const choice = prng.next();
    const distance = pair.halfSpreadTicks() * (1 + 5 * prng.next());
    // Where a crowd moves the quotes off the fair price, its orders are priced by them.
    const fair = ports.crowd === undefined || pair.quotedMid === 0 ? pair.fairTicks() : pair.quotedMid;
    const rests = choice > 1 - restingPart;
    // While history is made, ladders are renewed in each step: what would rest is left out.
    if (rests && pace === 'history' && expected === 1) return null;
    const price = Math.max(1, Math.round(fair + (side === 'buy' ? 1 : -1) * distance * (rests ? -1 : 2)));
    const most = pair.lotsWorth(usd, price);
    if (most === 0) return null;
    const rounded = roundAsPeopleDo(most, prng);
    const lots = rounded >= pair.rules.minLots && pair.lotsWorth(pair.usdOfLots(rounded), price) === rounded ? rounded : most;
    if (rests && pace === 'live') return orderOf(pair, side, 'limit', { price, lots });
    if (choice > 0.72) return orderOf(pair, side, 'immediateOrCancel', { price, lots });
    if (choice > 0.6 && side === 'buy' && pair.takesBudgets)
      return orderOf(pair, side, 'market', { budget: pair.budgetWorth(usd) });
    return orderOf(pair, side, 'market', { lots });
  };
  const cancelLate = (account: AccountId, now: number): readonly Command[] => {
    const late = fold.restingOf(account, pair.rules.id).outside({ from: now - restingMs, to: now + restingMs });
    return late.length === 0
      ? nothing
      : [
          {
            kind: 'requote',
            account,
            symbol: pair.rules.id,
            cancel: late,
            place: [],
          },
        ];
  };
  const countIn = ({ now, elapsedMs }: Moment): number => {
    const mean = (flow.tradesPerSecond * pair.activity * elapsedMs) / 1000;
    const count = arrivals(mean, elapsedMs);
    const isSilent = ports.silenceMsMost !== undefined && Math.abs(now - lastAt) >= ports.silenceMsMost;
    if (count === 0 && !isSilent) return 0;
    lastAt = now;
    return Math.max(1, count);
  };
  const mostOrdersIn = ({ pace, elapsedMs }: Moment): number =>
    pace === 'live' ? ordersPerMoment.live : ordersPerMoment[elapsedMs > narrowStepMs ? 'wide' : 'narrow'];
  const act = (moment: Moment): readonly Command[] => {
    const count = countIn(moment);
    const late = ports.accounts.flatMap(({ account }) => cancelLate(account, moment.now));
    if (count === 0) return late;
    const trader = ports.accounts[prng.below(ports.accounts.length)];
    if (trader === undefined) return late;
    const orders = Math.min(count, mostOrdersIn(moment));
    const placed = Array.from({ length: orders }, () =>
      createOrder(trader.holdings, count / orders, moment.pace),
    ).filter((order) => order !== null);
    const [first] = placed;
    if (first === undefined) return late;
    if (placed.length === 1) return [...late, { kind: 'placeOrder', account: trader.account, order: first }];
    return [...late, { kind: 'placeOrders', account: trader.account, orders: placed }];
  };
  return { act };
}
