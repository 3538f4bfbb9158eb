import type { Command } from '#model/command.ts';
import type { AccountId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { Prng } from '#base/prng.ts';
import { demoPrng } from '#sandbox/demo-identity.ts';
import type { Agent, Moment } from '#sandbox/agents/agent.ts';
import { poisson } from '#sandbox/agents/arrivals.ts';
import { pairHoldings } from '#sandbox/agents/holdings.ts';
import { createNoiseTaker, type Trader } from '#sandbox/agents/noise-taker.ts';
import type { ParticipantFold } from '#sandbox/agents/participant-fold.ts';
import type { TradedMarket } from '#sandbox/agents/traded-market.ts';

/*
 * Small traders beside the participants that make the market: accounts that were invited and customers of the broker.
 * They trade seldom and little, so that a month of them costs next to nothing. DEC-SUB-77.
 */

/** Small traders, and clicks on invite codes. */
export interface RetailMarket extends Agent {
  /** Lets an account trade; no effect for one that does. Call it before the account is funded. */
  join(account: AccountId): void;
  /** Codes that are clicked. */
  codes: readonly string[];
}

const tradedPairs = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
const dayS = 86_400;
/** Orders of all small traders together, in one pair. */
const flow = { tradesPerSecond: 48 / dayS, tradeUsd: 150 };
/** Moments with clicks on a code. */
const clicksPerDay = 12;
const mostClicksAtOnce = 9;
const minuteMs = 60_000;

/** `startedAt`: time of the last entry; minutes up to it may have clicks already. */
export function createRetailMarket(
  { pairs, fold }: { readonly pairs: readonly TradedMarket[]; readonly fold: ParticipantFold },
  seed: string,
  startedAt: TimestampMs,
): RetailMarket {
  const accounts = new Set<AccountId>();
  const traded = pairs.filter(({ rules }) => tradedPairs.includes(rules.name));
  const takers = traded.map((pair) => {
    const traders: Trader[] = [];
    const prng = demoPrng(seed, `retail/${pair.rules.name}`);
    return { pair, traders, taker: createNoiseTaker({ accounts: traders, market: pair, fold, flow, prng }) };
  });
  const clicks = createClicks(demoPrng(seed, 'clicks'), startedAt);
  const market: RetailMarket = {
    codes: [],
    join: (account) => {
      if (accounts.has(account)) return;
      accounts.add(account);
      fold.follow(account);
      for (const { pair, traders } of takers)
        traders.push({ account, holdings: pairHoldings(pair, fold, { account, fundedBase: 0 }) });
    },
    act: (moment) => {
      const clicked = clicks(market.codes, moment);
      if (accounts.size === 0) return clicked;
      return [...clicked, ...takers.flatMap(({ taker }) => taker.act(moment))];
    },
  };
  return market;
}

/** Clicks on codes at random times, at most once in each minute of a code. */
function createClicks(
  prng: Prng,
  startedAt: TimestampMs,
): (codes: readonly string[], moment: Moment) => readonly Command[] {
  const lastMinuteOf = new Map<string, number>();
  const minuteOf = (at: number): number => at - (at % minuteMs);
  return (codes, { now, elapsedMs }) =>
    codes.flatMap((code): readonly Command[] => {
      const times = poisson((clicksPerDay * elapsedMs) / (dayS * 1000), prng);
      const minute = minuteOf(now);
      if (times === 0 || minute <= (lastMinuteOf.get(code) ?? minuteOf(startedAt))) return [];
      lastMinuteOf.set(code, minute);
      const count = times + prng.below(mostClicksAtOnce);
      return [{ kind: 'recordClicks', code, minute: as<TimestampMs>(minute), count }];
    });
}
