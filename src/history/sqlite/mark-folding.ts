import type { TimestampMs } from '#model/units.ts';
import { barSpanMs, barSpans } from '#history/tables/bar-spans.ts';
import { type MarkBarRow, markBars } from '#history/tables/contract-tables.ts';
import { rowOf } from '#history/tables/history-table.ts';
import { packRows } from '#history/worker/packed-rows.ts';
import type { SqliteConnection } from '#history/sqlite/sqlite-connection.ts';
import { selection } from '#history/sqlite/table-sql.ts';

/**
 * Makes the coarser bars of index and fair prices that cover a moment anew of the minutes that are there, after later
 * ones were removed. What a removed minute had shown before the moment is gone with it. DEC-FUT-33.
 */
export function refoldMarkBars(database: SqliteConnection, at: TimestampMs): void {
  const minutesOf = `SELECT ${selection(markBars)} FROM markBars
    WHERE span = 0 AND open_time >= ? AND open_time < ? ORDER BY contract, kind, open_time`;
  for (const span of barSpans) {
    if (span === 'minute') continue;
    const openTime = (Math.floor(at / barSpanMs[span]) * barSpanMs[span]) as TimestampMs;
    const minutes = database.all(minutesOf, [openTime, openTime + barSpanMs[span]]).map((row) => rowOf(markBars, row));
    const folded = new Map<string, MarkBarRow>();
    for (const minute of minutes) {
      const key = `${minute.contract}/${minute.kind}`;
      const bar = folded.get(key);
      folded.set(key, bar === undefined ? { ...minute, span, openTime } : joined(bar, minute));
    }
    if (folded.size > 0) database.inserter(markBars).write(packRows(markBars, [...folded.values()]));
  }
}

const joined = (earlier: MarkBarRow, later: MarkBarRow): MarkBarRow => ({
  ...earlier,
  seq: later.seq,
  high: Math.max(earlier.high, later.high),
  low: Math.min(earlier.low, later.low),
  close: later.close,
});
