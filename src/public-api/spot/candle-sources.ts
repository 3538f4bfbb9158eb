import type { CandleInterval } from '#model/candle.ts';
import type { TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { CandleSource } from '#public-api/spot/candle-pages.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { MarkCandles } from '#market-data/candles/mark-candles.ts';
import type { ListedSymbol } from '#market-data/symbol-directory.ts';

type Printing = Pick<CandleSource, 'isContinued' | 'print'>;

/** Candles of the trades of a pair or of a contract's market. */
export function tradeCandles(
  { market, clock }: Pick<GatewayContext, 'market' | 'clock'>,
  { rules: { id } }: ListedSymbol,
  interval: CandleInterval,
  printing: Printing,
): CandleSource {
  const now = as<TimestampMs>(clock.now());
  return {
    ...printing,
    key: `${id} ${interval}`,
    interval,
    span: () => market.candleSpan(id, now),
    candles: (range) => market.candles(id, interval, range, now),
    isRecent: (from) => market.keepsCandles(id, from),
    current: (openTime) => {
      const candle = market.currentCandle(id, interval, now);
      return candle?.openTime === openTime ? candle : null;
    },
  };
}

/** Candles of index or fair prices of a contract. */
export function priceCandles(
  { contracts, clock }: Pick<GatewayContext, 'contracts' | 'clock'>,
  of: MarkCandles,
  printing: Printing,
): CandleSource {
  const now = as<TimestampMs>(clock.now());
  return {
    ...printing,
    key: `${of.contract} ${of.interval} ${of.kind}`,
    interval: of.interval,
    span: (read) => read(() => contracts.markSpan(of, now)),
    candles: (range) => contracts.markCandles(of, range, now),
    isRecent: () => false,
    current: () => null,
  };
}
