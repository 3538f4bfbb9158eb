import type { AnyRow, HistoryTable } from '#history/tables/history-table.ts';

/**
 * Below 0 if `left` comes first by these fields, above 0 if `right` does. Words come in the order of their list, and no
 * value before any: as in a database.
 */
export function compareRows(table: HistoryTable, fields: readonly string[], left: AnyRow, right: AnyRow): number {
  for (const field of fields) {
    const words = table.columns[field]?.words ?? [];
    const rank = (row: AnyRow) => (words.length > 0 ? words.indexOf(row[field] as string) : row[field]) as number;
    const [first, second] = [rank(left), rank(right)];
    if (first !== second) return first === null || (second !== null && first < second) ? -1 : 1;
  }
  return 0;
}
