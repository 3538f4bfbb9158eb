import type { PriceTicks, TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { markDecimals } from '#domain/contract.ts';
import { wireLimits } from '#api/limits.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import type { ContractDeal, ContractLevel } from '#gateway/handlers/contract-market.ts';
import { exact, exactAnswer } from '#gateway/handlers/exact-json.ts';
import type { Handlers } from '#gateway/handlers/handlers.ts';
import {
  contractMarketOf,
  type ListedContract,
  listedContract,
  listedContracts,
  markOf,
} from '#gateway/handlers/listed-contracts.ts';
import type { SymbolDirectory } from '#projections/symbol-directory.ts';

/** Decimals of ratios. */
const ratioDecimals = 4;

/** Growth from an earlier price, cut; 0 without one. DEC-FUT-15, DEC-FUT-40. */
const growth = (last: PriceTicks | null, from: PriceTicks | null) =>
  exact(last === null || from === null ? 0n : (BigInt(last - from) * 10_000n) / BigInt(from), ratioDecimals);

const priceOf = ({ rules }: ListedContract, ticks: number | null) => exact(ticks ?? 0, rules.priceDecimals);

/** Ratios since the start of the day and of days before, three zones of which are one. DEC-FUT-04. */
function changesOf(listed: ListedContract, last: PriceTicks | null, opens: readonly (PriceTicks | null)[]) {
  const since = (index: number) => growth(last, opens[index] ?? null);
  const today = opens[0] ?? null;
  const value = priceOf(listed, last === null || today === null ? 0 : last - today);
  const zone = 'UTC' as const;
  return {
    riseFallRate: since(0),
    riseFallValue: value,
    riseFallRates: {
      zone,
      r: since(0),
      v: value,
      r7: since(1),
      r30: since(2),
      r90: since(3),
      r180: since(4),
      r365: since(5),
    },
    riseFallRatesOfTimezone: [since(0), since(0), since(0)] as const,
  };
}

/** A price at a distance from the index, in parts per million. DEC-FUT-04. */
const besideIndex = (index: number, ppm: number) => exact(BigInt(index) * BigInt(1_000_000 + ppm), markDecimals + 6);

async function tickerOf(context: GatewayContext, listed: ListedContract) {
  const { rules, settle } = listed;
  const now = as<TimestampMs>(context.clock.now());
  const mark = await markOf(context, listed);
  const day = context.market.ticker(rules.id, now);
  const { bid, ask } = context.market.bestPrices(rules.id);
  return {
    contractId: rules.id,
    symbol: rules.name,
    lastPrice: priceOf(listed, day.last),
    bid1: priceOf(listed, bid?.price ?? null),
    ask1: priceOf(listed, ask?.price ?? null),
    volume24: exact(day.lots, 0),
    amount24: exact(day.quoteAmount, settle.scale),
    holdVol: mark.openInterest,
    lower24Price: priceOf(listed, day.low),
    high24Price: priceOf(listed, day.high),
    indexPrice: exact(mark.index, markDecimals),
    fairPrice: exact(mark.fair, markDecimals),
    fundingRate: exact(mark.predictedRate, 8),
    maxBidPrice: besideIndex(mark.index, rules.bidLimitPpm),
    minAskPrice: besideIndex(mark.index, -rules.askLimitPpm),
    timestamp: now,
    ...changesOf(listed, day.last, contractMarketOf(context).dayOpens(rules.id, now)),
  };
}

const dealOf = (listed: ListedContract, { price, lots, takerSide, openFlag, isSelfTrade, at }: ContractDeal) => ({
  p: priceOf(listed, price),
  v: lots,
  T: takerSide === 'buy' ? 1 : 2,
  O: openFlag,
  M: isSelfTrade ? 1 : 2,
  t: at,
});

type Endpoints = 'futuresDepth' | 'futuresDepthCommits' | 'futuresDeals' | 'futuresTicker';

/** Handlers of books, trades and tickers of contracts. SPEC-FUT-07, SPEC-FUT-08, SPEC-FUT-13, SPEC-FUT-14. */
export function futuresMarketHandlers(context: GatewayContext, directory: SymbolDirectory): Pick<Handlers, Endpoints> {
  const { modelHabits } = context.settings;
  const find = (name: string) => listedContract(context, directory, name);
  /** The model puts the quantity before the number of orders. DEC-FUT-02, DEC-FUT-38. */
  const levelsOf = (listed: ListedContract, levels: readonly ContractLevel[]) =>
    levels.map(({ price, lots, orders }) =>
      modelHabits
        ? ([priceOf(listed, price), lots, orders] as const)
        : ([priceOf(listed, price), orders, lots] as const),
    );
  return {
    futuresDepth: async ({ symbol }) => {
      const listed = await find(symbol);
      const book = contractMarketOf(context).depth(listed.rules.id, wireLimits.futures.depthLevels);
      return exactAnswer('futuresDepth', {
        asks: levelsOf(listed, book.asks),
        bids: levelsOf(listed, book.bids),
        version: book.version,
        timestamp: book.at,
      });
    },
    futuresDepthCommits: async ({ symbol, limit }) => {
      const listed = await find(symbol);
      const changes = contractMarketOf(context).changes(listed.rules.id, limit);
      return exactAnswer(
        'futuresDepthCommits',
        changes.map(({ asks, bids, version }) => ({
          asks: levelsOf(listed, asks),
          bids: levelsOf(listed, bids),
          version,
        })),
      );
    },
    futuresDeals: async ({ symbol, limit }) => {
      const listed = await find(symbol);
      const deals = contractMarketOf(context).deals(listed.rules.id, limit);
      return exactAnswer(
        'futuresDeals',
        deals.map((deal) => dealOf(listed, deal)),
      );
    },
    futuresTicker: async ({ symbol }) => {
      if (symbol !== undefined) return exactAnswer('futuresTicker', await tickerOf(context, await find(symbol)));
      const all = await listedContracts(context, directory);
      return exactAnswer('futuresTicker', await Promise.all(all.map((listed) => tickerOf(context, listed))));
    },
  };
}
