import type { Group, GroupsOf } from '#history/history-store.ts';
import type { AnyRow, HistoryTable, StoredColumn } from '#history/tables/history-table.ts';
import { type PackedRows, packRows, unpackInTurns } from '#history/worker/packed-rows.ts';
import { storedColumn } from '#history/sqlite/table-sql.ts';

/** Groups of a table for a worker. */
export const packGroups = (table: HistoryTable, of: GroupsOf<string, string>, groups: readonly AnyRow[]): PackedRows =>
  packRows(
    groupTable(table, of),
    groups.map((group) => ({ ...group, ...Object.fromEntries(of.sum.map((field) => [field, String(group[field])])) })),
  );

/** The groups that were packed. */
export const unpackGroups = async <Row, By extends string, Sum extends string>(
  table: HistoryTable,
  of: GroupsOf<By, Sum>,
  packed: PackedRows,
): Promise<readonly Group<Row, By, Sum>[]> =>
  (await unpackInTurns(groupTable(table, of), packed)).map((row: Record<string, unknown>) => {
    for (const field of of.sum) row[field] = BigInt(row[field] as string);
    return row as Group<Row, By, Sum>;
  });

/** A table whose rows are groups. Sums are texts: they may have more than 64 bits. */
const groupTable = (table: HistoryTable, { by, sum }: GroupsOf<string, string>): HistoryTable => ({
  ...table,
  stored: [
    ...by.map((field) => storedColumn(table, field)),
    ...sum.map((field) => column(field, 'text')),
    column('rows', 'integer'),
  ],
});

const column = (field: string, type: 'text' | 'integer'): StoredColumn => ({
  field,
  name: field,
  type,
  isNullable: false,
  words: [],
});
