import type { TimestampMs } from '#model/units.ts';
import type { HistoryTable } from '#history/tables/history-table.ts';
import type { SqliteConnection } from '#history/sqlite/sqlite-connection.ts';
import { columnNames } from '#history/sqlite/table-sql.ts';

/**
 * Removes rows of a table that are older than `keptMs` and no longer kept by its declaration: at most `rowsMax`, and
 * one query for each value of the column before the time in its key, such as each symbol. Answers how many it removed.
 */
export function pruneTable(
  database: SqliteConnection,
  table: HistoryTable,
  keptMs: number | null,
  { now, rowsMax }: { readonly now: TimestampMs; readonly rowsMax: number },
): number {
  if (keptMs === null || table.retention === null) return 0;
  const keptFrom = now - Math.max(keptMs, table.retention.keptMsMin);
  if (table.owner.length === 0) return pruneRows(database, table, [keptFrom], rowsMax);
  const owner = columnNames(table, table.owner);
  const above = `SELECT min(${owner}) FROM ${table.name} WHERE ${owner} > ?`;
  let removed = 0;
  let last = Number.MIN_SAFE_INTEGER;
  while (removed < rowsMax) {
    const [next] = database.one(above, [last]) as [number | null];
    if (next === null) break;
    removed += pruneRows(database, table, [next, keptFrom], rowsMax - removed);
    last = next;
  }
  return removed;
}

/** Removes the oldest rows, at most `rowsMax`, of the owner in `bounds`, if rows have one, before the moment there. */
function pruneRows(
  database: SqliteConnection,
  table: HistoryTable,
  bounds: readonly number[],
  rowsMax: number,
): number {
  const isOwned = table.owner.length === 0 ? '' : `${columnNames(table, table.owner)} = ? AND `;
  const old = `${isOwned}${columnNames(table, [table.time])} < ?`;
  const order = columnNames(table, table.order);
  const last = database.one(`SELECT ${order} FROM ${table.name} WHERE ${old} ORDER BY ${order} LIMIT 1 OFFSET ?`, [
    ...bounds,
    rowsMax - 1,
  ]);
  const upToLast = last === undefined ? '' : ` AND (${order}) <= (${last.map(() => '?').join(', ')})`;
  return database.statement(`DELETE FROM ${table.name} WHERE ${old}${upToLast}`).run([...bounds, ...(last ?? [])])
    .changes;
}
