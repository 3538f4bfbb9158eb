import { minuteMs } from '#base/calendar.ts';
import { candleOpenTime } from '#model/candle.ts';
import type { PriceTicks, SymbolId, TimestampMs } from '#model/units.ts';
import { as } from '#model/units.ts';
import type { HistoryStore, SecondColumns, Window } from '#history/history-store.ts';
import type { Bar } from '#history/tables/history-tables.ts';
import { daySeconds } from '#market-data/rolling-day.ts';
import { SymbolMarket } from '#market-data/symbol-market.ts';
import { tapeLimit } from '#market-data/trade-tape.ts';

const latest = as<TimestampMs>(Number.MAX_SAFE_INTEGER);
const until = (from: number, to: number = latest): Window => ({ from: as<TimestampMs>(from), to: as<TimestampMs>(to) });

/**
 * Restores a symbol's trades and candles from history at its watermark. Ranges are counted back from the last trade,
 * not from the present: trades that are replayed afterwards may be much older than the present.
 */
export async function restoreSymbol(history: HistoryStore, symbol: SymbolId): Promise<SymbolMarket> {
  const market = new SymbolMarket(symbol);
  const last = await history.barBefore(symbol, latest);
  const first = await history.firstBar(symbol);
  if (last === null || first === null) return market;
  // The last trade may be at any time of its minute: one more minute covers a full day before it.
  const dayBefore = last.openTime - daySeconds * 1000;
  const [trades, merged, seconds, minutes, minuteBefore, days] = await Promise.all([
    history.rows('trades', { symbol }, until(0), tapeLimit, false),
    history.aggregatedTrades(symbol, until(0), tapeLimit, false),
    history.seconds(symbol, until(dayBefore)),
    history.rows('bars', { symbol, span: 'minute' }, until(dayBefore)),
    history.barBefore(symbol, as<TimestampMs>(dayBefore)),
    history.rows(
      'bars',
      { symbol, span: 'day' },
      until(Math.min(candleOpenTime('1W', last.openTime), candleOpenTime('1M', last.openTime))),
    ),
  ]);
  market.tape.restore(trades, merged);
  market.day.load(seconds, first.open, priceBefore(seconds, minutes, minuteBefore));
  market.candles.restore({ firstTradeAt: first.openTime, minutes, before: minuteBefore, days });
  market.lastPrice = last.close;
  market.lastLots = trades.at(-1)?.lots ?? null;
  market.lastTradeAt = trades.at(-1)?.at ?? last.openTime;
  return market;
}

/** Last price before the first of these seconds. Retention deletes single trades, but keeps their bars. */
function priceBefore(seconds: SecondColumns, minutes: readonly Bar[], minuteBefore: Bar | null): PriceTicks | null {
  const first = seconds.seconds[0];
  const firstMinute = first === undefined ? latest : Math.floor((first * 1000) / minuteMs) * minuteMs;
  const bar = minutes.findLast((minute) => minute.openTime < firstMinute) ?? minuteBefore;
  return bar?.close ?? null;
}
