import { assert } from '#base/assert.ts';
import { type PageOf, pagedRowsMax, pageRowsMax, type Window } from '#history/history-store.ts';
import { type AnyRow, type HistoryTable, type StoredValue, storedValue } from '#history/tables/history-table.ts';
import { columnNames, leadingIndex, selection, storedColumn } from '#history/sqlite/table-sql.ts';

/** A statement and its parameters. */
export interface Query {
  readonly sql: string;
  readonly values: readonly StoredValue[];
}

/** The query of `RowStore.page`. @throws RangeError for a page that cannot be asked for. */
export function pageQuery(table: HistoryTable, where: AnyRow, window: Window, page: PageOf<AnyRow>): Query {
  const { limit, offset, before } = checkPage(table, page);
  const { source, ofKey, further } = queryParts(table, where, window, before);
  const order = newestFirst(table);
  if (further.sql === '' || ofKey.isIndexed) {
    const rowsMax = ofKey.isIndexed ? limit : Math.max(0, Math.min(limit, pagedRowsMax - offset));
    return {
      sql: `SELECT ${selection(table)} FROM ${source} WHERE ${ofKey.sql}${further.sql} ${order} LIMIT ? OFFSET ?`,
      values: [...ofKey.values, ...further.values, rowsMax, offset],
    };
  }
  return {
    sql: `SELECT ${selection(table)} FROM (SELECT * FROM ${source} WHERE ${ofKey.sql} ${order} LIMIT ${pagedRowsMax})
      WHERE TRUE${further.sql} ${order} LIMIT ? OFFSET ?`,
    values: [...ofKey.values, ...further.values, limit, offset],
  };
}

/** The query of `RowStore.scan`. @throws RangeError for a page that cannot be asked for. */
export function scanQuery(table: HistoryTable, where: AnyRow, after: AnyRow | null, limit: number): Query {
  if (!(limit >= 1 && limit <= pageRowsMax)) throw new RangeError(`a page of history has 1 to ${pageRowsMax} rows`);
  const given = Object.keys(where);
  assert(
    table.key.slice(0, given.length).every((field) => given.includes(field)),
    `${table.name} are read in the order of ${table.key.join(', ')}`,
  );
  const rest = table.key.slice(given.length);
  const behind = after === null ? [] : [`(${columnNames(table, rest)}) > (${rest.map(() => '?').join(', ')})`];
  const conditions = [...equal(table, given), ...behind];
  const which = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return {
    sql: `SELECT ${selection(table)} FROM ${table.name} ${which} ORDER BY ${columnNames(table, rest)} LIMIT ?`,
    values: [...valuesOf(table, given, where), ...(after === null ? [] : valuesOf(table, rest, after)), limit],
  };
}

/** The query of `RowStore.count`, which answers one number. */
export function countQuery(table: HistoryTable, where: AnyRow, window: Window): Query {
  const { source, ofKey, further } = queryParts(table, where, window, null);
  const values = [...ofKey.values, ...further.values];
  if (ofKey.isIndexed) return { sql: `SELECT count(*) FROM ${source} WHERE ${ofKey.sql}${further.sql}`, values };
  const newest = `SELECT * FROM ${source} WHERE ${ofKey.sql} ${newestFirst(table)} LIMIT ${pagedRowsMax}`;
  return { sql: `SELECT count(*) FROM (${newest}) WHERE TRUE${further.sql}`, values };
}

/** The page with what it leaves out. @throws RangeError for a page that cannot be asked for. */
export function checkPage(table: HistoryTable, { limit, offset = 0, before }: PageOf<AnyRow>) {
  if (!(limit >= 1 && limit <= pageRowsMax)) throw new RangeError(`a page of history has 1 to ${pageRowsMax} rows`);
  if (!(offset >= 0)) throw new RangeError('a page of history has no place before the first');
  if (before !== undefined && !table.order.every((field) => before[field] !== undefined))
    throw new RangeError(`a page of ${table.name} begins before ${table.order.join(', ')}`);
  return { limit, offset: Math.min(offset, pagedRowsMax), before: before ?? null };
}

/** What is asked, in two parts: what the key or an index leads to, and what is then left to compare. */
export function queryParts(table: HistoryTable, where: AnyRow, window: Window, before: AnyRow | null) {
  const fields = Object.keys(where);
  assert(
    table.owner.every((field) => fields.includes(field)),
    `${table.name} are asked for by ${table.owner.join(' and ')}`,
  );
  const index = leadingIndex(table, fields);
  const inTime = `${columnNames(table, [table.time])} BETWEEN ? AND ?`;
  const older = `(${columnNames(table, table.order)}) < (${table.order.map(() => '?').join(', ')})`;
  const furtherFields = fields.filter((field) => !table.owner.includes(field));
  return {
    source: index === undefined ? table.name : `${table.name} INDEXED BY ${index.name}`,
    ofKey: {
      isIndexed: index !== undefined,
      sql: [...equal(table, table.owner), inTime, ...(before === null ? [] : [older])].join(' AND '),
      values: [
        ...valuesOf(table, table.owner, where),
        window.from,
        window.to,
        ...(before === null ? [] : valuesOf(table, table.order, before)),
      ],
    },
    further: {
      sql: equal(table, furtherFields)
        .map((condition) => ` AND ${condition}`)
        .join(''),
      values: valuesOf(table, furtherFields, where),
    },
  };
}

const newestFirst = (table: HistoryTable): string =>
  `ORDER BY ${table.order.map((field) => `${columnNames(table, [field])} DESC`).join(', ')}`;

const equal = (table: HistoryTable, fields: readonly string[]): string[] =>
  fields.map((field) => `${columnNames(table, [field])} = ?`);

const valuesOf = (table: HistoryTable, fields: readonly string[], row: AnyRow): StoredValue[] =>
  fields.map((field) => storedValue(storedColumn(table, field), row[field]));
