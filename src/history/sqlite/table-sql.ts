import { assert } from '#base/assert.ts';
import {
  type AnyRow,
  type HistoryTable,
  type StoredColumn,
  type StoredValue,
  storedValue,
  type TableSet,
} from '#history/tables/history-table.ts';

const progress = `CREATE TABLE progress (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  watermark INTEGER NOT NULL
) STRICT;
INSERT INTO progress VALUES (1, 0);
`;

/**
 * The schema of the embedded history, as steps: `PRAGMA user_version` counts those taken. A released step never
 * changes; `test/golden/history-schema.sql` holds them. Every key and every order of rows is made of integers; text
 * is only ever compared for equality.
 */
export function schemaMigrations(tables: TableSet): readonly string[] {
  const list = Object.values(tables);
  const version = list.reduce((newest, { since }) => Math.max(newest, since), 1);
  return Array.from({ length: version }, (_, index) => {
    const added = list.filter(({ since }) => since === index + 1).map(createTable);
    return (index === 0 ? [progress, ...added] : added).join('\n');
  });
}

function createTable(table: HistoryTable): string {
  const lines = table.stored.map(
    ({ name, type, isNullable }) => `${name} ${type === 'text' ? 'TEXT' : 'INTEGER'}${isNullable ? '' : ' NOT NULL'}`,
  );
  lines.push(`PRIMARY KEY (${columnNames(table, table.key)})`);
  const indexes = table.indexes.map(({ name, columns, isUnique }) => {
    const set = columns.map((field) => storedColumn(table, field)).filter(({ isNullable }) => isNullable);
    const where = set.length === 0 ? '' : ` WHERE ${set.map((column) => `${column.name} IS NOT NULL`).join(' AND ')}`;
    const kind = isUnique ? 'UNIQUE INDEX' : 'INDEX';
    return `CREATE ${kind} ${name} ON ${table.name} (${columnNames(table, columns)})${where};\n`;
  });
  return `CREATE TABLE ${table.name} (\n  ${lines.join(',\n  ')}\n) STRICT, WITHOUT ROWID;\n${indexes.join('')}`;
}

/**
 * Replaces rows whose key is there already; in final tables leaves out what comes again. Any other fault of such a row
 * ends the statement where it is: its transaction is undone as a whole.
 */
export function insertSql(table: HistoryTable, rowCount: number): string {
  const names = table.stored.map(({ name }) => name).join(', ');
  const rows = `INTO ${table.name} (${names}) VALUES ${placesSql(table, rowCount)}`;
  return table.isFinal === true ? `INSERT OR FAIL ${rows} ON CONFLICT DO NOTHING` : `INSERT OR REPLACE ${rows}`;
}

/** A parameter for each column of so many rows. */
export function placesSql({ stored }: HistoryTable, rowCount: number): string {
  const place = `(${stored.map(() => '?').join(', ')})`;
  return Array(rowCount).fill(place).join(', ');
}

/** What a SELECT names so that `rowOf` reads its rows: 64-bit integers as text, because numbers would round them. */
export function selection(table: HistoryTable): string {
  return table.stored.map(({ name, type }) => (type === 'bigInteger' ? `CAST(${name} AS TEXT)` : name)).join(', ');
}

/** The column of a field that has one of its own: no sum. @throws RangeError for any other field. */
export function storedColumn(table: HistoryTable, field: string): StoredColumn {
  const found = table.stored.find((column) => column.field === field);
  if (found === undefined || found.type === 'sumHigh')
    throw new RangeError(`${table.name} have no column for ${field}`);
  return found;
}

/** Names of columns, in a row. */
export const columnNames = (table: HistoryTable, fields: readonly string[]): string =>
  fields.map((field) => storedColumn(table, field).name).join(', ');

/** The index that leads to rows with values of these fields; `undefined`: the key does. */
export const leadingIndex = (
  table: HistoryTable,
  fields: readonly string[],
): HistoryTable['indexes'][number] | undefined =>
  table.indexes.find(({ columns }) => !table.owner.includes(columns[0]!) && fields.includes(columns[0]!));

/**
 * The query of `RowStore.rows`, whose further parameters are both ends of the window and the limit. Of columns beyond
 * the key, those that an index begins with lead to that index.
 */
export function rowQuery(
  table: HistoryTable,
  where: AnyRow,
  fromStart: boolean,
): { readonly sql: string; readonly values: readonly StoredValue[] } {
  const fields = Object.keys(where);
  assert(
    table.owner.every((field) => fields.includes(field)),
    `${table.name} are asked for by ${table.owner.join(' and ')}`,
  );
  const index = leadingIndex(table, fields);
  const conditions = fields.map((field) => `${columnNames(table, [field])} = ?`);
  const order = table.order.map((field) => `${columnNames(table, [field])} ${fromStart ? 'ASC' : 'DESC'}`);
  return {
    sql: `SELECT ${selection(table)} FROM ${table.name}${index === undefined ? '' : ` INDEXED BY ${index.name}`}
      WHERE ${[...conditions, `${columnNames(table, [table.time])} BETWEEN ? AND ?`].join(' AND ')}
      ORDER BY ${order.join(', ')} LIMIT ?`,
    values: fields.map((field) => storedValue(storedColumn(table, field), where[field])),
  };
}
