import type { Candle, CandleInterval } from '#domain/candle.ts';
import { candleOpenTime, shiftCandle } from '#domain/candle.ts';
import { markDecimals } from '#domain/contract.ts';
import type { TimestampMs } from '#domain/units.ts';
import { as } from '#domain/units.ts';
import { wireLimits } from '#api/limits.ts';
import type { GatewayContext } from '#gateway/gateway-context.ts';
import { exact, exactAnswer } from '#gateway/handlers/exact-json.ts';
import type { Handlers } from '#gateway/handlers/handlers.ts';
import { listedContract } from '#gateway/handlers/listed-contracts.ts';
import type { MarkKind } from '#history/contract-tables.ts';
import type { CandleRange } from '#projections/candle-plan.ts';
import type { SymbolDirectory } from '#projections/symbol-directory.ts';

/** What a request asks for; times in seconds. */
interface Asked {
  readonly symbol: string;
  readonly interval: CandleInterval;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

const secondMs = 1000;
const timeOf = (seconds: number | undefined): TimestampMs | null =>
  seconds === undefined ? null : as<TimestampMs>(seconds * secondMs);

/** Candles and the one before them, whose close the first of them opens with. */
interface Chart {
  readonly before: Candle | null;
  readonly candles: readonly Candle[];
}

/** Asks for one candle more than the request, at its older end. SPEC-FUT-12. */
async function chartOf(
  { interval, start, end }: Asked,
  ask: (range: CandleRange) => Promise<readonly Candle[]>,
): Promise<Chart> {
  const limit = wireLimits.futures.candles;
  const [from, to] = [timeOf(start), timeOf(end)];
  if (from === null) {
    const found = await ask({ from, to, limit: limit + 1 });
    return found.length > limit
      ? { before: found[0] as Candle, candles: found.slice(1) }
      : { before: null, candles: found };
  }
  const window = candleOpenTime(interval, from);
  const first = window < from ? shiftCandle(interval, window, 1) : window;
  const found = await ask({ from: shiftCandle(interval, first, -1), to, limit: limit + 1 });
  const [oldest] = found;
  return oldest !== undefined && oldest.openTime < first
    ? { before: oldest, candles: found.slice(1) }
    : { before: null, candles: found.slice(0, limit) };
}

/** Open, high and low of a candle that goes on from the one before. DEC-FUT-16. */
function continued({ before, candles }: Chart) {
  let close = before?.close ?? null;
  return candles.map((candle) => {
    const open = close ?? candle.open;
    close = candle.close;
    return { open, high: Math.max(candle.high, open), low: Math.min(candle.low, open) };
  });
}

/** The members that all charts have alike. */
function sharedArrays(chart: Chart, decimals: number) {
  const lines = continued(chart);
  return {
    time: chart.candles.map(({ openTime }) => openTime / secondMs),
    open: lines.map(({ open }) => exact(open, decimals)),
    close: chart.candles.map(({ close }) => exact(close, decimals)),
    high: lines.map(({ high }) => exact(high, decimals)),
    low: lines.map(({ low }) => exact(low, decimals)),
  };
}

/** A chart of trades. `scale`: decimals of the settle asset. */
function tradeArrays(chart: Chart, decimals: number, scale: number) {
  const { candles } = chart;
  return {
    ...sharedArrays(chart, decimals),
    vol: candles.map(({ lots }) => exact(lots, 0)),
    amount: candles.map(({ quoteAmount }) => exact(quoteAmount, scale)),
    realOpen: candles.map(({ open }) => exact(open, decimals)),
    realClose: candles.map(({ close }) => exact(close, decimals)),
    realHigh: candles.map(({ high }) => exact(high, decimals)),
    realLow: candles.map(({ low }) => exact(low, decimals)),
  };
}

/** A chart of index or fair prices: nothing is traded at them. DEC-FUT-39. */
function markArrays(chart: Chart) {
  const shared = sharedArrays(chart, markDecimals);
  const nothing = chart.candles.map(() => 0);
  const { close } = shared;
  return {
    ...shared,
    vol: nothing,
    amount: nothing,
    realOpen: close,
    realClose: close,
    realHigh: close,
    realLow: close,
  };
}

type Endpoints = 'futuresCandles' | 'futuresIndexCandles' | 'futuresFairCandles';

/** Handlers of candles of contracts. SPEC-FUT-11. */
export function futuresCandleHandlers(context: GatewayContext, directory: SymbolDirectory): Pick<Handlers, Endpoints> {
  const now = () => as<TimestampMs>(context.clock.now());
  const markChart = async (kind: MarkKind, asked: Asked) => {
    const { id: contract } = listedContract(directory, asked.symbol).rules;
    const of = { contract, kind, interval: asked.interval };
    return markArrays(await chartOf(asked, (range) => context.contracts.markCandles(of, range, now())));
  };
  return {
    futuresCandles: async (asked) => {
      const { rules, settle } = listedContract(directory, asked.symbol);
      const chart = await chartOf(asked, (range) => context.market.candles(rules.id, asked.interval, range, now()));
      return exactAnswer('futuresCandles', tradeArrays(chart, rules.priceDecimals, settle.scale));
    },
    futuresIndexCandles: async (asked) => exactAnswer('futuresIndexCandles', await markChart('index', asked)),
    futuresFairCandles: async (asked) => exactAnswer('futuresFairCandles', await markChart('fair', asked)),
  };
}
