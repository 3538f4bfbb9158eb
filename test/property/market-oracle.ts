import type { Candle, CandleInterval } from '#model/candle.ts';
import type { PriceTicks, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { TradeRow } from '#history/tables/history-tables.ts';
import type { CandleRange } from '#market-data/candles/candle-plan.ts';
import type { Ticker } from '#market-data/market-data.ts';

/** Market data recomputed from all trades, without any thought of speed. */

const dayMs = 86_400_000;
const sum = (trades: readonly TradeRow[], of: (trade: TradeRow) => number): bigint =>
  trades.reduce((total, trade) => total + BigInt(of(trade)), 0n);
const priceOf = (trade: TradeRow): PriceTicks => trade.price;
const most = (prices: readonly PriceTicks[]): PriceTicks => as(Math.max(...prices));
const least = (prices: readonly PriceTicks[]): PriceTicks => as(Math.min(...prices));

/** The end of the window that opens at `open`, by the machine's own calendar. */
function endOf(interval: CandleInterval, open: number): number {
  if (interval === '1M') {
    const date = new Date(open);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  }
  const minutes = { '1m': 1, '5m': 5, '15m': 15, '30m': 30, '60m': 60, '4h': 240, '8h': 480, '1d': 1440, '1W': 10_080 };
  return open + minutes[interval] * 60_000;
}

function openOf(interval: CandleInterval, at: number): number {
  const date = new Date(at);
  if (interval === '1M') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  if (interval === '1W') return midnight - ((date.getUTCDay() + 6) % 7) * dayMs;
  let open = midnight;
  while (endOf(interval, open) <= at) open = endOf(interval, open);
  return open;
}

export function candlesOf(
  trades: readonly TradeRow[],
  interval: CandleInterval,
  range: CandleRange,
  now: number,
): Candle[] {
  const first = trades[0];
  if (first === undefined) return [];
  const all: Candle[] = [];
  let next = 0;
  for (let open = openOf(interval, first.at); open <= now; open = endOf(interval, open)) {
    const end = endOf(interval, open);
    const own: TradeRow[] = [];
    for (; next < trades.length && (trades[next] as TradeRow).at < end; next += 1) own.push(trades[next] as TradeRow);
    const close = all.at(-1)?.close as PriceTicks;
    const prices = own.length === 0 ? [close] : own.map(priceOf);
    all.push({
      openTime: open as TimestampMs,
      closeTime: end as TimestampMs,
      open: prices[0] as PriceTicks,
      high: most(prices),
      low: least(prices),
      close: prices.at(-1) as PriceTicks,
      lots: sum(own, (trade) => trade.lots),
      quoteAmount: sum(own, (trade) => trade.quoteAmount),
      trades: own.length,
    });
  }
  const within = all.filter(
    (candle) =>
      (range.from === null || candle.openTime >= range.from) && (range.to === null || candle.openTime <= range.to),
  );
  return range.from === null ? within.slice(Math.max(0, within.length - range.limit)) : within.slice(0, range.limit);
}

export function tickerFrom(trades: readonly TradeRow[], now: number): Ticker {
  const second = (at: number): number => Math.floor(at / 1000);
  const inside = trades.filter((trade) => second(trade.at) > second(now) - 86_400);
  const before = trades.slice(0, trades.length - inside.length);
  const last = trades.at(-1)?.price ?? null;
  const open = before.at(-1)?.price ?? inside[0]?.price ?? null;
  const change = last === null || open === null ? 0 : last - open;
  return {
    last,
    lastLots: trades.at(-1)?.lots ?? null,
    open,
    change,
    high: inside.length === 0 ? last : most(inside.map(priceOf)),
    low: inside.length === 0 ? last : least(inside.map(priceOf)),
    changeBps: open === null ? 0 : Math.trunc((change * 10_000) / open),
    lots: sum(inside, (trade) => trade.lots),
    quoteAmount: sum(inside, (trade) => trade.quoteAmount),
    trades: inside.length,
    openTime: as<TimestampMs>(now - dayMs),
    closeTime: as<TimestampMs>(now),
  };
}

export function averageOf(trades: readonly TradeRow[], now: number, lotTick: bigint): PriceTicks | null {
  const inside = trades.filter((trade) => Math.floor(trade.at / 1000) > Math.floor(now / 1000) - 300);
  if (inside.length === 0) return trades.at(-1)?.price ?? null;
  const quote = sum(inside, (trade) => trade.quoteAmount);
  return as<PriceTicks>(Number(quote / (sum(inside, (trade) => trade.lots) * lotTick)));
}
