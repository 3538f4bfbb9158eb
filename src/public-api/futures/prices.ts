import type { futuresPriceEndpoints } from '#public-api/futures/price-endpoints.ts';
import type { futuresFundAliases, futuresFundEndpoints } from '#public-api/futures/futures-endpoints.ts';
import { markDecimals } from '#model/contract.ts';
import { type TimestampMs, as } from '#model/units.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { exact, exactAnswer } from '#public-api/spot/exact-json.ts';
import { awaitHistory } from '#public-api/history/history-reads.ts';
import type { HandlersOf } from '#public-api/handlers.ts';
import { listedContract, markOf } from '#public-api/listed-symbols.ts';
import type { ListedContract, SymbolDirectory } from '#market-data/symbol-directory.ts';

/** Rates of funding are parts per 10^8. */
const rateDecimals = 8;

interface AskedPage {
  readonly symbol: string;
  readonly page_num: number;
  readonly page_size: number;
}

/** One page of a history with the numbers around it. */
const pageAround = <Entry>({ page_num, page_size }: AskedPage, total: number, resultList: readonly Entry[]) => ({
  pageSize: page_size,
  totalCount: total,
  totalPage: Math.ceil(total / page_size),
  currentPage: page_num,
  resultList,
});

async function fundOf(context: GatewayContext, listed: ListedContract) {
  const { fund } = await markOf(context, listed);
  const { rules, settle } = listed;
  return {
    symbol: rules.name,
    currency: settle.code,
    available: exact(fund, settle.scale),
    timestamp: context.clock.now(),
  };
}

/** Handlers of prices, funding and insurance funds. SPEC-FUT-09, SPEC-FUT-10, SPEC-FUT-15, SPEC-FUT-16. */
export function futuresPriceHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
): HandlersOf<typeof futuresPriceEndpoints & typeof futuresFundEndpoints & typeof futuresFundAliases> {
  const { history, clock } = context;
  const find = (name: string) => listedContract(directory, name);
  const everything = () => ({ from: as<TimestampMs>(0), to: as<TimestampMs>(clock.now()) });
  const pageOf = ({ page_num, page_size }: AskedPage) => ({ limit: page_size, offset: (page_num - 1) * page_size });
  return {
    futuresIndexPrice: async ({ symbol }) => {
      const { index, at } = await markOf(context, find(symbol));
      return exactAnswer('futuresIndexPrice', { symbol, indexPrice: exact(index, markDecimals), timestamp: at });
    },
    futuresFairPrice: async ({ symbol }) => {
      const { fair, at } = await markOf(context, find(symbol));
      return exactAnswer('futuresFairPrice', { symbol, fairPrice: exact(fair, markDecimals), timestamp: at });
    },
    futuresFundingRate: async ({ symbol }) => {
      const listed = find(symbol);
      const { predictedRate, nextFundingAt, at } = await markOf(context, listed);
      return exactAnswer('futuresFundingRate', {
        symbol,
        fundingRate: exact(predictedRate, rateDecimals),
        maxFundingRate: exact(listed.rules.maxFundingPpm, 6),
        minFundingRate: exact(listed.rules.minFundingPpm, 6),
        collectCycle: listed.rules.fundingHours,
        nextSettleTime: nextFundingAt,
        timestamp: at,
      });
    },
    futuresFundingHistory: async (asked) => {
      const { rules } = find(asked.symbol);
      await awaitHistory(context);
      const [rows, total] = await Promise.all([
        history.page('fundingRates', { contract: rules.id }, everything(), pageOf(asked)),
        history.count('fundingRates', { contract: rules.id }, everything()),
      ]);
      const entries = rows.map(({ rate, at }) => ({
        symbol: rules.name,
        fundingRate: exact(rate, rateDecimals),
        settleTime: at,
        collectCycle: rules.fundingHours,
      }));
      return exactAnswer('futuresFundingHistory', pageAround(asked, total, entries));
    },
    futuresFund: async ({ symbol }) => exactAnswer('futuresFund', [await fundOf(context, find(symbol))]),
    futuresFunds: async () =>
      exactAnswer('futuresFunds', await Promise.all(directory.contracts.map((listed) => fundOf(context, listed)))),
    futuresFundHistory: async (asked) => {
      const { rules, settle } = find(asked.symbol);
      await awaitHistory(context);
      const [rows, total] = await Promise.all([
        history.page('fundSnapshots', { contract: rules.id }, everything(), pageOf(asked)),
        history.count('fundSnapshots', { contract: rules.id }, everything()),
      ]);
      const entries = rows.map(({ available, at }) => ({
        symbol: rules.name,
        currency: settle.code,
        available: exact(available, settle.scale),
        snapshotTime: at,
      }));
      return exactAnswer('futuresFundHistory', pageAround(asked, total, entries));
    },
  };
}
