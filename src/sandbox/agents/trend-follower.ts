import type { Command } from '#model/command.ts';
import type { AccountId } from '#model/units.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { dueEvery, nothing } from '#sandbox/agents/agent.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import { takingOrder, type TradedMarket } from '#sandbox/agents/traded-market.ts';

/** Account, pair and state of a trend follower. */
export interface TrendPorts {
  readonly account: AccountId;
  readonly pair: TradedMarket;
  readonly fold: ParticipantFold;
  readonly fundedBase: number;
  /** Standard deviation of a day's return: what counts as a trend. */
  readonly dailyVolatility: number;
}

const fastMs = 5 * 60_000;
const slowMs = 40 * 60_000;
const decideEveryMs = 6 * 60_000;
/** A full position is worth this many median orders of the pair. */
const fullPositionOrders = 80;
/** A gap between the averages of this part of a day's deviation is a full signal. */
const fullSignal = 0.08;
/** Changes below this part of a full position are not worth a trade. */
const leastChange = 0.12;
/** Greatest distance from the last price at which it trades. */
const slippage = 0.0015;

const average = (before: number, price: number, elapsedMs: number, windowMs: number): number =>
  before + (price - before) * (1 - Math.exp(-elapsedMs / windowMs));

/** Buys what rises and sells what falls: compares a fast average of the price with a slow one. */
export function createTrendFollower(ports: TrendPorts): Agent {
  const { pair, fold, account } = ports;
  let fast = 0;
  let slow = 0;
  const isDue = dueEvery(decideEveryMs);

  const act = (moment: Moment): readonly Command[] => {
    const price = pair.quotedMid;
    if (!pair.open || price === 0) return nothing;
    if (fast === 0) fast = slow = price;
    fast = average(fast, price, moment.elapsedMs, fastMs);
    slow = average(slow, price, moment.elapsedMs, slowMs);
    if (!isDue(moment)) return nothing;
    const signal = Math.log(fast / slow) / (ports.dailyVolatility * fullSignal);
    const fullUsd = pair.profile.tradeUsd * fullPositionOrders;
    const heldUsd = pair.usdOfBase(fold.total(account, pair.rules.base) - ports.fundedBase);
    const changeUsd = Math.max(-1, Math.min(1, signal)) * fullUsd - heldUsd;
    if (Math.abs(changeUsd) < fullUsd * leastChange) return nothing;
    const side = changeUsd > 0 ? 'buy' : 'sell';
    const order = takingOrder(pair, side, Math.min(Math.abs(changeUsd), fullUsd * 0.25), slippage);
    return order === null ? nothing : [{ kind: 'placeOrder', account, order }];
  };
  return { act };
}
