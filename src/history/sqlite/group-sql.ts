import { type Group, type GroupsOf, groupsMax, type Window } from '#history/history-store.ts';
import { type AnyRow, type HistoryTable, rowOf, type StoredValue } from '#history/tables/history-table.ts';
import { type Query, queryParts } from '#history/sqlite/page-sql.ts';
import { columnNames, selection, storedColumn } from '#history/sqlite/table-sql.ts';

/** A part of a sum: what is added up of each row, and by how many bits the result is shifted. */
interface SumPart {
  readonly sql: string;
  readonly shift: bigint;
}

/** The query of `RowStore.grouped`. @throws RangeError for a sum of what is no number. */
export function groupQuery(table: HistoryTable, where: AnyRow, window: Window, of: GroupsOf<string, string>): Query {
  const { source, ofKey, further } = queryParts(table, where, window, null);
  const parts = of.sum.flatMap((field) => sumParts(table, field)).map(({ sql }) => `CAST(sum(${sql}) AS TEXT)`);
  const by = columnNames(table, of.by);
  return {
    sql: `SELECT ${[...of.by.map((field) => selection(only(table, [field]))), 'count(*)', ...parts].join(', ')}
      FROM ${source} WHERE ${ofKey.sql}${further.sql}
      GROUP BY ${by === '' ? 'NULL' : `${by} ORDER BY ${by}`} LIMIT ${groupsMax}`,
    values: [...ofKey.values, ...further.values],
  };
}

/** The group that a row of the answer to `groupQuery` holds. */
export function groupOf<Row, By extends string, Sum extends string>(
  table: HistoryTable,
  of: GroupsOf<By, Sum>,
  values: readonly StoredValue[],
): Group<Row, By, Sum> {
  const group: Record<string, unknown> = { ...rowOf(only(table, of.by), values) };
  let place = of.by.length + 1;
  for (const field of of.sum) {
    let sum = 0n;
    for (const { shift } of sumParts(table, field)) {
      sum += BigInt(values[place] as string) << shift;
      place += 1;
    }
    group[field] = sum;
  }
  group['rows'] = values[of.by.length];
  return group as Group<Row, By, Sum>;
}

/**
 * Numbers of up to 64 bits are added up in two halves, so that no sum of fewer than 2^31 rows leaves 64 bits: the
 * database would refuse it.
 */
function sumParts(table: HistoryTable, field: string): readonly SumPart[] {
  const halves = (name: string, shift: bigint): readonly SumPart[] => [
    { sql: `${name} >> 32`, shift: shift + 32n },
    { sql: `${name} & 4294967295`, shift },
  ];
  const columns = table.stored.filter((column) => column.field === field);
  if (columns.length === 0) throw new RangeError(`${table.name} have no ${field}`);
  return columns.flatMap(({ name, type, isNullable }) => {
    if (type === 'sumHigh') return halves(name, 30n);
    if (type === 'sumLow') return [{ sql: name, shift: 0n }];
    if ((type === 'integer' || type === 'bigInteger') && !isNullable) return halves(name, 0n);
    throw new RangeError(`${table.name} have no sum of ${field}`);
  });
}

/** The table with some of its columns. */
const only = (table: HistoryTable, fields: readonly string[]): HistoryTable => ({
  ...table,
  stored: fields.map((field) => storedColumn(table, field)),
});
