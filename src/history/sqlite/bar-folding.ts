import type { SymbolId } from '#model/units.ts';
import { type BarSpan, barSpanMs, barSpans } from '#history/tables/bar-spans.ts';
import { type Bar, historyTables } from '#history/tables/history-tables.ts';
import type { SqliteConnection } from '#history/sqlite/sqlite-connection.ts';

const barColumns = historyTables.bars.stored.map(({ name }) => name).join(', ');

/** A minute whose coarser bars have to be recomputed. */
export type TouchedMinute = Pick<Bar, 'symbol' | 'openTime'>;

/** Recomputes every coarser bar that covers one of these minutes from finer bars, which must exist. */
export function foldBars(database: SqliteConnection, minutes: readonly TouchedMinute[]): void {
  for (const span of barSpans) if (span !== 'minute') foldSpan(database, span, minutes);
}

/** Recomputes the bars of one span that cover these minutes from the next finer bars. */
function foldSpan(
  database: SqliteConnection,
  span: Exclude<BarSpan, 'minute'>,
  minutes: readonly TouchedMinute[],
): void {
  const code = barSpans.indexOf(span);
  const fold = database.statement(`
    INSERT OR REPLACE INTO bars (${barColumns})
    SELECT symbol, ${code}, ?2,
      (SELECT open FROM bars WHERE symbol = ?1 AND span = ${code - 1} AND open_time >= ?2 ORDER BY open_time LIMIT 1),
      max(high), min(low),
      (SELECT close FROM bars WHERE symbol = ?1 AND span = ${code - 1} AND open_time < ?3
        ORDER BY open_time DESC LIMIT 1),
      sum(lots_high) + (sum(lots_low) >> 30), sum(lots_low) & 1073741823,
      sum(quote_high) + (sum(quote_low) >> 30), sum(quote_low) & 1073741823, sum(trades)
    FROM bars WHERE symbol = ?1 AND span = ${code - 1} AND open_time >= ?2 AND open_time < ?3`);
  const length = barSpanMs[span];
  const done = new Map<SymbolId, Set<number>>();
  for (const minute of minutes) {
    const openTime = Math.floor(minute.openTime / length) * length;
    const doneOfSymbol = done.get(minute.symbol) ?? new Set();
    done.set(minute.symbol, doneOfSymbol);
    if (doneOfSymbol.has(openTime)) continue;
    doneOfSymbol.add(openTime);
    fold.run([minute.symbol, openTime, openTime + length]);
  }
}
