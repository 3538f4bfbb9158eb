import { type Group, type GroupsOf, groupsMax } from '#history/history-store.ts';
import type { AnyRow, HistoryTable } from '#history/tables/history-table.ts';

/** Rows of a table by the values of some fields, with sums of others; in the order of these values. */
export function groupRows<Row, By extends string, Sum extends string>(
  table: HistoryTable,
  rows: readonly AnyRow[],
  { by, sum }: GroupsOf<By, Sum>,
): readonly Group<Row, By, Sum>[] {
  const groups = new Map<string, { first: AnyRow; rows: number; sums: bigint[] }>();
  for (const row of rows) {
    const key = by.map((field) => String(row[field])).join('/');
    const group = groups.get(key) ?? { first: row, rows: 0, sums: sum.map(() => 0n) };
    groups.set(key, group);
    group.rows += 1;
    for (const [index, field] of sum.entries()) group.sums[index]! += BigInt(row[field] as number | bigint);
  }
  return [...groups.values()]
    .sort((left, right) => compareRows(table, by, left.first, right.first))
    .slice(0, groupsMax)
    .map(
      ({ first, rows: count, sums }) =>
        Object.fromEntries([
          ...by.map((field) => [field, first[field]]),
          ...sum.map((field, index) => [field, sums[index]]),
          ['rows', count],
        ]) as Group<Row, By, Sum>,
    );
}

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
