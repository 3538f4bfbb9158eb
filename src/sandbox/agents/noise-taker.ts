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

/** Standard deviation of the logarithm of an order's worth. */
const sizeSpread = 1.15;
/** Orders due in one step are merged into at most this many. */
const ordersPerMoment = 2;
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

/** Average worth of one order: the mean of its lognormal distribution. */
export const meanTradeUsd = ({ tradeUsd }: OrderFlow): number => tradeUsd * Math.exp((sizeSpread * sizeSpread) / 2);

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

/** Random traders of one pair: random sizes, times and sides, with sides biased towards the fair price. */
export function createNoiseTaker(ports: TakerPorts): Agent {
  const { pair, fold, prng, flow } = ports;
  const halfSpread = (): number => (pair.fairTicks() * pair.profile.halfSpreadBps) / 10_000;

  const sideFor = (holdings: Holdings): Side => {
    const full = halfSpread() * (ports.crowd?.fullMispricing ?? 1);
    const cheapness = pair.quotedMid === 0 ? 0 : (pair.fairTicks() - pair.quotedMid) / full;
    const fullness = holdings.inventoryUsd() / (flow.tradeUsd * fullInventoryOrders);
    const wish = withCrowd * (ports.crowd?.wish() ?? 0);
    const lean = towardsFair * Math.tanh(cheapness) - againstInventory * Math.tanh(fullness) + wish;
    return prng.next() < 0.5 + lean ? 'buy' : 'sell';
  };
  const createOrder = (holdings: Holdings, expected: number, pace: Moment['pace']): OrderRequest | null => {
    const side = sideFor(holdings);
    const size = Math.exp((sizeSpread / Math.sqrt(expected)) * prng.gaussian());
    const average = expected === 1 ? flow.tradeUsd : meanTradeUsd(flow);
    const wanted = average * expected * size;
    const usd = Math.min(wanted, pair.usdOfLots(holdings.payableLots(side)) * mostOfFunds);
    const choice = prng.next();
    const distance = halfSpread() * (1 + 5 * prng.next());
    // Where a crowd moves the quotes off the fair price, its orders are priced by them.
    const fair = ports.crowd === undefined || pair.quotedMid === 0 ? pair.fairTicks() : pair.quotedMid;
    const rests = pace === 'live' && choice > 0.88;
    const price = Math.max(1, Math.round(fair + (side === 'buy' ? 1 : -1) * distance * (rests ? -1 : 2)));
    const lots = pair.lotsWorth(usd, price);
    if (lots === 0) return null;
    if (rests) return orderOf(pair, side, 'limit', { price, lots });
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
  const act = (moment: Moment): readonly Command[] => {
    const expected = poisson((flow.tradesPerSecond * moment.elapsedMs) / 1000, prng);
    const late = ports.accounts.flatMap(({ account }) => cancelLate(account, moment.now));
    if (expected === 0) return late;
    const trader = ports.accounts[prng.below(ports.accounts.length)];
    if (trader === undefined) return late;
    const orders = Math.min(expected, ordersPerMoment);
    const placed = Array.from({ length: orders }, () =>
      createOrder(trader.holdings, expected / orders, moment.pace),
    ).filter((order) => order !== null);
    const [first] = placed;
    if (first === undefined) return late;
    if (placed.length === 1) return [...late, { kind: 'placeOrder', account: trader.account, order: first }];
    return [...late, { kind: 'placeOrders', account: trader.account, orders: placed }];
  };
  return { act };
}
