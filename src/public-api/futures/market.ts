import type { futuresMarketEndpoints } from '#public-api/futures/market-endpoints.ts';
import { PrintedTexts } from '#base/printed-texts.ts';
import type { Side } from '#model/order.ts';
import { type PriceTicks, type SymbolId, type TimestampMs, as } from '#model/units.ts';
import { type MarkView, markDecimals } from '#model/contract.ts';
import { wireLimits } from '#http/limits.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { exact, exactAnswer, print } from '#public-api/spot/exact-json.ts';
import { type HandlersOf, JsonText } from '#public-api/handlers.ts';
import { listedContract, markOf } from '#public-api/listed-symbols.ts';
import type { ContractDeal, ContractTicker } from '#market-data/contracts/contract-data.ts';
import type { ContractLevel, DepthCommit } from '#market-data/contracts/contract-depth.ts';
import type { BestPrices } from '#market-data/depth-book.ts';
import { changeDays, changeTo, type DayChange } from '#market-data/day-changes.ts';
import type { ListedContract, SymbolDirectory } from '#market-data/symbol-directory.ts';

/** Decimals of ratios. */
const ratioDecimals = 4;

const priceOf = ({ rules }: ListedContract, ticks: number | null) => exact(ticks ?? 0, rules.priceDecimals);

/** Ratios since the start of the day and of days before, three zones of which are one. DEC-FUT-04, DEC-FUT-34. */
function changesOf(listed: ListedContract, last: PriceTicks | null, changes: readonly DayChange[]) {
  const since = (days: DayChange['days']) => changeTo(last, changes[changeDays.indexOf(days)] as DayChange);
  const ratio = (days: DayChange['days']) => exact(since(days).bps, ratioDecimals);
  const [today, value] = [ratio(0), priceOf(listed, since(0).ticks)];
  const zone = 'UTC' as const;
  return {
    riseFallRate: today,
    riseFallValue: value,
    riseFallRates: {
      zone,
      r: today,
      v: value,
      r7: ratio(7),
      r30: ratio(30),
      r90: ratio(90),
      r180: ratio(180),
      r365: ratio(365),
    },
    riseFallRatesOfTimezone: [today, today, today] as const,
  };
}

/** A price at a distance from the index, in parts per million. DEC-FUT-04. */
const besideIndex = (index: number, ppm: number) => exact(BigInt(index) * BigInt(1_000_000 + ppm), markDecimals + 6);

/** A ticker but its time. */
function tickerMembers(
  listed: ListedContract,
  mark: MarkView,
  { day, changes }: ContractTicker,
  { bid, ask }: BestPrices,
) {
  const { rules, settle } = listed;
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
    ...changesOf(listed, day.last, changes),
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

/** Greatest total length of the texts that are kept of each kind. */
const charactersMax = 4 * 1024 * 1024;

/** Handlers of books, trades and tickers of contracts. SPEC-FUT-07, SPEC-FUT-08, SPEC-FUT-13, SPEC-FUT-14. */
export function futuresMarketHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof futuresMarketEndpoints> {
  const { clock, contracts, settings } = context;
  const find = (name: string) => listedContract(directory, name);
  /** The model puts the quantity before the number of orders. DEC-FUT-02, DEC-FUT-38. */
  const levelsOf = (listed: ListedContract, levels: readonly ContractLevel[]) =>
    levels.map(({ price, lots, orders }) =>
      settings.modelHabits
        ? ([priceOf(listed, price), lots, orders] as const)
        : ([priceOf(listed, price), orders, lots] as const),
    );
  const books = new PrintedTexts<SymbolId>(charactersMax);
  const lists = new PrintedTexts<string>(charactersMax);
  const tickers = new PrintedTexts<SymbolId>(charactersMax);
  /** The members of a book's answer but its time. */
  function bookText(listed: ListedContract): string {
    const { id } = listed.rules;
    const version = context.market.depthVersion(id);
    return books.of(id, [version, listed], () => levelsText(listed, version, wireLimits.futures.depthLevels));
  }
  /** All that it shows is part of its version, or has a version that is. */
  async function tickerText(listed: ListedContract): Promise<string> {
    const { id } = listed.rules;
    const mark = await markOf(context, listed);
    const now = as<TimestampMs>(clock.now());
    const ticker = await contracts.ticker(id, now);
    const { day, changes } = ticker;
    const ofMark = [mark.index, mark.fair, mark.predictedRate, mark.openInterest];
    const ofDay = [day.last, day.low, day.high, day.lots, day.quoteAmount, changes];
    const version = [listed, context.market.depthVersion(id), ...ofMark, ...ofDay];
    const text = tickers.of(id, version, () => {
      const best = context.market.bestPrices(id);
      return print(tickerMembers(listed, mark, ticker, best)).slice(0, -1);
    });
    return `${text},"timestamp":${now}}`;
  }
  function levelsText(listed: ListedContract, version: number, limit: number): string {
    const { asks, bids } = contracts.depth(listed.rules.id, limit);
    return `"asks":${print(levelsOf(listed, asks))},"bids":${print(levelsOf(listed, bids))},"version":${version}`;
  }
  return {
    futuresDepth: async ({ symbol, limit }) => {
      const listed = find(symbol);
      const version = context.market.depthVersion(listed.rules.id);
      const text = limit === undefined ? bookText(listed) : levelsText(listed, version, limit);
      return new JsonText(`{${text},"timestamp":${clock.now()}}`);
    },
    futuresDepthCommits: async ({ symbol, limit }) => {
      const listed = find(symbol);
      const commits = contracts.commits(listed.rules.id, limit);
      const changed = (commit: DepthCommit, side: Side) => levelsOf(listed, commit.side === side ? [commit] : []);
      return exactAnswer(
        'futuresDepthCommits',
        commits.map((commit) => ({
          asks: changed(commit, 'sell'),
          bids: changed(commit, 'buy'),
          version: commit.version,
        })),
      );
    },
    futuresDeals: async ({ symbol, limit }) => {
      const listed = find(symbol);
      const { id } = listed.rules;
      const text = lists.of(`${id} ${limit}`, [listed, contracts.dealsVersion(id)], () => {
        const deals = contracts.deals(id, limit);
        return exactAnswer(
          'futuresDeals',
          deals.map((deal) => dealOf(listed, deal)),
        ).text;
      });
      return new JsonText(text);
    },
    futuresTicker: async ({ symbol }) => {
      if (symbol !== undefined) return new JsonText(await tickerText(find(symbol)));
      const all = await Promise.all(directory.contracts.map(tickerText));
      return new JsonText(`[${all.join(',')}]`);
    },
  };
}
