import { dayMs } from '#base/calendar.ts';
import { type Candle, candleOpenTime, shiftCandle } from '#model/candle.ts';
import { as, type SymbolId, type TimestampMs } from '#model/units.ts';
import { wireLimits } from '#http/limits.ts';
import type { GatewayContext } from '#public-api/gateway-context.ts';
import type { ChartPoint } from '#public-api/pages/spark-line.ts';
import { HistoryUnavailable } from '#history/history-store.ts';
import type { Ticker } from '#market-data/market-data.ts';
import type { ListedContract, ListedSymbol } from '#market-data/symbol-directory.ts';

/** A pair or the market of a contract. */
interface ShownMarket {
  readonly listed: ListedSymbol;
  /** Name of the asset that its price is of. */
  readonly fullName: string;
  /** Its status if it is not traded, else `null`. */
  readonly halted: string | null;
}

/** A pair or a contract with its last 24 hours. */
export interface MarketRow extends ShownMarket {
  readonly ticker: Ticker;
  /** Prices in ticks over the last 24 hours. Empty before the first trade, and while history cannot be read. */
  readonly chart: readonly ChartPoint[];
}

/** Pairs or contracts in the order of their listing, as many as a page shows. */
export interface MarketRows {
  readonly rows: readonly MarketRow[];
  /** How many are listed. */
  readonly listed: number;
}

/** What is traded here, at a glance. */
export interface MarketOverview {
  /** The exchange's clock. */
  readonly at: TimestampMs;
  readonly pairs: MarketRows;
  readonly contracts: MarketRows;
}

const shownPair = (listed: ListedSymbol): ShownMarket => {
  const { fullName, status } = listed.rules;
  return { listed, fullName, halted: status === 'online' ? null : status };
};
const shownContract = ({ rules, market, base }: ListedContract): ShownMarket => ({
  listed: market,
  fullName: base.fullName,
  halted: rules.state === 'enabled' ? null : rules.state,
});

const chartInterval = '15m';
/** Candles in 24 hours. */
const chartCandles = 96;

/** The closed candles of 24 hours up to the one that opened at `openTime`. */
interface KeptCandles {
  readonly openTime: TimestampMs;
  readonly candles: readonly Candle[];
}

/** From the price before the window, by the closes of candles, to the last price. */
function chartOf(ticker: Ticker, { openTime, candles }: KeptCandles): ChartPoint[] {
  const { open, last, closeTime: now } = ticker;
  if (open === null || last === null) return [];
  const at = (time: number): number => Math.max(0, (time - (now - dayMs)) / dayMs);
  return [
    { at: at(candles[0]?.openTime ?? openTime), price: open },
    ...candles.map(({ closeTime, close }) => ({ at: at(closeTime), price: close })),
    { at: 1, price: last },
  ];
}

/**
 * Reads the last 24 hours of what is listed, from the ports that answer tickers and candles. Closed candles do not
 * change, so those of a market are folded once a quarter of an hour. DEC-REQ-63.
 */
export function createOverviewReader({
  market,
  clock,
}: Pick<GatewayContext, 'market' | 'clock'>): () => Promise<MarketOverview> {
  const kept = new Map<SymbolId, KeptCandles>();

  /** `null` while history cannot be read. */
  async function closedCandles(symbol: SymbolId, now: TimestampMs): Promise<KeptCandles | null> {
    const openTime = candleOpenTime(chartInterval, now);
    const known = kept.get(symbol);
    if (known?.openTime === openTime) return known;
    const from = shiftCandle(chartInterval, openTime, -chartCandles);
    const range = { from, to: as<TimestampMs>(openTime - 1), limit: chartCandles };
    try {
      const read = { openTime, candles: await market.candles(symbol, chartInterval, range, now) };
      kept.set(symbol, read);
      return read;
    } catch (error) {
      if (error instanceof HistoryUnavailable) return null;
      throw error;
    }
  }

  async function rowOf(shown: ShownMarket, now: TimestampMs): Promise<MarketRow> {
    const { id } = shown.listed.rules;
    const ticker = market.ticker(id, now);
    const closed = await closedCandles(id, ticker.closeTime);
    return { ...shown, ticker, chart: closed === null ? [] : chartOf(ticker, closed) };
  }

  const rowsOf = (shown: readonly ShownMarket[], now: TimestampMs): Promise<MarketRow[]> =>
    Promise.all(shown.map((one) => rowOf(one, now)));

  return async () => {
    const at = as<TimestampMs>(clock.now());
    const { symbols, contracts } = market.directory;
    const count = wireLimits.marketPage.rows;
    const [pairRows, contractRows] = await Promise.all([
      rowsOf(symbols.slice(0, count).map(shownPair), at),
      rowsOf(contracts.slice(0, count).map(shownContract), at),
    ]);
    return {
      at,
      pairs: { rows: pairRows, listed: symbols.length },
      contracts: { rows: contractRows, listed: contracts.length },
    };
  };
}
