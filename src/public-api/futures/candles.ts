import type { futuresCandleEndpoints } from '#public-api/futures/price-endpoints.ts';
import { formatDecimal } from '#base/decimal.ts';
import type { Candle, CandleInterval } from '#model/candle.ts';
import { markDecimals } from '#model/contract.ts';
import { type TimestampMs, as } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import type { CandleSource } from '#public-api/spot/candle-pages.ts';
import { priceCandles, tradeCandles } from '#public-api/spot/candle-sources.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import { type HandlersOf, JsonText } from '#public-api/handlers.ts';
import { listedContract } from '#public-api/listed-symbols.ts';
import type { HistoryAccess } from '#public-api/pipeline/endpoint-limits.ts';
import type { Reader } from '#public-api/history/history-reads.ts';
import type { MarkKind } from '#history/tables/contract-tables.ts';
import type { SymbolDirectory } from '#market-data/symbol-directory.ts';

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

/** Members of a chart, in the order in which a candle is printed. */
const members = [
  ...['time', 'open', 'close', 'high', 'low', 'vol', 'amount'],
  ...['realOpen', 'realClose', 'realHigh', 'realLow'],
] as const;

/** Open, high and low of a candle that goes on from the one before. SPEC-FUT-12, DEC-FUT-16. */
function continued(candle: Candle, previousClose: number | null) {
  const open = previousClose ?? candle.open;
  return { open, high: Math.max(candle.high, open), low: Math.min(candle.low, open) };
}

/** Prints candles of trades. `scale`: decimals of the settle asset. */
const tradePrinter =
  (decimals: number, scale: number): CandleSource['print'] =>
  (candle, previousClose) => {
    const { open, high, low } = continued(candle, previousClose);
    const prices = [open, candle.close, high, low].map((price) => formatDecimal(price, decimals));
    const real = [candle.open, candle.close, candle.high, candle.low].map((price) => formatDecimal(price, decimals));
    const time = String(candle.openTime / secondMs);
    return [time, ...prices, formatDecimal(candle.lots, 0), formatDecimal(candle.quoteAmount, scale), ...real];
  };

/** Prints candles of index or fair prices: nothing is traded at them. DEC-FUT-39. */
const pricePrinter: CandleSource['print'] = (candle, previousClose) => {
  const { open, high, low } = continued(candle, previousClose);
  const [first, close, highest, lowest] = [open, candle.close, high, low].map((price) =>
    formatDecimal(price, markDecimals),
  );
  const time = String(candle.openTime / secondMs);
  return [time, first, close, highest, lowest, '0', '0', close, close, close, close] as string[];
};

/** Handlers of candles of contracts. SPEC-FUT-11. */
export function futuresCandleHandlers(
  context: GatewayContext,
  directory: SymbolDirectory,
  { pages }: HistoryAccess,
): HandlersOf<typeof futuresCandleEndpoints> {
  const chart = async (source: CandleSource, { start, end }: Asked, reader: Reader): Promise<JsonText> => {
    const range = { from: timeOf(start), to: timeOf(end), limit: wireLimits.futures.candles };
    const columns = (await pages.columns(source, range, reader)) ?? [];
    return new JsonText(`{${members.map((name, index) => `"${name}":[${columns[index] ?? ''}]`).join(',')}}`);
  };
  const priceChart = (kind: MarkKind, asked: Asked, reader: Reader): Promise<JsonText> => {
    const { id: contract } = listedContract(directory, asked.symbol).rules;
    const of = { contract, kind, interval: asked.interval };
    return chart(priceCandles(context, of, { isContinued: true, print: pricePrinter }), asked, reader);
  };
  return {
    futuresCandles: async (asked, _caller, request) => {
      const { rules, settle, market } = listedContract(directory, asked.symbol);
      const print = tradePrinter(rules.priceDecimals, settle.scale);
      return chart(tradeCandles(context, market, asked.interval, { isContinued: true, print }), asked, request);
    },
    futuresIndexCandles: async (asked, _caller, request) => priceChart('index', asked, request),
    futuresFairCandles: async (asked, _caller, request) => priceChart('fair', asked, request),
  };
}
