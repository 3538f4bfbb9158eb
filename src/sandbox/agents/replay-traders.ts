import type { Command } from '#model/command.ts';
import type { OrderRequest, Side } from '#model/order.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { nothing } from '#sandbox/agents/agent.ts';
import type { FairValues } from '#sandbox/agents/fair-values.ts';
import type { Trader } from '#sandbox/agents/noise-taker.ts';
import { takingOrder, type TradedMarket } from '#sandbox/agents/traded-market.ts';
import type { MarketReplays } from '#sandbox/replays/market-replays.ts';
import type { Replay, TradeRun } from '#sandbox/replays/replay.ts';

/** Those who trade what was recorded. */
export interface ReplayTraders extends Agent {
  /** Before values move on: leads them, and takes up the trades that are due. */
  approach(moment: Moment): void;
}

/** What they need. */
export interface ReplayPorts {
  readonly replays: MarketReplays;
  readonly markets: readonly TradedMarket[];
  readonly values: FairValues;
  /** Who trades in a market. */
  readonly tradersIn: (market: TradedMarket) => readonly Trader[];
}

/** Greatest distance from the middle of the quotes at which they trade. */
const slippage = 0.01;
/** Part of what an account could pay that one order may use. */
const mostOfFunds = 0.5;

/** What is due of a replay in this step. */
interface DueTrades {
  readonly replay: Replay;
  readonly market: TradedMarket;
  readonly runs: readonly TradeRun[];
}

/** Lots that were due and could not be traded yet, by side. */
type Carried = Record<Side, number>;

/**
 * Trade recordings with orders that take at once: buyers and sellers as they were, one order for those who stand next
 * to each other in a step. What is less than a market takes waits for more. DEC-KIT-64, DEC-KIT-65.
 */
export function createReplayTraders({ replays, markets, values, tradersIn }: ReplayPorts): ReplayTraders {
  const byName = new Map(markets.map((market) => [market.rules.name, market]));
  const carriedOf = new WeakMap<Replay, Carried>();
  let due: readonly DueTrades[] = [];
  let turn = 0;

  const takeDue = (replay: Replay, now: number): readonly DueTrades[] => {
    const market = byName.get(replay.plan.market);
    if (market === undefined || now < replay.plan.startAt) return [];
    const base = market.base.code;
    const quoteUsd = values.of(market.quote.code).usd;
    if (replay.state === 'waiting') {
      replay.begin(values.of(base).usd, quoteUsd);
      values.lead(base, replay.path);
    } else if (values.followedBy(base) !== replay.path) {
      replay.end();
      return [];
    }
    return [{ replay, market, runs: replay.takeDue(now, quoteUsd) }];
  };
  const orderOfRun = (
    market: TradedMarket,
    { holdings }: Trader,
    side: Side,
    carried: Carried,
  ): OrderRequest | null => {
    const payable = holdings.payableLots(side) * mostOfFunds;
    const order = takingOrder(market, side, market.usdOfLots(Math.min(Math.floor(carried[side]), payable)), slippage);
    // Of more than one order may be, no more waits than the next one takes.
    if (order !== null) carried[side] = Math.min(carried[side] - order.quantity!, order.quantity!);
    return order;
  };
  const commandsOf = ({ replay, market, runs }: DueTrades): readonly Command[] => {
    const traders = tradersIn(market);
    if (!market.open || market.quotedMid === 0 || traders.length === 0) return nothing;
    const carried = carriedOf.get(replay) ?? { buy: 0, sell: 0 };
    carriedOf.set(replay, carried);
    const trader = traders[turn % traders.length]!;
    turn += 1;
    const orders = runs.flatMap(({ isBuy, quantity }) => {
      const side = isBuy ? 'buy' : 'sell';
      carried[side] += quantity * replay.plan.volume * market.lotsPerCoin;
      return orderOfRun(market, trader, side, carried) ?? [];
    });
    return orders.length === 0 ? nothing : [{ kind: 'placeOrders', account: trader.account, orders }];
  };
  return {
    approach: ({ now }) => {
      due = replays.underWay().flatMap((replay) => takeDue(replay, now));
      const played = new Set(due.map(({ market }) => market));
      for (const market of markets) market.isReplayed = played.has(market);
    },
    act: () => {
      const taken = due;
      due = [];
      return taken.flatMap(commandsOf);
    },
  };
}
