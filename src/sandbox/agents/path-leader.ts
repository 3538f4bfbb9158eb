import type { Agent } from '#sandbox/agents/agent.ts';
import { nothing } from '#sandbox/agents/agent.ts';
import type { Trader } from '#sandbox/agents/noise-taker.ts';
import { takingOrder, type TradedMarket } from '#sandbox/agents/traded-market.ts';

/** Account and pair of one who leads the last price along. */
export interface PathLeaderPorts {
  readonly trader: Trader;
  readonly pair: TradedMarket;
}

/** A last price that is off by more is led along: this part of the price, or so many half spreads. */
const noticed = { part: 0.002, halfSpreads: 4 } as const;
/** Worth of an order, at least the smallest that the pair takes. */
const orderUsd = 20;
/** Greatest distance from the middle of the quotes at which it trades. */
const slippage = 0.01;

/**
 * Trades a little in each step of a path that leaves the last price behind: pairs refuse orders that are far from that,
 * so without a trade the makers could not follow. DEC-KIT-69.
 */
export function createPathLeader({ trader, pair }: PathLeaderPorts): Agent {
  return {
    act: ({ pace }) => {
      if (pace !== 'live' || !pair.open || pair.lastTick === 0 || pair.quotedMid === 0 || !pair.isLed) return nothing;
      const fair = pair.fairTicks();
      const off = fair - pair.lastTick;
      const most = Math.max(pair.lastTick * noticed.part, pair.halfSpreadTicks() * noticed.halfSpreads);
      if (Math.abs(off) <= most) return nothing;
      const least = Math.max(pair.rules.minLots, pair.rules.minNotional / pair.notional(fair, 1));
      const usd = Math.max(orderUsd, pair.usdOfLots(least));
      const order = takingOrder(pair, off > 0 ? 'buy' : 'sell', usd, slippage);
      return order === null ? nothing : [{ kind: 'placeOrder', account: trader.account, order }];
    },
  };
}
